import type { Platform } from '../../model/platform.ts'
import { databases } from './databases.ts'
import type { Table } from './table.ts'

/** All schemas of a project as plain JSON: what the manifest keeps to compare the next generation with. */
export interface SchemaSnapshot {
  readonly databases: readonly DatabaseSnapshot[]
}

/** One database. */
export interface DatabaseSnapshot {
  /** Directory of its script: `home-db`. It identifies the database. */
  readonly directory: string
  /** Declared name of its service. */
  readonly service: string
  readonly tables: readonly TableSnapshot[]
}

/** One table. Documentation and the order of columns are left out: they change nothing that is stored. */
export interface TableSnapshot {
  readonly name: string
  /** SQL type by column. */
  readonly columns: Readonly<Record<string, string>>
  /** SQL definition of constraints, foreign keys and indexes by name. */
  readonly constraints: Readonly<Record<string, string>>
}

/** The schemas of a platform's databases. */
export function schemaSnapshot(platform: Platform): SchemaSnapshot {
  return {
    databases: databases(platform).map(({ directory, service, tables }) => ({
      directory,
      service,
      tables: tables.map(tableSnapshot),
    })),
  }
}

function tableSnapshot({ name, columns, constraints, foreignKeys, indexes }: Table): TableSnapshot {
  return {
    name,
    columns: Object.fromEntries(columns.map((column) => [column.name, column.type])),
    constraints: Object.fromEntries([
      ...[...constraints, ...foreignKeys].map((constraint) => [constraint.name, constraint.definition]),
      ...indexes.map((index) => [index.name, `${index.unique ? 'UNIQUE ' : ''}INDEX ${index.definition}`]),
    ]),
  }
}
