import type { Database } from '../../../src/emit/database/databases.ts'
import type { Column, Table } from '../../../src/emit/database/table.ts'
import { type Attribute, combinationsOf, defaultOf, type Definition, type Entity } from './walk-definition.ts'
import { allows, converted, NOW, sqlType, valuesOf } from './walk-values.ts'

/** A row of the model. Values as Postgres prints them, by the number of the attribute; `undefined` for NULL. */
export interface Row {
  readonly id: string
  readonly owner: string | undefined
  readonly parent: string | undefined
  readonly values: ReadonlyMap<number, string | undefined>
}

/** Rows by the number of the entity. */
export type Rows = ReadonlyMap<number, readonly Row[]>

/** The rows after a change, and what makes its migration fail. */
export interface Expectation {
  readonly rows: Rows
  /** Beginnings of messages. None if the migration succeeds. */
  readonly failures: readonly string[]
  /** Values that somebody has to write, as SQL by table and column. */
  readonly written: ReadonlyMap<string, string>
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
const OWNER = '00000000-0000-7000-8000-00000000000a'

/** The value that a new or newly required attribute gets in rows that have none; `undefined` if nobody says one. */
export function backfillOf(attribute: Attribute, isNew: boolean): string | undefined {
  const isAnswered = isNew || attribute.uid % 2 === 0
  return isAnswered ? valuesOf(attribute.type)[0] : undefined
}

/** The stored attributes of an entity. */
export function stored({ attributes }: Entity): Attribute[] {
  return attributes.filter(({ visibility }) => visibility !== 'client')
}

function rowsOf(rows: Rows, uid: number): readonly Row[] {
  return rows.get(uid) ?? []
}

function withRow(rows: Rows, uid: number, row: Row): Rows {
  return new Map(rows).set(uid, [...rowsOf(rows, uid), row])
}

/** The entries that a row with this parent can refer to. */
function siblings(rows: Rows, target: number, parent: string | undefined): string[] {
  return rowsOf(rows, target).flatMap((row) => (row.parent === parent ? [row.id] : []))
}

/** How often a row is tried whose values are not unique together. */
const TRIES = 3

/**
 * Adds a row that a definition allows; none if there is no such row. `isWanted` is asked about each value, `areWanted`
 * about the rows with it. Numbers above all others make new ids.
 */
export function addRow(
  rows: Rows,
  { entities, authentication }: Definition,
  entity: Entity,
  { number, salt }: { number: number; salt: number },
  {
    isWanted,
    areWanted,
  }: {
    isWanted: (attribute: Attribute, value: string | undefined, parent: string | undefined) => boolean
    areWanted: (rows: Rows) => boolean
  },
): Rows {
  for (let shift = 0; shift < TRIES; shift++) {
    const row = rowOf(rows, { entities, authentication }, entity, { number, salt: salt + shift }, isWanted)
    if (row === undefined) continue
    const added = withRow(rows, entity.uid, row)
    if (repeated(entity, rowsOf(added, entity.uid)).size === 0 && areWanted(added)) return added
  }
  return rows
}

function rowOf(
  rows: Rows,
  { entities, authentication }: Pick<Definition, 'entities' | 'authentication'>,
  entity: Entity,
  { number, salt }: { number: number; salt: number },
  isWanted: (attribute: Attribute, value: string | undefined, parent: string | undefined) => boolean,
): Row | undefined {
  const [{ uid: root }] = entities
  const homes = rowsOf(rows, root)
  const parent = entity.uid === root ? undefined : homes[(number + salt) % Math.max(1, homes.length)]?.id
  if (entity.uid !== root && parent === undefined) return undefined
  const values = new Map<number, string | undefined>()
  for (const attribute of stored(entity)) {
    const { uid, type, unique, optional } = attribute
    const all = type.kind === 'sibling' ? siblings(rows, type.target, parent) : valuesOf(type)
    const taken = new Set(unique ? rowsOf(rows, entity.uid).map((row) => row.values.get(uid)) : [])
    const free = all.filter((value) => !taken.has(value) && isWanted(attribute, value, parent))
    const isAbsent = optional && (free.length === 0 || (number + uid + salt) % 3 === 0)
    const value =
      isAbsent && isWanted(attribute, undefined, parent)
        ? undefined
        : free[(number * 7 + uid * 3 + salt) % Math.max(1, free.length)]
    if (value === undefined && !(isAbsent && isWanted(attribute, undefined, parent))) return undefined
    values.set(uid, value)
  }
  const digits = (amount: number): string => String(amount).padStart(6, '0')
  return {
    id: `00000000-0000-7000-8000-${digits(entity.uid)}${digits(number)}`,
    owner: entity.uid === root && authentication ? OWNER : undefined,
    parent,
    values,
  }
}

/** For each combination that must be unique, by the names of its members, how many rows share theirs with another. */
function repeated(entity: Entity, rows: readonly Row[]): Map<readonly (Attribute | 'parent')[], number> {
  return new Map(
    combinationsOf(entity).flatMap((members) => {
      const keys = rows.flatMap(({ parent, values }) => {
        const found = members.map((each) => (each === 'parent' ? parent : values.get(each.uid)))
        return found.includes(undefined) ? [] : [JSON.stringify(found)]
      })
      const count = keys.filter((key) => keys.indexOf(key) !== keys.lastIndexOf(key)).length
      return count === 0 ? [] : [[members, count] as const]
    }),
  )
}

/** Whether a value can stay when the definition changes, beside the rows that there are then. */
export function survives(
  [before, after]: readonly [Definition, Definition],
  rows: Rows,
  attribute: Attribute,
  value: string | undefined,
  parent: string | undefined,
): boolean {
  const entity = before.entities.find(({ attributes }) => attributes.includes(attribute))
  const next = after.entities.find(({ uid }) => uid === entity?.uid)
  const then = next === undefined ? undefined : stored(next).find(({ uid }) => uid === attribute.uid)
  if (next === undefined || then === undefined) return true
  if (value === undefined && then.optional) return true
  const result = value === undefined ? valueOfEmpty(then) : converted(value, attribute.type, then.type)
  if (result === undefined) return value !== undefined
  if (then.type.kind === 'sibling' && !siblings(rows, then.type.target, parent).includes(result)) return false
  const isTaken = then.unique && rowsOf(rows, next.uid).some((row) => row.values.get(then.uid) === result)
  return allows(then.type, result) && !isTaken
}

/** What a change makes of rows. `tables` are those before and after it. */
export function expectation(
  rows: Rows,
  [before, after]: readonly [Definition, Definition],
  tables: readonly [before: readonly Table[], after: readonly Table[]],
): Expectation {
  const result = new Map<number, Row[]>()
  const failures: string[] = []
  const written = new Map<string, string>()
  for (const entity of after.entities) {
    const was = before.entities.find(({ uid }) => uid === entity.uid)
    const table = tableOf(tables[1], after, entity)
    const formerName = ({ uid }: Attribute): string | undefined => {
      const from = was && stored(was).find((each) => each.uid === uid)
      return from && columnOf(tableOf(tables[0], before, was), from).name
    }
    const isRoot = entity === after.entities[0]
    const old = was === undefined ? [] : rowsOf(rows, entity.uid)
    // For references to entries of the same struct.
    result.set(entity.uid, [...old])
    const columns = stored(entity).map((attribute) => {
      const from = was === undefined ? undefined : stored(was).find(({ uid }) => uid === attribute.uid)
      const { values, isWritten } = columnValues(old, { entity, was }, { from, to: attribute }, result)
      const { name } = columnOf(table, attribute)
      if (isWritten) written.set(`${table.name}.${name}`, caseOf(old, values, sqlType(attribute.type)))
      // The files count before they rename, `dev` counts after it.
      for (const each of new Set([name, formerName(attribute) ?? name]))
        failures.push(...problemsOf(old, values, attribute, result, table.name, each))
      return { uid: attribute.uid, values }
    })
    const now = old.map(({ id, owner, parent }, index) => ({
      id,
      parent,
      owner: isRoot && after.authentication ? (owner ?? NOBODY) : undefined,
      values: new Map(columns.map(({ uid, values }) => [uid, values[index]])),
    }))
    result.set(entity.uid, now)
    for (const [members, count] of repeated(entity, now)) {
      const names = members.map((each) => (each === 'parent' ? '_parent' : columnOf(table, each).name))
      const former = members.map((each, index) =>
        each === 'parent' ? '_parent' : (formerName(each) ?? names[index]),
      )
      for (const each of new Set([names.join(', '), former.join(', ')]))
        failures.push(`Rows of ${table.name} share their ${each} with another row (${count})`)
      const isFilled = members.some((each) => each !== 'parent' && isRequired(each, was))
      if (isFilled) failures.push('duplicate key value violates unique constraint')
    }
  }
  return { rows: result, failures, written }
}

interface ColumnValues {
  readonly values: readonly (string | undefined)[]
  /** Whether one value for all rows, or the conversion that the migration proposes, would not do. */
  readonly isWritten: boolean
}

/** The value of rows without one when an attribute becomes required. They cannot share one that is unique. */
function valueOfEmpty(attribute: Attribute): string | undefined {
  return attribute.unique ? undefined : (backfillOf(attribute, false) ?? defaultOf(attribute))
}

function isRequired({ uid, optional }: Attribute, was: Entity | undefined): boolean {
  return !optional && was !== undefined && stored(was).some((each) => each.uid === uid && each.optional)
}

/** Whether a column of a new attribute cannot have one value in all rows. */
function needsExpression(attribute: Attribute, entity: Entity, was: Entity | undefined): boolean {
  const known = new Set(was === undefined ? [] : stored(was).map(({ uid }) => uid))
  return (
    attribute.unique ||
    attribute.type.kind === 'data' ||
    attribute.type.kind === 'sibling' ||
    combinationsOf(entity).some(
      (members) =>
        members.includes(attribute) && members.every((each) => each !== 'parent' && !known.has(each.uid)),
    )
  )
}

function columnValues(
  old: readonly Row[],
  { entity, was }: { entity: Entity; was: Entity | undefined },
  { from, to }: { from: Attribute | undefined; to: Attribute },
  rows: Rows,
): ColumnValues {
  const { type, uid, optional } = to
  const choices = (row: Row): string[] =>
    type.kind === 'sibling' ? siblings(rows, type.target, row.parent) : valuesOf(type)
  if (from === undefined) {
    const needsOwn = needsExpression(to, entity, was)
    const given = defaultOf(to)
    if (optional || !needsOwn) {
      const value = optional ? (needsOwn ? undefined : given) : (given ?? backfillOf(to, true))
      return { isWritten: false, values: old.map(() => value) }
    }
    return {
      isWritten: true,
      values: old.map((row, index) => {
        const all = choices(row)
        return all[index % Math.max(1, all.length)]
      }),
    }
  }
  const isWritten = old.some((row) => {
    const value = row.values.get(uid)
    return value !== undefined && converted(value, from.type, type) === undefined
  })
  return {
    isWritten,
    values: old.map((row, index) => {
      const value = row.values.get(uid)
      if (value === undefined) return optional ? undefined : valueOfEmpty(to)
      const all = isWritten ? choices(row) : []
      return isWritten ? (all[index % Math.max(1, all.length)] ?? NOBODY) : converted(value, from.type, type)
    }),
  }
}

function problemsOf(
  old: readonly Row[],
  values: readonly (string | undefined)[],
  { type, unique, optional }: Attribute,
  rows: Rows,
  table: string,
  column: string,
): string[] {
  const count = (isWrong: (value: string, row: Row) => boolean): number =>
    old.filter((row, index) => {
      const value = values[index]
      return value !== undefined && isWrong(value, row)
    }).length
  const counts: readonly (readonly [number, string])[] = [
    [optional ? 0 : values.filter((value) => value === undefined).length, `have no value for ${column}`],
    [count((value) => !allows(type, value)), `have values of ${column} that are no longer allowed`],
    [
      unique ? count((value) => values.filter((each) => each === value).length > 1) : 0,
      `share their ${column} with another row`,
    ],
    [
      type.kind === 'sibling'
        ? count((value, { parent }) => !siblings(rows, type.target, parent).includes(value))
        : 0,
      `have an unknown ${column}`,
    ],
  ]
  return counts.flatMap(([amount, what]) => (amount === 0 ? [] : [`Rows of ${table} ${what} (${amount})`]))
}

function caseOf(old: readonly Row[], values: readonly (string | undefined)[], type: string): string {
  const cases = old.flatMap(({ id }, index) => {
    const value = values[index]
    return value === undefined ? [] : [`WHEN '${id}' THEN '${value}'`]
  })
  return cases.length === 0 ? `NULL::${type}` : `(CASE id::text ${cases.join(' ')} END)::${type}`
}

/** The table of an entity. */
export function tableOf(tables: readonly Table[], { entities: [root] }: Definition, entity: Entity): Table {
  const name = entity === root ? root.name : `${root.name}.${entity.name}`
  const table = tables.find((each) => each.entity === name)
  if (table === undefined) throw new Error(`No table of ${name}`)
  return table
}

function columnOf(table: Table, { name }: Attribute): Column {
  const column = table.columns.find(({ attribute }) => attribute === name)
  if (column === undefined) throw new Error(`No column of ${name}`)
  return column
}

/** The records that the database must contain: by table, in the order of ids. */
export function recordsOf(
  rows: Rows,
  definition: Definition,
  { tables }: Pick<Database, 'tables'>,
): Map<string, Record<string, string | null>[]> {
  return new Map(
    definition.entities.map((entity) => {
      const table = tableOf(tables, definition, entity)
      const records = rowsOf(rows, entity.uid).map(({ id, owner, parent, values }) => ({
        id,
        ...(owner === undefined ? {} : { _owner: owner }),
        ...(parent === undefined ? {} : { _parent: parent }),
        ...Object.fromEntries(
          stored(entity).map((attribute) => [
            columnOf(table, attribute).name,
            values.get(attribute.uid) ?? null,
          ]),
        ),
      }))
      return [table.name, records.sort((a, b) => (a.id < b.id ? -1 : 1))]
    }),
  )
}

/** Statements that insert rows, those that others refer to first. */
export function insertions(records: ReadonlyMap<string, readonly Record<string, string | null>[]>): string {
  return Array.from(records, ([table, found]) =>
    found.map((record) => {
      const columns = Object.keys(record).map((name) => `"${name}"`)
      const values = Object.values(record).map((value) => (value === null ? 'NULL' : `'${value}'`))
      return `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${values.join(', ')});`
    }),
  )
    .flat()
    .join('\n')
}

/** Where a value is in the database. */
export type Place = readonly [table: string, column: string, id: string]

/** Replaces the times of a migration by those that the database has. */
export async function withTimes(
  rows: Rows,
  definition: Definition,
  timeOf: (...place: Place) => Promise<string>,
  { tables }: Pick<Database, 'tables'>,
): Promise<Rows> {
  const found = new Map<number, Row[]>()
  for (const entity of definition.entities) {
    const table = tableOf(tables, definition, entity)
    const settled: Row[] = []
    for (const row of rowsOf(rows, entity.uid)) {
      const values = new Map(row.values)
      for (const attribute of stored(entity))
        if (values.get(attribute.uid) === NOW)
          values.set(attribute.uid, await timeOf(table.name, columnOf(table, attribute).name, row.id))
      settled.push({ ...row, values })
    }
    found.set(entity.uid, settled)
  }
  return found
}
