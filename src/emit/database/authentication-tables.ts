import type { Authentication } from '../../model/platform.ts'
import { constraintName } from './names.ts'
import type { Table } from './table.ts'

/** Characters of a bcrypt hash. */
const HASH_LENGTH = 60
/** RFC 5321, section 4.5.3.1.3, less the angle brackets of a path. */
const MAX_EMAIL_BYTES = 254

/** The table of the authentication service's records. */
export function authenticationTables({ table }: Authentication): Table[] {
  return [
    {
      name: table,
      documentation: 'Who can log in.',
      columns: [
        { name: 'id', type: 'uuid', documentation: 'The `id` of its tokens.' },
        { name: 'email', type: 'text', documentation: 'As it was registered; found whatever its case.' },
        { name: 'password_hash', type: 'text', documentation: 'By bcrypt, salted.' },
      ],
      constraints: [
        { name: constraintName(table, [], 'pkey'), definition: 'PRIMARY KEY ("id")' },
        {
          name: constraintName(table, ['email'], 'check'),
          definition: `CHECK (octet_length("email") <= ${MAX_EMAIL_BYTES})`,
        },
        {
          name: constraintName(table, ['password_hash'], 'check'),
          definition: `CHECK (char_length("password_hash") = ${HASH_LENGTH})`,
        },
      ],
      foreignKeys: [],
      serialized: [],
      indexes: [
        {
          name: constraintName(table, ['email'], 'key'),
          unique: true,
          // Addresses are ASCII: the collation keeps the letters of other languages out of it.
          definition: '(lower("email" COLLATE "C"))',
        },
      ],
    },
  ]
}
