import { dirname, join } from 'node:path'
import { compile } from '../compile.ts'
import type { Column } from '../emit/database/table.ts'
import { backfillSql, expectedBackfill } from '../emit/migrations/backfill.ts'
import { REQUIRE_LATER } from '../emit/migrations/change.ts'
import { planProject, type ProjectMigrations } from '../emit/migrations/project-plan.ts'
import type { RenameCandidate } from '../emit/migrations/rename-candidates.ts'
import { applyEdits, inserting } from '../language/fixes/edits.ts'
import { isAttribute, isEntity, type Member } from '../language/generated/ast.ts'
import { spanOf } from '../language/nodes.ts'
import { readText } from '../language/parse.ts'
import type { MigrationFolder } from '../migration/folder.ts'
import type { Platform } from '../model/platform.ts'
import { listed } from '../naming.ts'
import { readBackfills, rejectBackfills } from './backfills.ts'
import { readRemovals, requireNeeded } from './data-loss.ts'
import type { Invocation } from './command.ts'
import { CommandError, environmentError, unknownError, usageError } from './command-error.ts'
import type { Context } from './context.ts'
import type { DefinitionText } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { loadPrompts } from './prompts.ts'
import { replaceFile } from './replace-file.ts'

/** What migrations are planned for. */
export interface MigrationRequest {
  readonly definition: DefinitionText
  readonly platform: Platform
  /** That of the last generation. */
  readonly previous: Platform | undefined
  readonly folders: readonly MigrationFolder[]
  /** Whether questions may be asked. */
  readonly asks: boolean
  /** Whether nothing is written, so that nothing has to be agreed on. */
  readonly isPreview: boolean
}

/**
 * Plans the migrations of a project, and asks on a terminal what only the user knows. Returns the definition
 * instead if an answer has changed it.
 *
 * @throws a `CommandError` with status 1 if the definition cannot be migrated to, 2 if an answer is missing, 3 if the
 *   `migrations` directories are not in order.
 */
export async function resolveMigrationQuestions(
  request: MigrationRequest,
  invocation: Invocation,
  context: Context,
): Promise<ProjectMigrations | DefinitionText> {
  const { answers, malformed } = readBackfills(invocation)
  const planned = planWith(request, answers)
  const { problems, definitionProblems } = planned.migrations
  if (problems.length > 0) throw environmentError(problems.join('\n'))
  if (definitionProblems.length > 0) throw new CommandError(EXIT.failed, definitionProblems.join('\n'))
  const unused = [...answers.keys()].filter((attribute) => !planned.columns.has(attribute))
  rejectBackfills([
    ...malformed,
    ...planned.invalid,
    ...unused.map((attribute) => unusedBackfill(attribute, request.platform, planned.migrations)),
  ])

  const { allowDataLoss, notRenamed } = readRemovals(invocation)
  const { candidates } = planned.migrations
  requireNeeded('--not-renamed', notRenamed, candidates.map(oldName))
  const open = candidates.filter((each) => !notRenamed.has(oldName(each)))
  const definition = await settleRenames(open, request, invocation, context)
  if (definition !== undefined) return definition
  // Without a value, `--check` still reports that the project is not up to date.
  const names = new Set(planned.migrations.missing)
  const missing = invocation.flag('check') ? [] : [...planned.columns].filter(([name]) => names.has(name))
  if (missing.length > 0 && !request.asks) throw missingValues(missing)
  for (const [attribute, column] of missing)
    answers.set(attribute, await askValue(attribute, column, context))
  const { migrations } = planWith(request, answers)
  const losses = lossesOf(migrations, request)
  if (allowDataLoss !== undefined) requireNeeded('--allow-data-loss', allowDataLoss, losses.names)
  const refused = losses.names.filter((name) => allowDataLoss?.has(name) !== true)
  if (losses.names.length === 0 || (request.isPreview && invocation.flag('check'))) return migrations
  if (refused.length === 0) context.report(losses.message())
  else if (request.isPreview) {
    context.report(losses.message(refused))
    context.report(`${context.colors.cyan('help:')} ${lossHelp(migrations, losses)}`)
  } else {
    const isListed = allowDataLoss?.size === 0
    await confirmLosses(refused, losses, migrations, { ...request, asks: request.asks && !isListed }, context)
  }
  return migrations
}

function planWith({ platform, folders }: MigrationRequest, answers: ReadonlyMap<string, string>) {
  const columns = new Map<string, Column>()
  const invalid: CommandError[] = []
  const migrations = planProject(platform, folders, (attribute, column) => {
    columns.set(attribute, column)
    const answer = answers.get(attribute)
    if (answer === undefined) return undefined
    const result = backfillSql(column, answer)
    if ('sql' in result) return result.sql
    invalid.push(
      usageError(
        `Invalid value \`${attribute}=${answer}\` for \`--backfill\``,
        `use ${expectedBackfill(column)}`,
      ),
    )
    return undefined
  })
  return { migrations, columns, invalid }
}

/** Returns why `--backfill` cannot have a value for this attribute. */
function unusedBackfill(
  attribute: string,
  { services }: Platform,
  { expressions }: ProjectMigrations,
): CommandError {
  if (expressions.some((each) => each.attribute === attribute))
    return usageError(
      `\`${attribute}\` needs an expression for existing rows`,
      `leave out \`--backfill\`, and write the expression in the migration. Or ${REQUIRE_LATER}`,
    )
  const known = services.flatMap(({ names, entity, structs }) =>
    [entity, ...structs].flatMap((each) => {
      const path = each === entity ? names.declared : `${names.declared}.${each.names.declared}`
      return each.attributes.map((one) => `${path}.${one.names.declared}`)
    }),
  )
  if (known.includes(attribute)) return usageError(`\`${attribute}\` does not need a value for existing rows`)
  const [service = ''] = attribute.split('.')
  const serviceNames = services.map(({ names }) => names.declared)
  return serviceNames.includes(service)
    ? unknownError('attribute', attribute, known)
    : unknownError('service', service, serviceNames, structHelp(attribute, known))
}

/** A struct is named after its service. */
function structHelp(attribute: string, known: readonly string[]): string | undefined {
  const found = known.find((each) => each.endsWith(`.${attribute}`))
  return found === undefined ? undefined : `did you mean \`${found}\`?`
}

/** Returns the error for attributes whose values nobody can be asked for. */
function missingValues(missing: readonly (readonly [attribute: string, column: Column])[]): CommandError {
  const attributes = missing.map(([attribute]) => attribute)
  const options = missing.map(
    ([attribute, column]) => `\`--backfill ${attribute}=<value>\`: ${expectedBackfill(column)}`,
  )
  return attributes.length === 1
    ? usageError(
        `\`${attributes[0]}\` is new, and existing rows have no value for it`,
        `pass one with ${options[0]}`,
      )
    : usageError(
        `${listed(attributes, 'and')} are new, and existing rows have no values for them`,
        `pass them with\n${options.map((option) => `  ${option}`).join('\n')}`,
      )
}

async function askValue(attribute: string, column: Column, context: Context): Promise<string> {
  const prompts = await loadPrompts(context)
  return prompts.text({
    message: `Value of ${attribute} in existing rows (${expectedBackfill(column)})`,
    default: '',
    check: (answer) => {
      const result = backfillSql(column, answer)
      return 'problem' in result ? result.problem : true
    },
  })
}

/** What a change deletes or leaves behind. */
interface Losses {
  /** What the user has to agree to. */
  readonly names: readonly string[]
  /** Lists what has one of these names; by default everything. */
  readonly message: (names?: readonly string[]) => string
}

function lossesOf(
  { losses, lostJobs, unusedDatabases }: ProjectMigrations,
  { platform, previous, folders }: MigrationRequest,
): Losses {
  const former = folders.length > 0 && previous?.names.kebab !== platform.names.kebab ? previous : undefined
  const project = former?.names.declared
  const lists = [
    ['The migrations delete the data of:', losses],
    ['The new code could not run the waiting jobs of:', lostJobs],
    ['The project no longer uses these databases. They stay until `./deploy.sh destroy`:', unusedDatabases],
  ] as const
  const all = [...losses, ...lostJobs, ...unusedDatabases].map(({ name }) => name)
  const names = [...new Set([...all, ...(project === undefined ? [] : [project])])]
  return {
    names,
    message: (shown = names) => {
      const parts = lists.flatMap(([title, list]) => {
        const lines = list.filter(({ name }) => shown.includes(name)).map(({ text }) => `  ${text}`)
        return lines.length === 0 ? [] : [title, ...lines]
      })
      if (project !== undefined && shown.includes(project))
        parts.push(
          `The project was renamed from \`${project}\`. Its next deployment starts with empty databases, beside that of \`${project}\`, which keeps its data`,
        )
      return parts.join('\n')
    },
  }
}

function lossHelp({ renames }: ProjectMigrations, { names }: Losses): string {
  const options = [...renames, `pass \`--allow-data-loss ${names.join(',')}\` to continue`]
  return `${options.join(', ')}, or undo the change in the definition`
}

/** @throws a `CommandError` with status 2 unless the user agrees to lose what has these names. */
async function confirmLosses(
  refused: readonly string[],
  losses: Losses,
  migrations: ProjectMigrations,
  { asks }: MigrationRequest,
  context: Context,
): Promise<void> {
  const message = losses.message(refused)
  if (!asks) throw usageError(message, lossHelp(migrations, losses))
  context.report(message)
  for (const help of migrations.renames) context.report(`${context.colors.cyan('help:')} ${help}`)
  const prompts = await loadPrompts(context)
  if (!(await prompts.confirm({ message: 'Continue?', default: false })))
    throw usageError('Canceled. Nothing was changed.')
}

/** The removed attribute of a possible rename: `Home.rate`. */
function oldName({ entity, oldAttribute }: RenameCandidate): string {
  return `${entity}.${oldAttribute}`
}

function renameMessage(candidate: RenameCandidate): string {
  const { entity, attribute } = candidate
  return `\`${oldName(candidate)}\` was removed, and \`${entity}.${attribute}\` of the same type was added`
}

function renameHelp(candidates: readonly RenameCandidate[]): string {
  const renames = candidates.map(
    ({ attribute, oldAttribute }) => `write \`@was(${oldAttribute})\` after the type of \`${attribute}\``,
  )
  const names = candidates.map(oldName).join(',')
  const condition = candidates.length === 1 ? 'if it was renamed' : 'if they were renamed'
  return `${condition}, ${renames.join(' and ')}; otherwise pass \`--not-renamed ${names} --allow-data-loss ${names}\``
}

/** Settles which attributes were renamed. Returns the definition with the first one that was, if the user says so. */
async function settleRenames(
  candidates: readonly RenameCandidate[],
  request: MigrationRequest,
  invocation: Invocation,
  context: Context,
): Promise<DefinitionText | undefined> {
  if (candidates.length === 0) return undefined
  const message = candidates.map(renameMessage).join('\n')
  if (request.isPreview) {
    if (invocation.flag('check')) return undefined
    context.report(message)
    context.report(`${context.colors.cyan('help:')} ${renameHelp(candidates)}`)
    return undefined
  }
  if (!request.asks) throw usageError(message, renameHelp(candidates))
  for (const candidate of candidates) {
    const definition = await settleRename(candidate, request, context)
    if (definition !== undefined) return definition
  }
  return undefined
}

/** Asks whether an attribute was renamed. Returns the definition with the answer, `undefined` on no. */
async function settleRename(
  candidate: RenameCandidate,
  { definition }: MigrationRequest,
  context: Context,
): Promise<DefinitionText | undefined> {
  const { entity, attribute, oldAttribute } = candidate
  const { path } = definition
  const edited = withFormerName(definition, candidate)
  if (path === undefined || edited === undefined)
    throw usageError(renameMessage(candidate), renameHelp([candidate]))
  const prompts = await loadPrompts(context)
  if (
    !(await prompts.confirm({
      message: `Was ${entity}.${oldAttribute} renamed to ${entity}.${attribute}?`,
      default: true,
    }))
  )
    return undefined
  replaceFile(join(dirname(path), edited.file), edited.text)
  context.say(`Wrote \`@was(${oldAttribute})\` into ${edited.file}`)
  return edited.definition
}

interface EditedDefinition {
  readonly definition: DefinitionText
  /** The changed file, relative to the folder of the definition, and its text. */
  readonly file: string
  readonly text: string
}

/** The definition with `@was` on an attribute; `undefined` if that is not valid. */
function withFormerName(
  definition: DefinitionText,
  { entity, attribute, oldAttribute }: RenameCandidate,
): EditedDefinition | undefined {
  const result = readText(definition.text, definition.folder)
  let members: readonly Member[] = result.value.members
  for (const name of entity.split('.')) {
    const block = members.find((member) => isEntity(member) && member.name === name)
    members = block !== undefined && isEntity(block) ? block.members : []
  }
  const found = members.find((member) => isAttribute(member) && member.name === attribute)
  if (found === undefined || !isAttribute(found)) return undefined
  const { end } = spanOf(found)
  const file = result.fileAt(end)
  const text = applyEdits(file.text, [inserting(end - file.start, ` @was(${oldAttribute})`)])
  const { folder } = definition
  const edited: DefinitionText = {
    ...definition,
    text: file === result.mainFile ? text : definition.text,
    folder: { ...folder, read: (path) => (path === file.path ? text : folder.read(path)) },
  }
  if (compile(edited.text, {}, edited.folder).platform === undefined) return undefined
  return { definition: edited, file: file.path, text }
}
