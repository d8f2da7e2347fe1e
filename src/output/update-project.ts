import { existsSync, lstatSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { describeConflict, type Conflict } from './conflict.ts'
import { digest } from './digest.ts'
import { DISK, type Disk } from './disk.ts'
import { finish, isInterrupted, recover, type Recovery } from './finish.ts'
import type { Place } from './carry-out.ts'
import { statePaths, type Journal, type StatePaths } from './journal.ts'
import { makeDirectories } from './make-directories.ts'
import { makePlan } from './make-plan.ts'
import { NO_MANIFEST, parseManifest, type Manifest } from './manifest.ts'
import { checkPaths } from './paths.ts'
import { changes, type Generation, type Plan } from './plan.ts'
import { failure, isSystemError, success, systemFailure, type Outcome } from './problem.ts'
import { takeLock, tryLock } from './project-lock.ts'
import { entryAt, readRegularFile, viewDirectory } from './project-view.ts'
import { stage } from './stage.ts'

/** How a project is planned and written. */
export interface UpdateOptions {
  /** Replace files that were edited by hand or are not ours, and keep them beside. Default: false. */
  readonly overwrite?: boolean
  /** The longest wait in milliseconds for another generation into the same directory. Default: 10 seconds. */
  readonly patience?: number
  /** Called once, when such a wait begins, with the other's process id where that is known. */
  readonly onWait?: (holder: number | undefined) => void
  /** What changes the disk. Default: the real thing. */
  readonly disk?: Disk
}

/** What would happen, or has happened, to a project. */
export interface Update {
  readonly plan: Plan
  /** Nothing is to be changed: every file and the manifest are current. */
  readonly upToDate: boolean
  /** What the manifest said before. */
  readonly previous: Manifest
  /** What became of an earlier write that was interrupted, if there was one. */
  readonly recovery: Recovery | undefined
}

const PATIENCE = 10_000

/**
 * Brings a project up to date: all of it, or, where anything stands against that, nothing. `root` is the output
 * directory, made where it is missing. An earlier write that was interrupted is finished or undone first.
 */
export async function updateProject(
  root: string,
  generation: Generation,
  options: UpdateOptions = {},
): Promise<Outcome<Update>> {
  const place: Place = { root: resolve(root), state: statePaths(resolve(root)), disk: options.disk ?? DISK }
  try {
    const ready = prepare(place, generation, options)
    if (!ready.ok) return ready
    const lock = await takeLock(place.state, {
      patience: options.patience ?? PATIENCE,
      onWait: options.onWait ?? (() => undefined),
    })
    if (!lock.ok) return lock
    try {
      return await updateLocked(place, generation, options)
    } finally {
      lock.value.release()
    }
  } catch (error) {
    return systemFailure(error, 'Nothing was changed.')
  }
}

/** Says what `updateProject` would do, conflicts included, and changes nothing at all. */
export function previewProject(
  root: string,
  generation: Generation,
  options: UpdateOptions = {},
): Outcome<Update> {
  const absolute = resolve(root)
  const state = statePaths(absolute)
  try {
    const usable = checkUsable(absolute, state, generation)
    if (!usable.ok) return usable
    if (isInterrupted(state) && !isHeld(state)) {
      return failure(
        'interrupted',
        `An earlier generation into ${absolute} was interrupted.`,
        'Run `portico generate`, which finishes or undoes it first.',
      )
    }
    return planUpdate(absolute, generation, options)
  } catch (error) {
    return systemFailure(error)
  }
}

/** The manifest of a directory, an empty one where there is none: for remembered answers and the last schema. */
export function readManifest(root: string): Outcome<Manifest> {
  const absolute = resolve(root)
  const state = statePaths(absolute)
  try {
    const found = checkRoot(absolute)
    if (!found.ok) return found
    const sound = checkState(state)
    if (!sound.ok) return sound
    if (entryAt(state.manifest).kind === 'absent') return success(NO_MANIFEST)
    return parseManifest(readRegularFile(state.manifest).toString('utf8'), state.manifest)
  } catch (error) {
    return systemFailure(error)
  }
}

/** Checks what can be checked without changing anything, then makes the directory and its state directory. */
function prepare(place: Place, generation: Generation, options: UpdateOptions): Outcome<undefined> {
  const { root, state } = place
  const usable = checkUsable(root, state, generation)
  if (!usable.ok) return usable
  if (!existsSync(root)) {
    makeDirectories(root)
  } else if (entryAt(state.directory).kind === 'absent' && hasAny(root, generation)) {
    // A directory that was never generated into gets nothing, not even ours, where something is in the way.
    const first = planUpdate(root, generation, options)
    if (!first.ok) return first
    if (first.value.plan.conflicts.length > 0) return conflictFailure(root, first.value.plan.conflicts)
  }
  makeDirectories(state.directory)
  return success(undefined)
}

/** Whether anything stands where a generation wants its files. */
function hasAny(root: string, { files }: Generation): boolean {
  const view = viewDirectory(root)
  return files.some(({ path }) => view.entry(path).kind !== 'absent')
}

async function updateLocked(
  place: Place,
  generation: Generation,
  options: UpdateOptions,
): Promise<Outcome<Update>> {
  const { root, state, disk } = place
  const recovered = recover(place)
  if (!recovered.ok) return recovered
  const planned = planUpdate(root, generation, options)
  if (!planned.ok) return planned
  const update: Update = { ...planned.value, recovery: recovered.value }
  if (update.plan.conflicts.length > 0) return conflictFailure(root, update.plan.conflicts)
  if (entryAt(state.gitignore).kind === 'absent') {
    disk.create(state.gitignore, '*\n!.gitignore\n!manifest.json\n', 0o666)
  }
  if (update.upToDate) return success(update)
  const staged = await stageOrTidy(update.plan, place)
  if (!staged.ok) return staged
  const written = finish(staged.value, place)
  return written.ok ? success(update) : written
}

/** Where staging fails, nothing of it is left: on a full disk above all. */
async function stageOrTidy(plan: Plan, { state, disk }: Place): Promise<Outcome<Journal>> {
  try {
    return success(await stage(plan, state, disk))
  } catch (error) {
    disk.removeTree(state.staging)
    return systemFailure(error, 'Nothing was changed.')
  }
}

function planUpdate(root: string, generation: Generation, options: UpdateOptions): Outcome<Update> {
  const manifest = readManifest(root)
  if (!manifest.ok) return manifest
  const view = viewDirectory(root)
  const overwrite = options.overwrite ?? false
  const plan = makePlan(generation, { view, manifest: manifest.value, overwrite })
  const { manifest: file } = statePaths(root)
  const current = entryAt(file)
  const remembers = current.kind === 'file' && current.sha256 === digest(plan.manifestText)
  const upToDate = remembers && plan.conflicts.length === 0 && !plan.actions.some(changes)
  return success({ plan, upToDate, previous: manifest.value, recovery: undefined })
}

function checkUsable(root: string, state: StatePaths, generation: Generation): Outcome<undefined> {
  const paths = checkPaths(generation.files.map(({ path }) => path))
  if (!paths.ok) return paths
  const found = checkRoot(root)
  return found.ok ? checkState(state) : found
}

/** The output directory is one, or can become one. */
function checkRoot(root: string): Outcome<undefined> {
  // It may itself be reached through links: they are the user's.
  const isLink = lstatSync(root, { throwIfNoEntry: false })?.isSymbolicLink() === true
  const stats = statSync(root, { throwIfNoEntry: false })
  if (stats === undefined && isLink) {
    return failure(
      'obstacle',
      `${root} is a symbolic link that leads nowhere.`,
      'Choose another with --output.',
    )
  }
  if (stats !== undefined && !stats.isDirectory()) {
    return failure('obstacle', `${root} is not a directory.`, 'Choose another with --output.')
  }
  return success(undefined)
}

/** What generation keeps must be what it looks like: a link planted there would lead its writes elsewhere. */
function checkState(state: StatePaths): Outcome<undefined> {
  const directories = [state.directory, state.staging, state.newFiles, state.oldFiles]
  const files = [state.manifest, state.gitignore, state.lock, state.holder, state.journal, state.undoing]
  for (const path of directories) {
    const { kind } = entryAt(path)
    if (kind === 'absent') break
    if (kind !== 'directory') return planted(path, 'directory')
  }
  if (entryAt(state.directory).kind === 'absent') return success(undefined)
  for (const path of files) {
    const { kind } = entryAt(path)
    if (kind !== 'absent' && kind !== 'file') return planted(path, 'regular file')
  }
  return success(undefined)
}

function planted(path: string, what: string): Outcome<never> {
  return failure(
    'obstacle',
    `${path} is not a ${what}. Nothing was changed.`,
    'Remove it, then generate again.',
  )
}

/** Whether a generation is under way at this moment. A directory that cannot be written has none. */
function isHeld(state: StatePaths): boolean {
  if (entryAt(state.lock).kind === 'absent') return false
  try {
    const lock = tryLock(state)
    lock?.release()
    return lock === undefined
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}

/** The most files that a message lists. */
const MAX_LISTED = 20

function conflictFailure(root: string, conflicts: readonly Conflict[]): Outcome<never> {
  const lines = conflicts.slice(0, MAX_LISTED).map((conflict) => `  ${describeConflict(conflict)}`)
  if (conflicts.length > MAX_LISTED) lines.push(`  and ${conflicts.length - MAX_LISTED} more`)
  const blocked = conflicts.some(({ kind }) => kind === 'blocked')
  // Nothing there is of an earlier generation: the directory was meant for something else.
  const foreign = conflicts.every(({ kind }) => kind === 'foreign')
  return failure(
    'conflict',
    [`Nothing was changed in ${root}, because these are in the way:`, ...lines].join('\n'),
    blocked
      ? 'Move away what is no directory, then generate again.'
      : `${foreign ? 'Move them elsewhere, or choose another directory with --output' : 'Move your changes elsewhere and undo them'}; or generate with --overwrite, which replaces the files and keeps yours beside them as *.orig.`,
  )
}
