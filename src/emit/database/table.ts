import type { ColumnCheck } from '../../model/columns.ts'
import type { Attribute } from '../../model/platform.ts'

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
  /** Renamed values, each with its former name. */
  readonly formerValues?: Attribute['formerValues']
  readonly type: string
  /** Whether it can be NULL. */
  readonly nullable?: true | undefined
  /** The SQL of the attribute's default, which existing rows get when a migration adds the column. */
  readonly default?: string | undefined
  /** What its CHECK constraint requires. */
  readonly check?: ColumnCheck | undefined
  readonly documentation: string
}

/** A constraint of a table. */
export type Constraint = ConstraintRule & {
  readonly name: string
  /** The columns of this table that it concerns. */
  readonly columns: readonly string[]
}

/** What a constraint requires of its columns. */
export type ConstraintRule =
  /** They, or `id`, are the primary key. */
  | { readonly kind: 'pkey' }
  /** Their values are unique. `isHashed`: they may be too long for a B-tree index. */
  | { readonly kind: 'key'; readonly isHashed?: true }
  /**
   * The only one is the id of a row in a table. `sameParent`: which has the same parent. `cascades`: its row is deleted
   * with that one.
   */
  | { readonly kind: 'fkey'; readonly table: string; readonly sameParent?: true; readonly cascades?: true }
  /** The value of the only column passes a check. */
  | { readonly kind: 'check'; readonly check: ColumnCheck }

/** An index. */
export interface Index {
  readonly name: string
  readonly unique: boolean
  readonly keys: readonly IndexKey[]
  /** The SQL of the condition of the rows that it contains; all without one. */
  readonly where?: string
}

/** A column of an index. */
export interface IndexKey {
  readonly column: string
  /** Compares text by code point. */
  readonly isText?: true
  readonly isDescending?: true
  /** Compares text without regard to case. */
  readonly ignoresCase?: true
}
