import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, datetime } from './column-types.ts'

/** Where HTTPProxy2 is stored. */
export const httpProxy2Table = pgTable('http_proxy2', {
  id: uuid('id').primaryKey(),
  a: text('a').notNull(),
  bC: text('b_c').notNull(),
  dEF: integer('d_ef').notNull(),
  userID: text('user_id').notNull(),
  ipV4Address: text('ip_v4_address').notNull(),
  x2y: integer('x2y').notNull(),
  iPhone: boolean('i_phone').notNull(),
})

/** Where TLSCert is stored. */
export const tlsCertTable = pgTable('tls_cert', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  sha256Sum: bytes('sha256_sum').notNull(),
  notAfter: datetime('not_after').notNull(),
})
