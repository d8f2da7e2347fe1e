import { boolean, date, doublePrecision, integer, pgTable, text, time, uuid } from 'drizzle-orm/pg-core'
import { bytes, datetime } from './column-types.ts'

/** Where Item is stored. */
export const itemTable = pgTable('item', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  label: text('label').notNull(),
  number: integer('number').notNull(),
  weight: doublePrecision('weight').notNull(),
  day: date('day').notNull(),
  picture: bytes('picture').notNull(),
  keeper: uuid('keeper').notNull(),
  serial: text('serial').notNull(),
  at: datetime('at').notNull(),
  counted: integer('counted').notNull(),
  checked: boolean('checked').notNull(),
  holder: uuid('holder').notNull(),
  pinHash: bytes('pin_hash').notNull(),
  opensAt: time('opens_at').notNull(),
  bought: date('bought').notNull(),
  price: doublePrecision('price').notNull(),
  digest: text('digest').notNull(),
})

/** Where Seal is stored. */
export const sealTable = pgTable('seal', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  mark: text('mark').notNull(),
  hidden: integer('hidden').notNull(),
})
