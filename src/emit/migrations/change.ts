import { identifier } from '../database/identifiers.ts'
import { dropConstraint } from '../database/sql.ts'
import type { Column, Constraint, Table } from '../database/table.ts'

/** A difference between two schemas: how it is made, and what the user has to know about it. */
export interface Change {
  /** What it is called in the names of files: `add_city_to_home`. */
  readonly slug?: string
  /** The files before the new code starts. */
  readonly expand?: Phase
  /** The files after the previous code has ended. */
  readonly contract?: Phase
  /** What `dev` does instead of both phases, in one transaction while no code runs. */
  readonly direct?: Pick<Phase, 'start' | 'drops'>
  /** What is lost, by name: `Home.rate`. */
  readonly losses?: readonly string[]
  /** The values that an attribute can no longer have. A row that has one fails the change, or the user converts it. */
  readonly removedValues?: readonly RemovedValues[]
  /** What keeps rows or values if new ones are the same: `` write `#was(Room)` in `Home.Chamber` if it was renamed ``. */
  readonly renames?: readonly string[]
  readonly added?: TableColumn
  readonly removed?: TableColumn
  /** A new required attribute whose value in existing rows only the user knows. */
  readonly missing?: TableColumn
  /** A newly required one: rows without a value do not allow the change. */
  readonly required?: TableColumn
  /** An attribute whose values are an expression that the user has to write or, if it converts old ones, to check. */
  readonly expression?: TableColumn & { readonly converts: boolean }
  /** Why it cannot be done in one change, as a sentence. */
  readonly problem?: string
  /** Whether the previous code stops working before the contract phase. */
  readonly isBreaking?: true
}

/** Values that an attribute can no longer have: `Ticket.state`, `its value pending`. */
export interface RemovedValues {
  readonly attribute: string
  readonly values: string
}

/** The steps of one phase. Each list follows the one before, those of all changes together. */
export interface Phase {
  /** Counts rows that do not allow the change, and fails if it finds any. */
  readonly guards?: readonly MigrationStep[]
  /** In the transaction of the guards. */
  readonly start?: readonly MigrationStep[]
  /** The same, after what other changes do. */
  readonly drops?: readonly MigrationStep[]
  /** Each outside of a transaction, and repeatable. */
  readonly outside?: readonly MigrationStep[]
  /** In a transaction of their own, because what they check must be visible to all before. */
  readonly validate?: readonly MigrationStep[]
  readonly end?: readonly MigrationStep[]
}

/** A statement of a migration, and what the header of its file says about it. */
export interface MigrationStep {
  readonly sql: string
  /** What it does, as a sentence. */
  readonly description?: string | undefined
  /** The lock on a whole table that it holds for longer than a moment. */
  readonly lock?: TableLock
  /** What it locks otherwise, as a sentence. */
  readonly lockNote?: string
  /** The table that nothing else can read until the transaction ends. */
  readonly alters?: string
  /** The table of which it reads all rows. */
  readonly reads?: string
  /** What it loses, as a sentence. */
  readonly dataLossNote?: string
}

/** A lock on a whole table. */
export interface TableLock {
  readonly table: string
  readonly blocks: 'writes' | 'reads and writes'
  /** `while an index is built` */
  readonly time: string
  /** `about 2 s for 1,000,000 rows` */
  readonly duration: string
}

/** A column of a table. */
export interface TableColumn {
  readonly table: Table
  readonly column: Column
}

/** The same table before and after a change, the former with the new name. */
export interface TablePair {
  readonly before: Table
  readonly after: Table
}

/** A column before and after a change. */
export interface ColumnPair {
  readonly from: Column
  readonly column: Column
}

/** How long Postgres takes on an ordinary disk to rewrite rows. */
export const REWRITE_DURATION = 'about 3 s for 1,000,000 rows'

/** How an attribute becomes required of which each row needs a value of its own: to follow `or`. */
export const REQUIRE_LATER = 'make it optional, give each row a value, then make it required'

/** How long it takes to build an index, or to look at all rows. */
const INDEX_DURATION = 'about 2 s for 1,000,000 rows'

/** A lock for a time such as `while an index is built`. */
export function lockOf(
  { name: table }: Pick<Table, 'name'>,
  blocks: TableLock['blocks'],
  time: string,
  duration: string = INDEX_DURATION,
): TableLock {
  return { table, blocks, time, duration }
}

/** An attribute by name: `Home.city`; a column that Portico adds: `Home._owner`. */
export function columnLabel({ entity }: Pick<Table, 'entity'>, { attribute, name }: Column): string {
  return `${entity}.${attribute ?? name}`
}

/** Alters a table, which locks it for a moment. */
export function alterTable({ name }: Table, action: string, description?: string): MigrationStep {
  return { sql: `ALTER TABLE ${identifier(name)} ${action};`, description, alters: name }
}

/** Drops a constraint of a table. */
export function dropConstraintOf(
  table: Table,
  each: Pick<Constraint, 'name'>,
  description?: string,
): MigrationStep {
  return { sql: dropConstraint(table.name, each), description, alters: table.name }
}

/** What dropping a constraint means, as a sentence. */
export function describeRelaxed({ name }: Table, { kind, columns }: Constraint): string {
  const names = `${columns.join(', ')} of ${name}`
  if (kind === 'key') return `No longer requires unique values of ${names}.`
  return kind === 'fkey' ? `No longer checks the references in ${names}.` : `Removes the bounds of ${names}.`
}

/** Checks the existing rows against a constraint that was added without that. */
export function validateConstraint(
  { name: table }: Table,
  { name }: Pick<Constraint, 'name'>,
): MigrationStep {
  return {
    sql: `ALTER TABLE ${identifier(table)} VALIDATE CONSTRAINT ${identifier(name)};`,
    description: `Checks the existing rows of ${table} against its new rules.`,
    lockNote: `Reads and writes of ${table} continue.`,
  }
}

/** The statements for a database that only `dev` uses, in one transaction. */
export function directStatements(changes: readonly Change[]): string[] {
  const phases = changes.flatMap(({ expand = {}, contract = {}, direct }) => direct ?? [expand, contract])
  const steps = [
    ...phases.flatMap(({ guards = [], start = [], outside = [], validate = [], end = [] }: Phase) => [
      ...guards,
      ...start,
      ...outside,
      ...validate,
      ...end,
    ]),
    ...phases.flatMap(({ drops = [] }) => drops),
  ]
  return steps.map(({ sql }) => sql).filter((sql) => sql !== '')
}
