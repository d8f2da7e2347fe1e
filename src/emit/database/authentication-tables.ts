import type { Authentication } from '../../model/platform.ts'
import { constraint, constraintName } from './identifiers.ts'
import type { Table } from './table.ts'

/** Length of a bcrypt hash. */
const HASH_LENGTH = 60
/** RFC 5321, section 4.5.3.1.3, less the angle brackets of a path. */
const MAX_EMAIL_BYTES = 254

const ROLES = {
  name: 'roles',
  type: 'text[]',
  default: `'{}'`,
  documentation: 'The roles that the tokens of the user carry.',
}

/** The table of user accounts. */
export function authenticationTables({ table, names, roles }: Authentication): Table[] {
  return [
    {
      name: table,
      entity: names.declared,
      documentation: 'User accounts.',
      columns: [
        { name: 'id', type: 'uuid', documentation: 'The `id` of the tokens of the user.' },
        { name: 'email', type: 'text', documentation: 'As registered. Compared without regard to case.' },
        { name: 'password_hash', type: 'text', documentation: 'Salted bcrypt hash.' },
        ...(roles.length === 0 ? [] : [ROLES]),
      ],
      constraints: [
        constraint(table, [], { kind: 'pkey' }),
        constraint(table, ['email'], {
          kind: 'check',
          check: { kind: 'bytes', max: `${MAX_EMAIL_BYTES}` },
        }),
        constraint(table, ['password_hash'], {
          kind: 'check',
          check: { kind: 'characters', min: `${HASH_LENGTH}`, max: `${HASH_LENGTH}` },
        }),
      ],
      foreignKeys: [],
      serialized: [],
      indexes: [
        {
          name: constraintName(table, ['email'], 'key'),
          unique: true,
          // Addresses are ASCII, so comparing by code point is sufficient.
          keys: [{ column: 'email', isText: true, ignoresCase: true }],
        },
      ],
    },
  ]
}
