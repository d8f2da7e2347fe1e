import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { databases } from '../emit/database/databases.ts'
import { rebaseMigrations } from '../emit/migrations/rebase.ts'
import { parseSchema, type RecordedSchema, recordedSchema } from '../emit/migrations/recorded-schema.ts'
import { type MigrationFolder, SCHEMA_FILE } from '../migration/folder.ts'
import { migrationHash, migrationNumber } from '../migration/migration-file.ts'
import { counted, kebabCase, listed, serviceOfDatabase } from '../naming.ts'
import { readMigrationFolders } from '../output/migration-folders.ts'
import type { AppliedFile } from './migration-database.ts'
import type { Invocation, RunCommand } from './command.ts'
import { environmentError, unknownError, usageError } from './command-error.ts'
import type { Context } from './context.ts'
import { compileText, readDefinition } from './definition.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { pathsAtRevision } from './git.ts'

/** The migrations of a project, and where they are. */
interface Project {
  /** Absolute. */
  readonly root: string
  readonly folders: readonly MigrationFolder[]
}

interface Action {
  /** As in the usage: `<service>`, or `[service]` if it can be absent. */
  readonly operands: readonly string[]
  readonly run: (
    project: Project,
    invocation: Invocation,
    context: Context,
  ) => Promise<ExitStatus> | ExitStatus
}

const ACTIONS: Readonly<Record<string, Action>> = {
  new: { operands: ['<service>', '<name>'], run: create },
  status: { operands: ['[service]'], run: status },
  check: { operands: ['[service]'], run: check },
  rebase: { operands: ['<file>'], run: rebase },
}

/** `portico migration`: what concerns the `migrations` directories besides generation. */
export const run: RunCommand = async (invocation, context) => {
  const [name = '', ...operands] = invocation.operands
  const action = ACTIONS[name]
  if (action === undefined) throw usageError(`Unknown action \`${name}\``)
  requireOperands(name, action, operands)
  if (name !== 'status' && invocation.text('database') !== undefined)
    throw usageError('`--database` can only be used with `portico migration status`')
  if (name !== 'rebase' && invocation.text('onto') !== undefined)
    throw usageError('`--onto` can only be used with `portico migration rebase`')
  const output = invocation.text('output')
  const root = resolve(context.cwd, output ?? '.')
  const folders = readMigrationFolders(root)
  if (folders.length === 0)
    throw environmentError(
      `${output === undefined ? 'The current directory' : `\`${output}\``} ${problemWith(root)}`,
      'pass the directory of the project with `--output`',
    )
  return await action.run({ root, folders }, invocation, context)
}

/** @throws a `CommandError` if an operand is missing, or there are too many. */
function requireOperands(name: string, action: Action, operands: readonly string[]): void {
  const usage = `usage: \`portico migration ${[name, ...action.operands].join(' ')}\``
  const missing = action.operands.slice(operands.length).find((operand) => operand.startsWith('<'))
  if (missing !== undefined) throw usageError(`Missing argument \`${missing}\``, usage)
  const surplus = operands[action.operands.length]
  if (surplus !== undefined) throw usageError(`Unexpected argument \`${surplus}\``, usage)
}

/** Why a directory has no migrations. */
function problemWith(root: string): string {
  const stats = statSync(root, { throwIfNoEntry: false })
  if (stats === undefined) return 'does not exist'
  return stats.isDirectory() ? 'has no migrations' : 'is not a directory'
}

/** `migration new <service> <name>`: an empty file for the user's own SQL. */
function create({ root, folders }: Project, { operands }: Invocation, context: Context): ExitStatus {
  const [, service = '', name = ''] = operands
  if (!/^\w{1,80}$/.test(name))
    throw usageError(`\`${name}\` is not a valid migration name`, 'use letters, digits and `_`')
  const folder = folderOf(folders, service)
  const { state } = requireOrder(folder)
  const number = Math.max(...folder.files.map((file) => migrationNumber(file.name))) + 1
  const file = `${folder.path}/${String(number).padStart(4, '0')}_${name}.sql`
  const header = [
    '-- Your own SQL, which runs in a transaction. It must not change the tables of the definition.',
    `-- schema: ${state} -> ${state}`,
  ]
  writeFileSync(join(root, file), `${header.join('\n')}\n\n`, { flag: 'wx' })
  context.print(relative(context.cwd, join(root, file)))
  return EXIT.success
}

/** `migration status [service]`: the files, and which of them a database has. */
async function status({ folders }: Project, invocation: Invocation, context: Context): Promise<ExitStatus> {
  const [, service] = invocation.operands
  const url = invocation.text('database')
  const selected = service === undefined ? folders : [folderOf(folders, service)]
  const [only] = selected
  if (url === undefined || only === undefined) {
    for (const folder of selected) printStatus(folder, undefined, context)
    return EXIT.success
  }
  if (selected.length > 1)
    throw usageError(
      '`--database` is the database of one service',
      'run `portico migration status <service>`',
    )
  const { appliedMigrations } = await import('./migration-database.ts')
  printStatus(only, await appliedMigrations(url), context)
  return EXIT.success
}

function printStatus(
  { path, files }: MigrationFolder,
  applied: ReadonlyMap<string, AppliedFile> | undefined,
  context: Context,
): void {
  const { bold, dim, yellow } = context.resultColors
  context.print(bold(path))
  for (const { name, content } of files.toSorted(
    (a, b) => migrationNumber(a.name) - migrationNumber(b.name),
  )) {
    const known = applied?.get(name.replace(/\.sql$/, ''))
    const states = [
      ...(applied !== undefined && known === undefined ? [yellow('pending')] : []),
      ...(known === undefined ? [] : [dim(known.time.toISOString())]),
      ...(known !== undefined && known.hash !== migrationHash(content)
        ? [yellow('changed after it was applied; it does not run again')]
        : []),
    ]
    context.print(['', name, ...states].join('  '))
  }
  const known = new Set(files.map(({ name }) => name.replace(/\.sql$/, '')))
  for (const name of applied?.keys() ?? [])
    if (!known.has(name)) context.print(`  ${name}  ${yellow('applied, but not in this project')}`)
}

/** `migration check [service]`: whether the migrations lead to the schema that they should. */
async function check({ folders }: Project, { operands }: Invocation, context: Context): Promise<ExitStatus> {
  const [, service] = operands
  const selected = service === undefined ? folders : [folderOf(folders, service)]
  for (const folder of selected) requireOrder(folder)
  const { checkMigrations } = await import('./migration-database.ts')
  const problems = await checkMigrations(selected, (text) => context.say(text))
  for (const problem of problems) context.print(problem)
  if (problems.length > 0) return EXIT.failed
  context.say(
    `The migrations of ${counted(selected.length, 'service')} produce the schemas of the definition`,
  )
  return EXIT.success
}

/** `migration rebase <file>`: renumbers the migrations of one of two branches. */
async function rebase(
  { root, folders }: Project,
  invocation: Invocation,
  context: Context,
): Promise<ExitStatus> {
  const [, file = ''] = invocation.operands
  const revision = invocation.text('onto')
  const settled = revision === undefined ? undefined : pathsAtRevision(root, revision, context)
  const definition = await readDefinition(file, context)
  const platform = compileText(definition, context)
  if (platform === undefined) return EXIT.failed
  let changed = 0
  for (const database of databases(platform)) {
    const folder = folders.find(({ path }) => path === `${database.directory}/migrations`)
    if (folder === undefined || typeof recordedSchema(folder) !== 'string') continue
    const result = rebaseMigrations(database, folder, (path) => settled?.has(path) ?? false)
    if (typeof result === 'string') throw environmentError(result)
    const at = (name: string): string => join(root, folder.path, name)
    const taken = result.renamed.find(
      ({ to }) => existsSync(at(to.name)) && !result.renamed.some(({ from }) => from === to.name),
    )
    if (taken !== undefined) throw environmentError(`\`${folder.path}/${taken.to.name}\` already exists`)
    // Those that are read later are written first, so that none is overwritten before it is written.
    for (const { from, to } of result.renamed.toReversed()) {
      writeFileSync(at(to.name), to.content)
      if (from !== to.name) rmSync(at(from))
      context.print(`${folder.path}/${from} -> ${to.name}`)
    }
    writeFileSync(at(SCHEMA_FILE), result.schema)
    context.print(`${folder.path}/${SCHEMA_FILE}`)
    changed++
  }
  context.say(
    changed === 0
      ? 'All migrations are in order. Nothing was changed'
      : 'Next: run `portico migration check`, then `portico generate`',
  )
  return EXIT.success
}

/** @throws a `CommandError` for an unknown service. */
function folderOf(folders: readonly MigrationFolder[], service: string): MigrationFolder {
  const named = folders.map((folder) => {
    const directory = serviceOfDatabase(dirname(folder.path))
    const recorded = parseSchema(folder.schema ?? '')?.service
    return { folder, directory, name: recorded === undefined ? directory : kebabCase(recorded) }
  })
  const found = named.find(({ directory, name }) => name === service || directory === service)
  if (found !== undefined) return found.folder
  const names = named.map(({ name }) => name)
  throw unknownError('service', service, names, `the project has ${listed(names, 'and')}`)
}

/** @throws a `CommandError` if the files are not a chain that ends at the recorded schema, which it returns. */
function requireOrder(folder: MigrationFolder): RecordedSchema {
  const recorded = recordedSchema(folder)
  if (typeof recorded === 'string') throw environmentError(recorded)
  return recorded
}
