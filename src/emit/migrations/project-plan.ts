import { type MigrationFolder, SCHEMA_FILE } from '../../migration/folder.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { type Database, databases } from '../database/databases.ts'
import { columnLabel } from './change.ts'
import type { BackfillOf } from './nullability.ts'
import { type MigrationPlan, planMigrations } from './plan.ts'
import { formatSchema, parseSchema } from './recorded-schema.ts'
import { type RenameCandidate, renameCandidates } from './rename-candidates.ts'
import { possibleRenames, renameHelp } from './tables.ts'

/** An expression in a migration that the user has to write or, if it converts the values of an old type, to check. */
interface Expression {
  /** `Home.city` */
  readonly attribute: string
  readonly converts: boolean
  readonly path: string
}

/** Data that a change deletes, or no longer uses. */
export interface DataLoss {
  /** What the user agrees to: `Home.rate`, `Home.Photo`, `Home.Clean`, or the name of a service. */
  readonly name: string
  /** What it is in a list: `Home.state (its value pending)`, `home-db of Home`. */
  readonly text: string
}

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
  /** What the migrations delete. */
  readonly losses: readonly DataLoss[]
  /** The jobs that may wait and that the new code could not run. */
  readonly lostJobs: readonly DataLoss[]
  /** What keeps the data of a removed struct or service, or lets jobs run, if a new one is the same. */
  readonly renames: readonly string[]
  /** The databases of services that the definition no longer has. They stay. */
  readonly unusedDatabases: readonly DataLoss[]
  /** The new attributes whose values in existing rows only the user knows: `Home.city`. */
  readonly missing: readonly string[]
  /** Attributes that may have been renamed. */
  readonly candidates: readonly RenameCandidate[]
  readonly expressions: readonly Expression[]
  /** What is no longer needed: `` `@was` of Home.nightlyRate ``, `` `#was` of Home.Room ``. */
  readonly renamed: readonly string[]
}

/** Plans the migrations of all databases. `folders` are those of the project as it is. */
export function planProject(
  platform: Platform,
  folders: readonly MigrationFolder[],
  backfillOf?: BackfillOf,
): ProjectMigrations {
  const wanted = databases(platform).map((database) => {
    const path = `${database.directory}/migrations`
    const folder = folders.find((each) => each.path === path) ?? { path, files: [], schema: undefined }
    return { database, folder, plan: planMigrations(database, folder, backfillOf) }
  })
  const paths = new Set(wanted.map(({ folder }) => folder.path))
  const owners = new Map(wanted.map(({ database, folder }) => [database.service, folder]))
  const former = folders.filter(({ path }) => !paths.has(path)).map(formerFolder)
  const unused = former.flatMap(({ removed }) => removed)
  const added = wanted.filter(({ folder }) => folder.files.length === 0)
  const plans = wanted.flatMap(({ plan, ...rest }) => (typeof plan === 'string' ? [] : [{ ...rest, plan }]))
  const changes = plans.flatMap(({ plan }) => plan.changes)
  const lostJobs = plans.flatMap(({ plan }) => plan.lostJobs)
  return {
    files: [
      ...plans.flatMap(({ folder, plan }) => filesOf(folder, plan)),
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
      ...folders.flatMap((folder) => formerNameProblems(folder, owners)),
      ...changes.flatMap(({ problem = [] }) => problem),
    ],
    losses: plans.flatMap(({ plan }) => [
      ...plan.changes.flatMap(({ losses = [] }) => losses).map((name) => ({ name, text: name })),
      ...plan.changes
        .flatMap(({ removedValues = [] }) => removedValues)
        .map(({ attribute, values }) => ({ name: attribute, text: `${attribute} (${values})` })),
    ]),
    lostJobs,
    renames: [
      ...changes.flatMap(({ renames = [] }) => renames),
      ...lostJobs.flatMap(({ rename = [] }) => rename),
      ...possibleRenames(
        unused,
        added.map(({ database }) => database.service),
      ).map(([was, now]) => renameHelp(was, now)),
    ],
    unusedDatabases: former.flatMap(({ path, removed }) =>
      removed.map((service) => ({
        name: service,
        text: `${path.replace('/migrations', '')} of ${service}`,
      })),
    ),
    missing: changes.flatMap(({ missing }) => (missing ? [columnLabel(missing.table, missing.column)] : [])),
    candidates: renameCandidates(changes),
    expressions: plans.flatMap(({ folder, plan }) => {
      const path = `${folder.path}/${plan.added[0]?.name}`
      return plan.changes.flatMap(({ expression }): Expression[] => {
        if (expression === undefined) return []
        const { table, column, converts } = expression
        return [{ attribute: columnLabel(table, column), converts, path }]
      })
    }),
    renamed: plans.flatMap(({ database, folder, plan }) =>
      plan.added.length === 0 ? unneededFormerNames(database, folder) : [],
    ),
  }
}

/** Says that a service without a database has one under its former name: its `#was` was removed. */
function formerNameProblems(
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

function filesOf(
  { path, files }: Pick<MigrationFolder, 'path' | 'files'>,
  { added, schema }: Pick<MigrationPlan, 'added' | 'schema'>,
): GeneratedFile[] {
  return [
    ...[...files, ...added].map(
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
    files: filesOf({ path, files }, { added: [], schema: text }),
    removed: recorded.removed ? [] : [recorded.service],
  }
}

/**
 * What of `@was` and `#was` has no effect, because the migrations have the new name. That of a service, which names the
 * database, and that of values, which names the column, are never part of it.
 */
function unneededFormerNames({ service, tables }: Database, { schema = '' }: MigrationFolder): string[] {
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
