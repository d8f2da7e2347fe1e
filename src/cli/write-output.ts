import { relative, resolve } from 'node:path'
import { counted } from '../naming.ts'
import { outputKind, type OutputKind } from '../output/manifest.ts'
import { type Conflict, conflictHelp, type Generation } from '../output/plan.ts'
import {
  previewProject,
  readManifest,
  type Update,
  updateProject,
  type UpdateOptions,
} from '../output/update-project.ts'
import type { Invocation } from './command.ts'
import { CommandError, environmentError, outputError } from './command-error.ts'
import type { Context } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { stripEscapes } from './terminal-text.ts'
import {
  headline,
  keptLines,
  listChanges,
  listConflicts,
  moveLines,
  noticeLines,
  summarizeChanges,
} from './update-report.ts'

/** What a command generates, and where. */
export interface OutputRequest {
  readonly kind: OutputKind
  /** The directory if `--output` is not set, relative to the working directory. */
  readonly defaultDirectory: string
  readonly generation: Generation
  /** Returns the next steps after the output was written. `directory` is its name, and `base` its path from here. */
  readonly nextSteps: (update: Update, directory: string, base: string) => readonly string[]
}

/** The command that generates each kind of output, and the kind with its article. */
const KINDS = {
  project: { command: 'generate', noun: 'a project' },
  client: { command: 'client', noun: 'a client' },
  explorer: { command: 'explorer', noun: 'an explorer' },
} as const

/** The absolute path of the output directory. */
export function outputRoot(defaultDirectory: string, invocation: Invocation, { cwd }: Context): string {
  return resolve(cwd, invocation.text('output') ?? defaultDirectory)
}

/** Whether a command only prints what would change. */
export function isPreview(invocation: Invocation): boolean {
  return ['dryRun', 'diff', 'check'].some((name) => invocation.flag(name))
}

/**
 * Writes the output of a command or, with `--dry-run`, `--diff` or `--check`, prints what would change.
 *
 * @throws a `CommandError` if the output cannot be planned or written.
 */
export async function writeOutput(
  request: OutputRequest,
  invocation: Invocation,
  context: Context,
): Promise<ExitStatus> {
  const root = outputRoot(request.defaultDirectory, invocation, context)
  const base = stripEscapes(relative(context.cwd, root)) || '.'
  const directory = base === '.' ? 'the current directory' : base
  requireKind(root, directory, request.kind)
  const options: UpdateOptions = {
    overwrite: invocation.flag('overwrite'),
    onWait: (lockOwner) => {
      const owner = lockOwner === undefined ? 'another process' : `process ${lockOwner}`
      context.say(`Waiting for ${owner}, which is writing to ${directory}...`)
    },
  }
  if (isPreview(invocation)) {
    const preview = previewProject(root, request.generation, options)
    if (preview.ok) return await showPreview(preview.value, directory, request.kind, invocation, context)
    if (!invocation.flag('check') || preview.error.code !== 'interrupted') throw outputError(preview.error)
    throw new CommandError(
      EXIT.failed,
      preview.error.message,
      `run \`portico ${KINDS[request.kind].command}\``,
    )
  }
  const result = await updateProject(root, request.generation, options)
  if (!result.ok) throw outputError(result.error)
  const update = result.value
  const { colors } = context
  if (update.recovered) context.report('An earlier write was interrupted and has been rolled back')
  for (const line of summarizeChanges(update, colors)) context.say(line)
  context.say(sentence(headline(update, directory)))
  for (const line of keptLines(update, colors)) context.say(line)
  for (const line of noticeLines(update, base, context)) context.report(line)
  for (const line of request.nextSteps(update, directory, base)) context.say(line)
  return EXIT.success
}

/**
 * Refuses a directory that another command generated: its files would count as outdated and be removed.
 *
 * @throws a `CommandError` with status 3.
 */
function requireKind(root: string, directory: string, kind: OutputKind): void {
  const manifest = readManifest(root)
  if (!manifest.ok) throw outputError(manifest.error)
  const existing = outputKind(manifest.value)
  if (existing !== undefined && existing !== kind)
    throw environmentError(
      sentence(`${directory} contains ${KINDS[existing].noun}, not ${KINDS[kind].noun}`),
      'choose another directory with `--output`',
    )
}

async function showPreview(
  update: Update,
  directory: string,
  kind: OutputKind,
  invocation: Invocation,
  context: Context,
): Promise<ExitStatus> {
  if (invocation.flag('diff')) await printDiffs(update, context)
  else if (invocation.flag('dryRun') || !update.upToDate)
    for (const line of listChanges(update, context.resultColors)) context.print(line)
  if (update.upToDate) {
    context.say(sentence(`${directory} is up to date`))
    return EXIT.success
  }
  const { conflicts } = update.plan
  const { command } = KINDS[kind]
  if (invocation.flag('check')) {
    context.report(
      conflicts.length === 0
        ? sentence(`${directory} is not up to date. Run \`portico ${command}\``)
        : conflictMessage(conflicts),
    )
    return EXIT.failed
  }
  if (conflicts.length === 0) {
    context.say('Nothing was changed')
    return EXIT.success
  }
  context.report(conflictMessage(conflicts))
  return EXIT.environment
}

/** Returns a sentence that begins with the name of a directory. */
function sentence(text: string): string {
  return text.replace(/^the current directory/, 'The current directory')
}

/** Returns a conflict, or the number of them, and what to do about it. */
function conflictMessage(conflicts: readonly Conflict[]): string {
  return `${conflictCount(conflicts)}\nhelp: ${conflictHelp(conflicts)}`
}

/** Returns a conflict, or the number of them, as a sentence without its full stop. */
function conflictCount(conflicts: readonly Conflict[]): string {
  const [first] = conflicts
  const one = conflicts.length === 1 && first !== undefined
  const subject = one ? `\`${first.path}\`` : counted(conflicts.length, 'file')
  const verb = one ? 'was' : 'were'
  if (conflicts.every(({ kind }) => kind === 'edited')) return `${subject} ${verb} edited by hand`
  if (conflicts.every(({ kind }) => kind === 'foreign')) return `${subject} ${verb} not written by Portico`
  return `${subject} would be overwritten`
}

async function printDiffs({ plan, moves }: Update, context: Context): Promise<void> {
  const { textDiff, unifiedDiff } = await import('./unified-diff.ts')
  for (const line of moveLines(moves, context.resultColors)) context.print(line)
  for (const action of plan.actions) {
    const diff = unifiedDiff(action, context.resultColors)
    if (diff !== '') context.print(diff)
  }
  for (const { path, before, isYours, after } of plan.ejectedChanges) {
    context.print(
      isYours
        ? `Ejected: ${path}. Your version, and the generated one:`
        : `Ejected: ${path}. Its generated version has changed:`,
    )
    context.print(textDiff(path, before, after, context.resultColors))
  }
  for (const line of listConflicts(plan.conflicts, context.colors)) context.report(line)
}
