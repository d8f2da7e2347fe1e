import { dirname, join } from 'node:path'
import { counted } from '../naming.ts'
import {
  type Action,
  changesFile,
  type Conflict,
  describeConflict,
  EJECTED_CHANGED,
  KEPT_EDITED,
  pathOf,
} from '../output/plan.ts'
import { BLOCKED_MOVE, describeMove } from '../output/moves.ts'
import type { Update } from '../output/update-project.ts'
import type { Colors } from './context.ts'
import { shellQuote } from './terminal-text.ts'

/** The maximum number of lines of a list. */
const MAX_LINES = 20

const MANIFEST = '.portico/manifest.json'

/** The marks of changes. */
const MARKS = { move: '>', create: '+', replace: '~', overwrite: '!', remove: '-' } as const

/** Returns every change as a line, `+ home/src/main.ts`, and every conflict. */
export function listChanges({ plan, moves, upToDate }: Update, colors: Colors): string[] {
  const lines = [
    ...moveLines(moves, colors),
    ...plan.actions.filter(changesFile).map((action) => changeLine(action, colors)),
    ...listConflicts(plan.conflicts, colors),
  ]
  // Otherwise only the manifest changes: the schema differs, or the manifest was deleted.
  return lines.length > 0 || upToDate ? lines : [coloredLine(`${MARKS.replace} ${MANIFEST}`, colors)]
}

/** Returns every directory that takes a new name as a line: `> house/ -> home/`. */
export function moveLines(moves: Update['moves'], colors: Colors): string[] {
  return moves.map((move) => coloredLine(`${MARKS.move} ${describeMove(move)}`, colors))
}

/** Returns every conflict as a line. */
export function listConflicts(conflicts: readonly Conflict[], colors: Colors): string[] {
  return conflicts.map((conflict) => colors.red(`? ${describeConflict(conflict)}`))
}

/** Returns the changes in at most 20 lines: one per file or, if there are many files, one per directory. */
export function summarizeChanges({ plan, moves }: Update, colors: Colors): string[] {
  const moved = moveLines(moves, colors)
  const changed = plan.actions.filter(changesFile)
  if (changed.length <= MAX_LINES) return [...moved, ...changed.map((action) => changeLine(action, colors))]
  const groups = Map.groupBy(changed, (action) => `${markOf(action)} ${topLevel(pathOf(action))}`)
  const lines = [...groups].map(([line, members]) =>
    line.endsWith('/') ? `${line} (${counted(members.length, 'file')})` : line,
  )
  const sorted = lines.sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1))
  return [...moved, ...shortened(sorted).map((line) => coloredLine(line, colors))]
}

/** Returns what was done in one line: `Wrote 12 files to shop (10 new, 2 changed), removed 1`. */
export function headline({ plan, upToDate }: Update, directory: string): string {
  const count = (kind: Action['kind']): number => plan.actions.filter((action) => action.kind === kind).length
  const [created, removed] = [count('create'), count('remove')]
  const changed = count('replace') + count('overwrite')
  if (upToDate) return `${directory} is up to date`
  if (created + changed + removed === 0) return `${directory} is up to date; updated its manifest`
  if (created + changed === 0) return `Removed ${counted(removed, 'file')} from ${directory}`
  const parts = created > 0 && changed > 0 ? ` (${created} new, ${changed} changed)` : ''
  const wrote = `Wrote ${counted(created + changed, 'file')} to ${directory}${parts}`
  return removed === 0 ? wrote : `${wrote}, removed ${removed}`
}

/** Returns how many of the user's files were kept, and the edited files that are no longer generated. */
export function keptLines({ plan }: Update, colors: Colors): string[] {
  const kept = plan.actions.filter((action) => action.kind === 'keep')
  const edited = kept.filter(({ reason }) => reason === 'edited').map(({ path }) => `  ${path}`)
  const own = kept.length - edited.length
  return [
    ...(own === 0 ? [] : [colors.dim(`Kept ${own} of your files`)]),
    ...section(`${KEPT_EDITED}:`, edited),
  ]
}

/** Returns what the user should know: backups, restored files, outdated lock files. */
export function noticeLines(
  { plan: { actions, lockNotices, ejectedChanges }, blockedMoves }: Update,
  root: string,
  { colors }: { readonly colors: Colors },
): string[] {
  const backups = actions.flatMap((action) => ('backup' in action ? (action.backup ?? []) : []))
  const restored = actions.filter((action) => action.kind === 'create' && action.restored)
  const locks = lockNotices.map(({ path, reason }) => {
    const directory = join(root, dirname(path))
    return `  ${path} is ${reason}: run \`npm install --prefix ${shellQuote(directory)}\``
  })
  return [
    ...section(
      `${BLOCKED_MOVE}:`,
      blockedMoves.map((move) => `  ${describeMove(move)}`),
    ),
    ...section(
      'Your versions were kept:',
      backups.map((backup) => `  ${backup}`),
    ),
    ...section(
      'Restored deleted files:',
      restored.map((action) => `  ${pathOf(action)}`),
    ),
    ...section(
      `${EJECTED_CHANGED}:`,
      ejectedChanges.map(({ path }) => `  ${path}`),
    ),
    ...(ejectedChanges.length === 0
      ? []
      : [
          `${colors.cyan('help:')} \`--diff\` shows the changes. When you have taken them over, eject the files again`,
        ]),
    ...section(colors.yellow('You changed dependencies:'), locks),
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
  return coloredLine(`${markOf(action)} ${pathOf(action)}`, colors)
}

function coloredLine(line: string, colors: Colors): string {
  if (line.startsWith('+')) return colors.green(line)
  if (line.startsWith('-')) return colors.red(line)
  return /^[>~!]/.test(line) ? colors.yellow(line) : line
}

function markOf({ kind }: Action): string {
  return kind === 'keep' || kind === 'unchanged' ? ' ' : MARKS[kind]
}

/** Returns a path's first segment, with a `/` if it is a directory. */
function topLevel(path: string): string {
  const slash = path.indexOf('/')
  return slash === -1 ? path : path.slice(0, slash + 1)
}
