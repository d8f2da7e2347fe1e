import { constraint, constraintName } from './identifiers.ts'
import type { Column, Table } from './table.ts'

/** The table of the keys of requests (`#idempotent`). No entity's begins with `_`. */
export const KEYS_TABLE = '_keys'

const column = (name: string, type: string, documentation: string, nullable?: true): Column => ({
  name,
  type,
  documentation,
  nullable,
})

/** The table of requests with a key, each by the caller and the key. */
export function keysTable(service: string): Table {
  return {
    name: KEYS_TABLE,
    entity: `${service}.#idempotent`,
    documentation: 'Requests with an Idempotency-Key, and their responses.',
    columns: [
      column('caller', 'uuid', 'The id of the token; the nil UUID without authentication.'),
      column('key', 'text', 'As sent.'),
      column('hash', 'bytea', 'SHA-256 of the path and the body.'),
      column('claim', 'uuid', 'Identifies the request that runs or ran.'),
      column('expires', 'timestamptz', 'When the request may be sent again, or the response is removed.'),
      column('status', 'integer', 'Of the response; NULL while the request runs.', true),
      column('headers', 'text', 'Of the response, as JSON.', true),
      column('body', 'text', 'Of the response.', true),
    ],
    constraints: [constraint(KEYS_TABLE, ['caller', 'key'], { kind: 'pkey' })],
    foreignKeys: [],
    indexes: [
      {
        name: constraintName(KEYS_TABLE, ['expires'], 'idx'),
        unique: false,
        keys: [{ column: 'expires' }],
      },
    ],
    serialized: [],
  }
}
