import { constraintName, identifier, UPDATED_COLUMN } from '../database/identifiers.ts'
import { serializeWrites } from '../database/sql.ts'
import { hasTimestamps, updateTimestampTrigger } from '../database/timestamps.ts'
import type { SchemaChange, TablePair } from './steps.ts'

/** Drops the trigger that serializes writes, if it changes: a column that it uses can be neither retyped nor dropped. */
export function dropWriteLockTrigger(change: SchemaChange, pair: TablePair): void {
  if (!isChanged(pair)) return
  change.expand.start.push(...dropTrigger(pair).map((sql) => ({ sql })))
  change.direct.push(...dropTrigger(pair))
}

/** Creates it again. Until the contract phase it uses removed columns as well. */
export function createWriteLockTrigger(change: SchemaChange, pair: TablePair): void {
  if (!isChanged(pair)) return
  const { before, after } = pair
  const wanted = serializeWrites(after.name, after.serialized)
  change.direct.push(...wanted)
  const names = new Set(after.columns.map(({ name }) => name))
  const removed = before.serialized.filter(({ name }) => !names.has(name))
  const all = serializeWrites(after.name, [...after.serialized, ...removed])
  const description = `Serializes writes of equal values to ${after.name}.`
  change.expand.start.push(...all.map((sql) => ({ sql, description })))
  if (removed.length > 0)
    change.contract.start.push(...[...dropTrigger(pair), ...wanted].map((sql) => ({ sql })))
}

/** Creates the trigger of `#timestamps`, or drops it before its columns. */
export function changeTimestampTrigger(change: SchemaChange, { before, after }: TablePair): void {
  const [had, has] = [hasTimestamps(before), hasTimestamps(after)]
  if (had === has) return
  const description = `Sets ${UPDATED_COLUMN} of ${after.name} on each change.`
  const step = has
    ? { sql: updateTimestampTrigger(after.name), description }
    : {
        sql: dropping(after.name, 'touch'),
        description: `Drops the trigger that maintained ${UPDATED_COLUMN}.`,
      }
  change[has ? 'expand' : 'contract'].start.push(step)
  change.direct.push(step.sql)
}

function isChanged({ before, after }: TablePair): boolean {
  const types = new Map(before.columns.map(({ name, type }) => [name, type]))
  return (
    JSON.stringify(before.serialized) !== JSON.stringify(after.serialized) ||
    after.columns.some(
      ({ name, type }) =>
        types.get(name) !== type && after.serialized.some((serialized) => serialized.name === name),
    )
  )
}

function dropTrigger({ before, after }: TablePair): string[] {
  if (before.serialized.length === 0) return []
  return [dropping(after.name, 'serialize')]
}

function dropping(table: string, kind: 'serialize' | 'touch'): string {
  const name = identifier(constraintName(table, [], kind))
  return `DROP TRIGGER ${name} ON ${identifier(table)};\nDROP FUNCTION ${name}();`
}
