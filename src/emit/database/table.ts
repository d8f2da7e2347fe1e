import type { ConstraintKind } from './identifiers.ts'

/** A table of a service's database. */
export interface Table {
  /** Not quoted. */
  readonly name: string
  /** What is stored in it, as declared: `Home`, `Home.Room`. */
  readonly entity: string
  /** The table's name before a rename (`#was`). */
  readonly was?: string | undefined
  /** Empty without a doc comment. */
  readonly documentation: string
  readonly columns: readonly Column[]
  readonly constraints: readonly Constraint[]
  /** Foreign keys to tables that may come later in the script or that reference each other. */
  readonly foreignKeys: readonly Constraint[]
  readonly indexes: readonly Index[]
  /** Columns for which writes of equal values are serialized. */
  readonly serialized: readonly SerializedColumn[]
}

/** A text or bytea column with an exclusion constraint. */
export interface SerializedColumn {
  readonly name: string
  readonly type: 'text' | 'bytea'
}

/** A column. `type` is an SQL type. */
export interface Column {
  readonly name: string
  /** The attribute as declared: `nightlyRate`. `undefined` for a column that Portico adds. */
  readonly attribute?: string | undefined
  /** The column's name before a rename (`@was`). */
  readonly was?: string | undefined
  readonly type: string
  /** Whether it can be NULL. */
  readonly nullable?: true | undefined
  /** The SQL of the attribute's default, which existing rows get when a migration adds the column. */
  readonly default?: string | undefined
  /** What its CHECK constraint compares with, inclusive; `null` without a bound. */
  readonly bounds?: Bounds | undefined
  /** The values that its CHECK constraint allows; `undefined` if it does not list them. */
  readonly values?: readonly string[] | undefined
  readonly documentation: string
}

/** The least and the greatest number, length or size, as decimal numbers. */
export type Bounds = readonly [min: string | null, max: string | null]

/** A constraint. `definition` is the part after its name: `PRIMARY KEY ("id")`. */
export interface Constraint {
  readonly name: string
  readonly kind: Extract<ConstraintKind, 'pkey' | 'key' | 'fkey' | 'check'>
  /** The columns of this table that it concerns. */
  readonly columns: readonly string[]
  readonly definition: string
}

/** An index. `definition` is the part after the table's name: `("_owner", "id")`. */
export interface Index {
  readonly name: string
  readonly unique: boolean
  readonly columns: readonly string[]
  readonly definition: string
}
