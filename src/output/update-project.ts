import { existsSync, lstatSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createDirectories } from './disk.ts'
import { lockOwner, tryLock } from './lock.ts'
import { NO_MANIFEST, parseManifest, type Manifest } from './manifest.ts'
import {
  movedGeneration,
  movedManifest,
  movedView,
  type Moves,
  planMoves,
  unmovedConflicts,
} from './moves.ts'
import { checkPaths } from './paths.ts'
import {
  changesFile,
  conflictHelp,
  describeConflict,
  type Conflict,
  type Generation,
  type Plan,
} from './plan.ts'
import { makePlan } from './planner.ts'
import { digest, entryAt, readRegularFile, viewDirectory } from './project-view.ts'
import { failure, OutputError, type Result } from './result.ts'
import { statePaths, type StatePaths } from './state-paths.ts'
import { isInterrupted, recover, writePlan, type OutputDirectory } from './write.ts'

/** How long to wait for another process. */
export interface LockOptions {
  /** The longest wait in milliseconds for another process that writes to the directory. Default: 10 seconds. */
  readonly timeoutMs?: number
  /** Called once when such a wait begins, with the other process's id if that is known. */
  readonly onWait?: (lockOwner: number | undefined) => void
}

/** How a project is planned and written. */
export interface UpdateOptions extends LockOptions {
  /** Replace files that were edited by hand or that Portico did not write, and keep backups. Default: false. */
  readonly overwrite?: boolean
}

/** What would happen to a project, or what has happened. */
export interface Update extends Moves {
  readonly plan: Plan
  /** Every file and the manifest are up to date. */
  readonly upToDate: boolean
  /** The manifest before the update. */
  readonly previous: Manifest
  /** An interrupted earlier write was rolled back first. */
  readonly recovered: boolean
}

const LOCK_TIMEOUT_MS = 10_000

/** The interval between attempts to lock, in milliseconds. */
const RETRY_MS = 25

/**
 * Brings a project up to date: all of it or, if there is an error or a conflict, nothing. `root` is the output
 * directory, which is created if it does not exist. An interrupted earlier write is rolled back first.
 */
export async function updateProject(
  root: string,
  generation: Generation,
  options: UpdateOptions = {},
): Promise<Result<Update>> {
  const target: OutputDirectory = { root: resolve(root), state: statePaths(resolve(root)) }
  try {
    prepare(target, generation, options)
    const release = await lockProject(target.state, options)
    try {
      return { ok: true, value: await updateLocked(target, generation, options) }
    } finally {
      release()
    }
  } catch (error) {
    return failure(error, 'Nothing was changed.')
  }
}

/** Returns what `updateProject` would do, conflicts included, and changes nothing. */
export function previewProject(
  root: string,
  generation: Generation,
  options: UpdateOptions = {},
): Result<Update> {
  const target: OutputDirectory = { root: resolve(root), state: statePaths(resolve(root)) }
  try {
    checkPaths(generation.files.map(({ path }) => path))
    checkDirectories(target)
    if (isInterrupted(target.state))
      throw new OutputError(
        'interrupted',
        `A write to \`${target.root}\` was interrupted or is still running`,
        'run `portico generate`, which rolls back an interrupted write',
      )
    return { ok: true, value: planUpdate(target, generation, options) }
  } catch (error) {
    return failure(error)
  }
}

/** Reads the manifest of a directory; an empty one if it has none. */
export function readManifest(root: string): Result<Manifest> {
  const target: OutputDirectory = { root: resolve(root), state: statePaths(resolve(root)) }
  try {
    checkDirectories(target)
    return { ok: true, value: manifestOf(target) }
  } catch (error) {
    return failure(error)
  }
}

/** Checks all that can be checked without changing anything, then creates the directory and its state directory. */
function prepare(target: OutputDirectory, generation: Generation, options: UpdateOptions): void {
  checkPaths(generation.files.map(({ path }) => path))
  checkDirectories(target)
  // With conflicts, a directory that was never generated into does not get a state directory either.
  if (existsSync(target.root) && !existsSync(target.state.directory))
    refuseConflicts(target.root, planUpdate(target, generation, options).plan.conflicts)
  createDirectories(target.state.directory)
}

/** Waits until no other process writes to a directory, and keeps others out until the returned function is called. */
export async function lockProject(
  { lock }: StatePaths,
  { timeoutMs = LOCK_TIMEOUT_MS, onWait }: LockOptions,
): Promise<() => void> {
  const deadline = Date.now() + timeoutMs
  for (let attempt = 1; ; attempt++) {
    const release = tryLock(lock)
    if (release !== undefined) return release
    const owner = lockOwner(lock)
    if (attempt === 1) onWait?.(owner)
    if (Date.now() >= deadline)
      throw new OutputError(
        'busy',
        `${owner === undefined ? 'Another process' : `Process ${owner}`} is writing to the same output directory`,
        'wait until it has finished, or stop it',
      )
    await delay(RETRY_MS)
  }
}

async function updateLocked(
  target: OutputDirectory,
  generation: Generation,
  options: UpdateOptions,
): Promise<Update> {
  const recovered = recover(target)
  const update: Update = { ...planUpdate(target, generation, options), recovered }
  refuseConflicts(target.root, update.plan.conflicts)
  if (entryAt(target.state.gitignore).kind === 'absent')
    writeFileSync(target.state.gitignore, '*\n!.gitignore\n!manifest.json\n', { flag: 'wx' })
  if (!update.upToDate) await writePlan(update.plan, update.moves, target)
  return update
}

function planUpdate(
  target: OutputDirectory,
  generation: Generation,
  { overwrite = false }: UpdateOptions,
): Update {
  const manifest = manifestOf(target)
  const view = viewDirectory(target.root)
  const { moves, blockedMoves } = planMoves(generation, manifest, view)
  const moved = movedManifest(manifest, moves)
  const input = { view: movedView(view, moves), manifest: moved, moves, overwrite }
  const plan = unmovedConflicts(makePlan(movedGeneration(generation, moved), input), moves)
  const current = entryAt(target.state.manifest)
  const upToDate =
    current.kind === 'file' &&
    current.sha256 === digest(plan.manifestText) &&
    plan.conflicts.length === 0 &&
    moves.length === 0 &&
    !plan.actions.some(changesFile)
  return { plan, moves, blockedMoves, upToDate, previous: manifest, recovered: false }
}

/** Reads the manifest of a directory whose state directory was checked. */
export function manifestOf({ state }: OutputDirectory): Manifest {
  if (entryAt(state.manifest).kind === 'absent') return NO_MANIFEST
  return parseManifest(readRegularFile(state.manifest).toString('utf8'), state.manifest)
}

/**
 * Checks the output directory, which may be a symbolic link, and the kind of every entry in its state directory: a
 * symbolic link there would redirect writes.
 */
export function checkDirectories({ root, state }: OutputDirectory): void {
  const stats = statSync(root, { throwIfNoEntry: false }) ?? lstatSync(root, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isDirectory())
    throw new OutputError(
      'obstacle',
      `\`${root}\` is not a directory`,
      'choose another output directory with `--output`',
    )
  const kinds = [
    [state.directory, 'directory'],
    [state.staging, 'directory'],
    [state.manifest, 'file'],
    [state.journal, 'file'],
    [state.lock, 'file'],
  ] as const
  for (const [path, expected] of kinds) {
    const { kind } = entryAt(path)
    if (kind !== 'absent' && kind !== expected)
      throw new OutputError(
        'obstacle',
        `\`${path}\` is not a ${expected}. Nothing was changed.`,
        'remove it and run the command again',
      )
  }
}

/** The maximum number of files that a message lists. */
const MAX_LISTED = 20

function refuseConflicts(root: string, conflicts: readonly Conflict[]): void {
  if (conflicts.length === 0) return
  const lines = conflicts.slice(0, MAX_LISTED).map((conflict) => `  ${describeConflict(conflict)}`)
  if (conflicts.length > MAX_LISTED) lines.push(`  and ${conflicts.length - MAX_LISTED} more`)
  throw new OutputError(
    'conflict',
    [`Could not write to \`${root}\` without overwriting these files:`, ...lines].join('\n'),
    conflictHelp(conflicts),
  )
}
