import type { ValueNames } from './former-columns.ts'
import { AUTHENTICATION } from '../../naming.ts'
import type { Column, Constraint, Table } from '../database/table.ts'

/** A statement of a migration, and what the header of its file says about it. */
export interface MigrationStep {
  readonly sql: string
  /** What it does, as a sentence. */
  readonly description?: string
  /** The lock on the whole table that it holds for longer than a moment, as a sentence. */
  readonly tableLock?: string
  /** What it locks otherwise, as a sentence. */
  readonly lockNote?: string
  /** The table of which it reads all rows. */
  readonly reads?: string
  /** What it loses, as a sentence. */
  readonly dataLossNote?: string
}

/** The steps before the new code starts, or after the previous code has ended. Each list follows the one before. */
export interface Phase {
  /** Counts rows that do not allow the change, and fails if it finds any. */
  readonly guards: MigrationStep[]
  /** In the transaction of the guards. */
  readonly start: MigrationStep[]
  /** Each outside of a transaction, and repeatable. */
  readonly outside: MigrationStep[]
  /** In a transaction of their own, because what they check must be visible to all before. */
  readonly validate: MigrationStep[]
  readonly end: MigrationStep[]
}

/** A required attribute whose value in existing rows only the user knows. */
export interface MissingValue {
  /** `Home.city`, as `--backfill` names it. */
  readonly attribute: string
  readonly table: string
  readonly column: string
  readonly type: string
}

/** An expression in a migration that the user has to write or, if it converts the values of an old type, to check. */
export interface Expression {
  /** `Home.city` */
  readonly attribute: string
  readonly converts: boolean
}

/** How one schema becomes another. */
export interface SchemaChange {
  readonly expand: Phase
  readonly contract: Phase
  /** The statements for a database that only `dev` uses, in one transaction. */
  readonly direct: string[]
  /** What changes, for the names of files: `add_city_to_home`. */
  readonly slugs: string[]
  /** What is lost, by name: `Home.rate`. */
  readonly losses: string[]
  /**
   * The values that attributes can no longer have, by name: `Ticket.state (its value pending)`. A row that has one fails
   * the change, or has it converted by the user.
   */
  readonly removedValues: string[]
  /**
   * What keeps the rows of a struct, or a value of an `enum`, if a new one is the same: `` write `#was(Room)` in
   * `Home.Chamber` if it was renamed ``.
   */
  readonly renames: string[]
  readonly missing: MissingValue[]
  /** What is newly required: rows without a value do not allow the change. */
  readonly required: MissingValue[]
  readonly expressions: Expression[]
  /** What cannot be done in one change, as sentences. */
  readonly problems: string[]
  /** Whether the previous code works until the contract phase. */
  compatible: boolean
}

/** A change without steps. */
export function emptyChange(): SchemaChange {
  return {
    expand: emptyPhase(),
    contract: emptyPhase(),
    direct: [],
    slugs: [],
    losses: [],
    removedValues: [],
    renames: [],
    missing: [],
    required: [],
    expressions: [],
    problems: [],
    compatible: true,
  }
}

function emptyPhase(): Phase {
  return { guards: [], start: [], outside: [], validate: [], end: [] }
}

/** The same table before and after a change, the former with the new name. */
export interface TablePair {
  readonly before: Table
  readonly after: Table
}

/** The columns of a table that differ, by the names that constraints use. */
export interface ChangedColumns {
  readonly added: ReadonlySet<string>
  /** Added columns whose values the user has to write. */
  readonly written: ReadonlySet<string>
  /** The old name of each renamed column. */
  readonly renamed: ReadonlyMap<string, string>
  /** The names of the values of each renamed column that is an `enum`. */
  readonly valueNames: ReadonlyMap<string, ValueNames>
  /** They have lost their constraints. */
  readonly retyped: ReadonlySet<string>
  /** Retyped columns that are new ones, without indexes. */
  readonly replaced: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
  /** They could be NULL before. The values are what rows without one get, as SQL, by their former names. */
  readonly required: ReadonlyMap<string, string | undefined>
  /** Adds the steps that forbid NULL, after the old bounds are gone and before the new keys are added. */
  readonly require: () => void
  /** Adds the steps that drop columns, which come last. */
  readonly drop: () => void
}

/** Returns the value of existing rows for a new or newly required attribute as SQL; `undefined` if the user has not said it. */
export type BackfillOf = (attribute: string, column: Column) => string | undefined

/** How long Postgres takes on an ordinary disk to rewrite rows. */
export const REWRITE_DURATION = 'about 3 s for 1,000,000 rows'

/** An attribute by name: `Home.city`; a column that Portico adds: `Home._owner`. */
export function columnLabel({ entity }: Table, { attribute, name }: Column): string {
  return `${entity}.${attribute ?? name}`
}

/** What dropping a constraint means, as a sentence. */
export function describeRelaxed(table: string, { kind, columns }: Constraint): string {
  const names = `${columns.join(', ')} of ${table}`
  if (kind === 'key') return `No longer requires unique values of ${names}.`
  return kind === 'fkey' ? `No longer checks the references in ${names}.` : `Removes the bounds of ${names}.`
}

/** How an attribute becomes required of which each row needs a value of its own: to follow `or`. */
export const REQUIRE_LATER = 'make it optional, give each row a value, then make it required'

/** What keeps the data of a removed struct or service if an added one is the same. */
export function renameHelp(was: string, now: string): string {
  return `write \`#was(${was})\` in \`${now}\` if it was renamed`
}

/**
 * Services that are gone, each with a new one that may be the same. The authentication service, which the definition
 * does not declare, is never renamed.
 */
export function possibleRenames(
  removed: readonly string[],
  added: readonly string[],
): (readonly [was: string, now: string])[] {
  const declared = added.filter((name) => name !== AUTHENTICATION)
  return removed
    .filter((name) => name !== AUTHENTICATION)
    .flatMap((was, index) => {
      const now = declared[index]
      return now === undefined ? [] : [[was, now] as const]
    })
}
