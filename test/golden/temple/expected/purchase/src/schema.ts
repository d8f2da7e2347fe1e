import { pgTable, time, uuid } from 'drizzle-orm/pg-core'

/** Where Purchase is stored. */
export const purchaseTable = pgTable('purchase', {
  id: uuid('id').primaryKey(),
  _owner: uuid('_owner').notNull(),
  product: uuid('product').notNull(),
  when: time('when').notNull(),
})
