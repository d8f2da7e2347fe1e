import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Where records are stored: who can log in. */
export const auth = pgTable('auth', {
  id: uuid('id').primaryKey(),
  email: text('email').notNull(),
  passwordHash: text('password_hash').notNull(),
})
