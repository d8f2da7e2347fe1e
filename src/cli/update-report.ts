import type { TableChange } from '../emit/database/changes.ts'
import { type Conflict, describeConflict } from '../output/conflict.ts'
import { changes, pathOf, type Action } from '../output/plan.ts'
import type { Update } from '../output/update-project.ts'
import { counted } from '../model/names.ts'
import type { Colors } from './context.ts'

/** Where an update took place, for messages. */
export interface ReportedPlace {
  /** The output directory as the user would type it. */
  readonly directory: string
  readonly colors: Colors
}

/** The most lines that a list has before it is shortened. */
const MAX_LINES = 20

const MANIFEST = '.portico/manifest.json'

/** The marks of changes, as in version control. */
const MARKS = { create: '+', replace: '~', overwrite: '!', remove: '-' } as const

/** Every change as a line, `+ home/src/main.ts`, and every conflict: what `--dry-run` lists. */
export function listChanges({ plan, upToDate }: Update, colors: Colors): string[] {
  const lines = [
    ...plan.actions.filter(changes).map((action) => changeLine(action, colors)),
    ...listConflicts(plan.conflicts, colors),
  ]
  // Answers, the schema, or nothing but the manifest itself, which somebody deleted.
  return lines.length > 0 || upToDate ? lines : [painted(`${MARKS.replace} ${MANIFEST}`, colors)]
}

/** What is in the way, a line each. */
export function listConflicts(conflicts: readonly Conflict[], colors: Colors): string[] {
  return conflicts.map((conflict) => colors.red(`? ${describeConflict(conflict)}`))
}

/** The changes in so few lines that they can be read: files by name, or, where they are many, by directory. */
export function summariseChanges({ plan }: Update, colors: Colors): string[] {
  const changed = plan.actions.filter(changes)
  if (changed.length <= MAX_LINES) return changed.map((action) => changeLine(action, colors))
  const groups = Map.groupBy(changed, (action) => `${markOf(action)} ${topOf(pathOf(action))}`)
  const lines = [...groups].map(([line, members]) =>
    line.endsWith('/') ? `${line} (${counted(members.length, 'file')})` : line,
  )
  return shortened(lines.sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1))).map((line) =>
    painted(line, colors),
  )
}

/** What was done, in one line: `Wrote 12 files to shop (10 new, 2 changed), removed 1.` */
export function headline({ plan, upToDate }: Update, { directory }: ReportedPlace): string {
  if (upToDate) return `${directory} is up to date.`
  const number = (kind: Action['kind']): number =>
    plan.actions.filter((action) => action.kind === kind).length
  const [created, removed] = [number('create'), number('remove')]
  const changed = number('replace') + number('overwrite')
  if (created + changed + removed === 0) return `${directory} is up to date; its manifest was renewed.`
  if (created + changed === 0) return `Removed ${counted(removed, 'file')} from ${directory}.`
  const parts = created > 0 && changed > 0 ? ` (${created} new, ${changed} changed)` : ''
  const wrote = `Wrote ${counted(created + changed, 'file')} to ${directory}${parts}`
  return removed === 0 ? `${wrote}.` : `${wrote}, removed ${removed}.`
}

/** What was left as it was, and is the user's: how many files, and by name those whose service is gone. */
export function keptLines({ plan }: Update, { colors }: ReportedPlace): string[] {
  const kept = plan.actions.filter((action) => action.kind === 'keep')
  const left = kept.filter(({ why }) => why === 'left').map(({ path }) => `  ${path}`)
  const own = kept.length - left.length
  return [
    ...(own === 0 ? [] : [colors.dim(`Kept ${counted(own, 'file')} of yours.`)]),
    ...(left.length === 0
      ? []
      : [
          'Kept, though nothing generates them any more, because they hold changes of yours:',
          ...shortened(left),
        ]),
  ]
}

/** What the user should look at: old texts put aside, files brought back, lock files, the schema. */
export function adviceLines(
  update: Update,
  tables: readonly TableChange[],
  { directory, colors }: ReportedPlace,
): string[] {
  const { actions, lockNotices } = update.plan
  const overwritten = actions.filter((action) => action.kind === 'overwrite')
  const again = actions.filter((action) => action.kind === 'create' && action.again)
  const locks = lockNotices.map(({ directory: at, why }) => {
    const path = at === '' ? '' : `${at}/`
    const what = why === 'missing' ? `has no ${path}package-lock.json` : `no longer agrees with its lock file`
    return `  ${path}package.json ${what}: run \`npm install --prefix ${directory}/${at}\``
  })
  const changed = tables.map(({ directory: at, table, change }) => `  ${at}: ${table}: ${change}`)
  return [
    ...section(
      'The old text was kept:',
      overwritten.map(({ backup }) => `  ${backup}`),
    ),
    ...section(
      'Brought back, because the project needs them:',
      again.map((action) => `  ${pathOf(action)}`),
    ),
    ...section(colors.yellow('Dependencies of yours:'), locks),
    ...section(colors.yellow('The schema changed; databases that exist do not change with it:'), changed),
  ]
}

/** What became of an earlier generation that was interrupted; empty where there was none. */
export function recoveryLines({ recovery }: Update): string[] {
  if (recovery === undefined) return []
  return [
    `An earlier generation was interrupted; it was ${recovery.kind} first.`,
    ...section(
      'What was edited since was kept beside:',
      recovery.setAside.map((path) => `  ${path}`),
    ),
  ]
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...shortened(lines)]
}

function shortened(lines: readonly string[]): string[] {
  if (lines.length <= MAX_LINES) return [...lines]
  return [...lines.slice(0, MAX_LINES - 1), `  and ${lines.length - MAX_LINES + 1} more`]
}

function changeLine(action: Action, colors: Colors): string {
  return painted(`${markOf(action)} ${pathOf(action)}`, colors)
}

function painted(line: string, colors: Colors): string {
  if (line.startsWith('+')) return colors.green(line)
  if (line.startsWith('-')) return colors.red(line)
  return line.startsWith('~') || line.startsWith('!') ? colors.yellow(line) : line
}

function markOf({ kind }: Action): string {
  return kind === 'keep' || kind === 'unchanged' ? ' ' : MARKS[kind]
}

/** A path at the top, or the directory at the top with a `/`. */
function topOf(path: string): string {
  const slash = path.indexOf('/')
  return slash === -1 ? path : path.slice(0, slash + 1)
}
