import { type MigrationFile, migrationNumber, migrationStates } from '../../migration/migration-file.ts'
import { EMPTY_STATE } from '../../migration/states.ts'
import { serviceOfDatabase } from '../../naming.ts'
import type { Database } from '../database/databases.ts'
import { initialMigration } from './initial.ts'
import { schemaHash } from '../database/hash.ts'
import { migrationFiles } from './files.ts'
import { formatSchema, parseSchema } from './recorded-schema.ts'
import { changeSchema, needsMigration } from './schema-change.ts'
import type { BackfillOf, SchemaChange } from './steps.ts'

/** What is in a `migrations` directory. */
export interface MigrationFolder {
  /** `home-db/migrations` */
  readonly path: string
  /** Every file but `schema.json`. */
  readonly files: readonly MigrationFile[]
  /** The text of `schema.json`; `undefined` without it. */
  readonly schema: string | undefined
}

/** The migrations of a database after a generation. */
export interface MigrationPlan {
  /** The files that are there, unchanged. */
  readonly kept: readonly MigrationFile[]
  readonly added: readonly MigrationFile[]
  readonly schema: string
  /** `undefined` for the first migration. */
  readonly change: SchemaChange | undefined
}

/** The name of the file with the schema that migrations lead to. */
export const SCHEMA_FILE = 'schema.json'

const FIRST_FILE = '0001_initial.sql'

/**
 * Plans the migrations that lead from the recorded schema to that of the definition. Returns a sentence if the files
 * are not a chain that Portico can go on from.
 */
export function planMigrations(
  { service, directory, tables }: Database,
  folder: MigrationFolder,
  backfillOf?: BackfillOf,
): MigrationPlan | string {
  const hash = schemaHash(tables)
  if (folder.files.length === 0 && folder.schema === undefined)
    return {
      kept: [],
      added: [{ name: FIRST_FILE, content: initialMigration({ service, tables }) }],
      schema: formatSchema({ service, state: hash, tables }),
      change: undefined,
    }
  const problem = folderProblem(folder)
  const recorded = parseSchema(folder.schema ?? '')
  if (problem !== undefined) return problem
  if (recorded === undefined) throw new Error(`${folder.path}/${SCHEMA_FILE} was not checked`)
  const change = changeSchema(recorded.tables, tables, backfillOf)
  const kept = folder.files
  if (!needsMigration(change)) {
    const schema = recorded.removed ? formatSchema({ service, state: recorded.state, tables }) : folder.schema
    return { kept, added: [], schema: schema ?? '', change }
  }
  const number = Math.max(...kept.map(({ name }) => migrationNumber(name))) + 1
  const kebab = serviceOfDatabase(directory)
  const added = migrationFiles(change, { number, state: recorded.state, service: kebab, hash })
  const state = migrationStates(added.at(-1)?.content ?? '')?.to ?? hash
  return { kept, added, schema: formatSchema({ service, state, tables }), change }
}

/** Says what is wrong with the files of a directory; `undefined` if they are a chain that ends at `schema.json`. */
export function folderProblem({ path, files, schema }: MigrationFolder): string | undefined {
  const foreign = files.find(({ name }) => !/^\d{4,}_[^/]+\.sql$/.test(name))
  if (foreign !== undefined)
    return `\`${path}/${foreign.name}\` is not a migration. Migrations have names such as \`0002_add_city.sql\``
  const sorted = files.toSorted((a, b) => migrationNumber(a.name) - migrationNumber(b.name))
  let state = EMPTY_STATE
  let previous = ''
  for (const [index, { name, content }] of sorted.entries()) {
    if (conflicts(content)) return conflictProblem(path, name)
    const header = migrationStates(content)
    if (header === undefined) return `\`${path}/${name}\` has no line \`-- schema: <state> -> <state>\``
    if (index > 0 && migrationNumber(name) === migrationNumber(previous))
      return `\`${previous}\` and \`${name}\` in ${path} have the same number. Run \`portico migration rebase <file> --onto <branch>\`, which keeps the numbers of that branch and changes the others`
    if (migrationNumber(name) !== index + 1)
      return `${path} has no migration ${String(index + 1).padStart(4, '0')}. Restore it from version control`
    if (header.from !== state)
      return `\`${path}/${name}\` does not start from the schema that ${previous === '' ? 'an empty database has' : `\`${previous}\` leads to`}. If it comes from another branch, run \`portico migration rebase <file> --onto <branch>\``
    state = header.to
    previous = name
  }
  if (sorted.length === 0) return `${path} has no migration 0001. Restore it from version control`
  const file = `${path}/${SCHEMA_FILE}`
  if (schema === undefined) return `\`${file}\` is missing. Restore it from version control`
  if (conflicts(schema))
    return `\`${file}\` contains a merge conflict. Run \`portico migration rebase <file>\`, which rewrites it`
  const recorded = parseSchema(schema)
  if (recorded === undefined)
    return `\`${file}\` is damaged. Restore it from version control, or run \`portico migration rebase <file>\``
  if (recorded.state !== state)
    return `\`${file}\` is not the schema that \`${previous}\` leads to. Restore it from version control, or run \`portico migration rebase <file>\``
  return undefined
}

/** Says what to do if both branches have a file of the same name, which cannot be renumbered. */
export function conflictProblem(path: string, name: string): string {
  return `\`${path}/${name}\` contains a merge conflict. Restore ${path} from the branch that is deployed, without the files of the other one, then run \`portico generate\``
}

/** Whether version control could not merge a text. */
export function conflicts(text: string): boolean {
  return /^<{7} /m.test(text)
}
