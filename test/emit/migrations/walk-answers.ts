import type { Database } from '../../../src/emit/database/databases.ts'
import { identifier } from '../../../src/emit/database/identifiers.ts'
import type { BackfillOf } from '../../../src/emit/migrations/nullability.ts'
import type { Definition } from './walk-definition.ts'
import { backfillOf, stored, tableOf } from './walk-rows.ts'
import { sqlType } from './walk-values.ts'

/** A value for each new attribute that asks for one, and for some of those that become required. */
export function backfills(
  [before, definition]: readonly [Definition, Definition],
  { tables }: Database,
): BackfillOf {
  const known = new Set(before.entities.flatMap((entity) => stored(entity).map(({ uid }) => uid)))
  const values = new Map<string, string>(
    definition.entities.flatMap((entity) => {
      const { entity: label } = tableOf(tables, definition, entity)
      return stored(entity).flatMap((attribute) => {
        const value = backfillOf(attribute, !known.has(attribute.uid))
        const { name, type } = attribute
        return value === undefined ? [] : [[`${label}.${name}`, `'${value}'::${sqlType(type)}`] as const]
      })
    }),
  )
  return (attribute) => values.get(attribute)
}

/** Fills in what the files leave to their reader. */
export function withValues(sql: string, written: ReadonlyMap<string, string>): string {
  let text = sql
  for (const [place, value] of written) {
    const [table = '', column = ''] = place.split('.').map(identifier)
    const update = `UPDATE ${table} SET ${column} = `
    const alter = `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE `
    text = text
      .split('\n')
      .map((line) => {
        // The user leaves what fills in a value where there is none.
        if (line.startsWith(update) && !line.endsWith(` WHERE ${column} IS NULL;`))
          return `${update}${value};`
        // The statement for `dev`.
        return line.startsWith(alter) ? line.replace(/ USING .*;$/, () => ` USING ${value};`) : line
      })
      .join('\n')
  }
  return text
}
