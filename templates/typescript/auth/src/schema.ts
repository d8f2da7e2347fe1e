import { sql } from 'drizzle-orm'
import { check, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that auth-db/migrations leads to. */
export const SCHEMA_HASH = '6b992ba20c116d7d881f12f3926aa14094c103792ed2bb9543ccb99c4b8e2441'

/** User accounts. */
export const auth = pgTable(
  'auth',
  {
    /** The `id` of the tokens of the user. */
    id: uuid('id').notNull(),
    /** As registered. Compared without regard to case. */
    email: text('email').notNull(),
    /** Salted bcrypt hash. */
    passwordHash: text('password_hash').notNull(),
  },
  ({ id, email, passwordHash }) => [
    primaryKey({ name: 'auth__pkey', columns: [id] }),
    check('auth__email__check', sql`octet_length(${email}) <= 254`),
    check('auth__password_hash__check', sql`char_length(${passwordHash}) BETWEEN 60 AND 60`),
    uniqueIndex('auth__email__key').on(sql`lower(${email} COLLATE "C")`),
  ],
)

export type Database = DatabaseOf<{ auth: typeof auth }>
