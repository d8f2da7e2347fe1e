import { relations, sql } from 'drizzle-orm'
import { boolean, check, foreignKey, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'
import { bytes, datetime } from '#lib/queries.ts'

/** Identifies the schema that http-proxy2-db/migrations leads to. */
export const SCHEMA_HASH = '886a41c584cb1e3e3fd4ef2a9e2313df54abd33b2ef5d65b86a7d2cf9b8e63d7'

export const httpProxy2 = pgTable(
  'http_proxy2',
  {
    id: uuid('id').primaryKey(),
    a: text('a').notNull(),
    bC: text('b_c').notNull(),
    dEF: integer('d_ef').notNull(),
    userID: text('user_id').notNull(),
    ipV4Address: text('ip_v4_address').notNull(),
    x2y: integer('x2y').notNull(),
    iPhone: boolean('i_phone').notNull(),
  },
  (httpProxy2) => [
    // Drizzle has no EXCLUDE, which keeps values of any length unique.
    index('http_proxy2__ip_v4_address__key').using('hash', httpProxy2.ipV4Address),
  ],
)

export const tlsCert = pgTable(
  'tls_cert',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    sha256Sum: bytes('sha256_sum').notNull(),
    notAfter: datetime('not_after').notNull(),
  },
  (tlsCert) => [
    foreignKey({
      columns: [tlsCert.parentId],
      foreignColumns: [httpProxy2.id],
      name: 'tls_cert___parent__fkey',
    }).onDelete('cascade'),
    index('tls_cert___parent__id__idx').on(tlsCert.parentId, tlsCert.id),
    check('tls_cert__sha256_sum__check', sql`octet_length(${tlsCert.sha256Sum}) <= 32`),
    check(
      'tls_cert__not_after__check',
      sql`${tlsCert.notAfter} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`,
    ),
  ],
)

export const httpProxy2Relations = relations(httpProxy2, ({ many }) => ({
  tlsCertList: many(tlsCert, { relationName: 'tls_cert' }),
}))

export const tlsCertRelations = relations(tlsCert, ({ one }) => ({
  httpProxy2: one(httpProxy2, {
    relationName: 'tls_cert',
    fields: [tlsCert.parentId],
    references: [httpProxy2.id],
  }),
}))

export type Database = DatabaseOf<typeof import('./schema.ts')>
