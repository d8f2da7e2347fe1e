import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { type Database, databases } from '../database/databases.ts'
import { type MigrationFolder, type MigrationPlan, planMigrations, SCHEMA_FILE } from './plan.ts'
import { formatSchema, parseSchema } from './recorded-schema.ts'
import { type RenameCandidate, renameCandidates } from './rename-candidates.ts'
import { type BackfillOf, type Expression, type MissingValue, possibleRenames, renameHelp } from './steps.ts'

/** The migrations of a whole project. */
export interface ProjectMigrations {
  /** Every file of every `migrations` directory. */
  readonly files: readonly GeneratedFile[]
  /** Paths of the new migrations. */
  readonly added: readonly string[]
  /** What those that lock a table for long say about it, by path. */
  readonly locks: readonly (readonly [path: string, note: string])[]
  /** What is wrong with the directories, as sentences. */
  readonly problems: readonly string[]
  /** What of the definition cannot be done, at least not in one change, as sentences. */
  readonly definitionProblems: readonly string[]
  /** What is lost, by name: `Home.rate`. */
  readonly losses: readonly string[]
  /** What keeps the data of a removed struct or service if a new one is the same. */
  readonly renames: readonly string[]
  /** The databases of services that the definition no longer has: `home-db of Home`. They stay. */
  readonly unusedDatabases: readonly string[]
  readonly missing: readonly MissingValue[]
  /** Attributes that may have been renamed. */
  readonly candidates: readonly RenameCandidate[]
  /** With the path of the migration. */
  readonly expressions: readonly (Expression & { readonly path: string })[]
  /** What is no longer needed: `` `@was` of Home.nightlyRate ``, `` `#was` of Home.Room ``. */
  readonly renamed: readonly string[]
}

/** The `migrations` directory of a service without one. */
function emptyFolder({ directory }: Pick<Database, 'directory'>): MigrationFolder {
  return { path: `${directory}/migrations`, files: [], schema: undefined }
}

/** Plans the migrations of all databases. `folders` are those of the project as it is. */
export function planProject(
  platform: Platform,
  folders: readonly MigrationFolder[],
  backfillOf?: BackfillOf,
): ProjectMigrations {
  const wanted = databases(platform).map((database) => {
    const empty = emptyFolder(database)
    const folder = folders.find(({ path }) => path === empty.path) ?? empty
    return { database, folder, plan: planMigrations(database, folder, backfillOf) }
  })
  const paths = new Set(wanted.map(({ folder }) => folder.path))
  const owners = new Map(wanted.map(({ database, folder }) => [database.service, folder]))
  const former = folders.filter(({ path }) => !paths.has(path)).map(formerFolder)
  const unused = former.flatMap(({ removed }) => removed)
  const added = wanted.filter(({ folder }) => folder.files.length === 0)
  const plans = wanted.flatMap(({ plan, ...rest }) => (typeof plan === 'string' ? [] : [{ ...rest, plan }]))
  const changes = plans.flatMap(({ plan }) => plan.change ?? [])
  return {
    files: [
      ...plans.flatMap(({ folder, plan }) => filesOf(folder.path, plan)),
      ...former.flatMap(({ files }) => files),
    ],
    added: plans.flatMap(({ folder, plan }) => plan.added.map(({ name }) => `${folder.path}/${name}`)),
    locks: plans.flatMap(({ folder, plan }) =>
      plan.added.flatMap(({ name, locks = [] }) =>
        locks.map((note) => [`${folder.path}/${name}`, note] as const),
      ),
    ),
    problems: wanted.flatMap(({ plan }) => (typeof plan === 'string' ? [plan] : [])),
    definitionProblems: [
      ...folders.flatMap((folder) => misplaced(folder, owners)),
      ...changes.flatMap(({ problems }) => problems),
    ],
    losses: changes.flatMap(({ losses, removedValues }) => [...losses, ...removedValues]),
    renames: [
      ...changes.flatMap(({ renames }) => renames),
      ...possibleRenames(
        unused,
        added.map(({ database }) => database.service),
      ).map(([was, now]) => renameHelp(was, now)),
    ],
    unusedDatabases: former.flatMap(({ path, removed }) =>
      removed.map((service) => `${path.replace('/migrations', '')} of ${service}`),
    ),
    missing: changes.flatMap(({ missing }) => missing),
    candidates: plans.flatMap(({ database, folder, plan }) =>
      plan.added.length === 0
        ? []
        : renameCandidates(parseSchema(folder.schema ?? '')?.tables ?? [], database.tables),
    ),
    expressions: plans.flatMap(({ folder, plan }) => {
      const path = `${folder.path}/${plan.added[0]?.name}`
      return plan.change?.expressions.map((expression) => ({ ...expression, path })) ?? []
    }),
    renamed: plans.flatMap(({ database, folder, plan }) =>
      plan.added.length === 0 ? served(database, folder) : [],
    ),
  }
}

/** Says that a service without a database has one under its former name: its `#was` was removed. */
function misplaced(
  { path, schema = '' }: MigrationFolder,
  owners: ReadonlyMap<string, MigrationFolder>,
): string[] {
  const recorded = parseSchema(schema)
  if (recorded === undefined || recorded.removed) return []
  const owner = owners.get(recorded.service)
  if (owner === undefined || owner.path === path || owner.files.length > 0) return []
  return [
    `\`${recorded.service}\` was renamed, and its migrations are in ${path}. Restore its \`#was\`, which names the database`,
  ]
}

function filesOf(path: string, { kept, added, schema }: MigrationPlan): GeneratedFile[] {
  return [
    ...[...kept, ...added].map(
      ({ name, content }): GeneratedFile => ({ path: `${path}/${name}`, content, owner: 'user' }),
    ),
    { path: `${path}/${SCHEMA_FILE}`, content: schema, owner: 'generated' },
  ]
}

/** The migrations of a service that is no longer in the definition: they stay, like its database. */
function formerFolder({ path, files, schema = '' }: MigrationFolder): {
  path: string
  files: GeneratedFile[]
  removed: string[]
} {
  const recorded = parseSchema(schema)
  if (recorded === undefined) return { path, files: [], removed: [] }
  const text = formatSchema({ ...recorded, removed: true })
  return {
    path,
    files: filesOf(path, { kept: files, added: [], schema: text, change: undefined }),
    removed: recorded.removed ? [] : [recorded.service],
  }
}

/**
 * What of `@was` and `#was` has no effect, because the migrations have the new name. That of a service, which names the
 * database, and that of values, which names the column, are never part of it.
 */
function served({ service, tables }: Database, { schema = '' }: MigrationFolder): string[] {
  const old = parseSchema(schema)?.tables ?? []
  return tables.flatMap((table) => {
    const recorded = old.find(({ name }) => name === table.name)
    if (recorded === undefined) return []
    const columns = table.columns.filter(
      ({ was, name, formerValues }) =>
        was !== undefined &&
        formerValues === undefined &&
        recorded.columns.some((column) => column.name === name),
    )
    return [
      ...(table.was === undefined || table.entity === service ? [] : [`\`#was\` of ${table.entity}`]),
      ...columns.map(({ attribute }) => `\`@was\` of ${table.entity}.${attribute}`),
    ]
  })
}
