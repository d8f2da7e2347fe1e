/** A table of a service's database. */
export interface Table {
  /** Not quoted. */
  readonly name: string
  /** Empty without a doc comment. */
  readonly documentation: string
  /** All are NOT NULL. */
  readonly columns: readonly Column[]
  readonly constraints: readonly Constraint[]
  /** References to tables that may come later in the script, or whose references form a circle. */
  readonly foreignKeys: readonly Constraint[]
  readonly indexes: readonly Index[]
  /** Columns whose equal values are written one after the other. */
  readonly serialized: readonly SerializedColumn[]
}

/** A column with an exclusion constraint; its values are texts or bytes. */
export interface SerializedColumn {
  readonly name: string
  readonly type: 'text' | 'bytea'
}

/** A column; `type` as SQL writes it. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly documentation: string
}

/** A constraint; `definition` is what follows its name: `PRIMARY KEY ("id")`. */
export interface Constraint {
  readonly name: string
  readonly definition: string
}

/** An index; `definition` is what follows the table's name: `("_owner", "id")`. */
export interface Index {
  readonly name: string
  readonly unique: boolean
  readonly definition: string
}
