import { sql } from 'drizzle-orm'
import { check, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that auth-db/migrations leads to. */
export const SCHEMA_HASH = '46cc70da970053bed81668453c2485336855590918e3ff8fe9d9eeb733cf48a7'

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
    /** The roles that the tokens of the user carry. */
    roles: text('roles').array().notNull(),
  },
  ({ id, email, passwordHash }) => [
    primaryKey({ name: 'auth__pkey', columns: [id] }),
    check('auth__email__check', sql`octet_length(${email}) <= 254`),
    check('auth__password_hash__check', sql`char_length(${passwordHash}) = 60`),
    uniqueIndex('auth__email__key').on(sql`lower(${email} COLLATE "C")`),
  ],
)

export type Database = DatabaseOf<{ auth: typeof auth }>
