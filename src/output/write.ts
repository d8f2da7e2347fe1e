import { mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSystemError, systemErrorMessage } from '../system-error.ts'
import { createDirectories, flush } from './disk.ts'
import { formatJournal, parseJournal, stepsOf, type Journal, type JournalStep } from './journal.ts'
import type { Move } from './moves.ts'
import { directoryOf } from './paths.ts'
import { changesFile, type Plan } from './plan.ts'
import {
  entryAt,
  readRegularFile,
  viewDirectory,
  type DirectoryEntry,
  type ProjectView,
} from './project-view.ts'
import { OutputError } from './result.ts'
import type { StatePaths } from './state-paths.ts'

const FILE_MODE = 0o666
const EXECUTABLE_MODE = 0o777

/** The output directory that a write changes. */
export interface OutputDirectory {
  /** Absolute. */
  readonly root: string
  readonly state: StatePaths
}

/**
 * Applies a plan: all of it or, if a step fails, nothing. Every file is staged first. Then the journal is written, the
 * directories are moved, and each file is renamed into its place, the manifest last. A write that is interrupted in
 * between is rolled back by the next process that locks the directory.
 *
 * @throws an `OutputError` or a system error.
 */
export async function writePlan(plan: Plan, moves: readonly Move[], target: OutputDirectory): Promise<void> {
  const journal = { moves, steps: stepsOf(plan.actions) }
  try {
    await stage(plan, journal, target)
  } catch (error) {
    removeStaging(target)
    throw error
  }
  try {
    apply(journal, target)
  } catch (error) {
    rollBack(journal, target)
    throw error
  }
  removeStaging(target)
}

/** Whether an earlier write was interrupted before it was complete. */
export function isInterrupted({ journal, stagedManifest }: StatePaths): boolean {
  return entryAt(journal).kind !== 'absent' && entryAt(stagedManifest).kind !== 'absent'
}

/** Rolls back the interrupted write of an earlier process. Returns whether there was one. */
export function recover(target: OutputDirectory): boolean {
  const { state } = target
  if (!isInterrupted(state)) {
    removeStaging(target)
    return false
  }
  const journal = parseJournal(readRegularFile(state.journal).toString('utf8'))
  if (journal === undefined)
    throw new OutputError(
      'interrupted',
      `The journal of an interrupted write, \`${state.journal}\`, is damaged`,
      `delete it and \`${state.staging}\`, then generate again`,
    )
  rollBack(journal, target)
  return true
}

/**
 * The operating system keeps what a killed process has written, so `kill -9` needs no flushing. Against a power
 * failure, files that replace older ones are flushed first, and so are the manifest and the journal. New files
 * are not: thousands of flushes would take seconds, and generating again restores them.
 */
async function stage(plan: Plan, journal: Journal, { state }: OutputDirectory): Promise<void> {
  rmSync(state.staging, { recursive: true, force: true })
  mkdirSync(state.staging)
  const replacing: string[] = []
  // One after the other: file systems create the entries of a directory one at a time, and threads would only wait.
  for (const [number, action] of plan.actions.filter(changesFile).entries()) {
    if (action.kind === 'remove') continue
    const mode = action.file.executable === true ? EXECUTABLE_MODE : FILE_MODE
    writeFileSync(state.newFile(number), action.file.content, { mode })
    if (action.kind !== 'create') replacing.push(state.newFile(number))
  }
  writeFileSync(state.stagedManifest, plan.manifestText)
  writeFileSync(state.stagedJournal, formatJournal(journal))
  await flush([...replacing, state.stagedManifest, state.stagedJournal])
  renameSync(state.stagedJournal, state.journal)
  await flush([state.directory])
}

function apply({ moves, steps }: Journal, { root, state }: OutputDirectory): void {
  for (const { from, to } of moves) {
    if (!isMovable(root, from, to)) throw modified(from)
    renameSync(join(root, from), join(root, to))
  }
  const view = viewDirectory(root)
  const directories = new Set<string>()
  for (const [number, step] of steps.entries()) {
    const file = join(root, step.path)
    const entry = view.entry(step.path)
    if (!isExpected(entry, step, view)) throw modified(step.path)
    if (entry.kind !== 'absent') renameSync(file, oldFile(number, step, { root, state }))
    if (step.next === null) continue
    if (!directories.has(dirname(file))) createDirectories(dirname(file))
    directories.add(dirname(file))
    renameSync(state.newFile(number), file)
  }
  const removals = steps.filter(({ next }) => next === null)
  removeEmptyDirectories(removals, root)
  renameSync(state.stagedManifest, state.manifest)
}

function isMovable(root: string, from: string, to: string): boolean {
  return entryAt(join(root, from)).kind === 'directory' && entryAt(join(root, to)).kind === 'absent'
}

function modified(path: string): OutputError {
  const message = `\`${path}\` was modified while the project was generated. Nothing was changed.`
  return new OutputError('obstacle', message, 'run the command again')
}

/** Whether the entry at the path of a step is still the one that was planned for. */
function isExpected(entry: DirectoryEntry, step: JournalStep, view: ProjectView): boolean {
  if (step.backup !== null) return entry.kind !== 'blocked' && view.entry(step.backup).kind === 'absent'
  return step.previous === null ? entry.kind === 'absent' : isFile(entry, step.previous)
}

/** Reverts the applied steps of a write. Can be repeated after an interruption. */
function rollBack({ moves, steps }: Journal, target: OutputDirectory): void {
  try {
    const view = viewDirectory(target.root)
    for (const [number, step] of steps.entries()) revert(step, number, view, target)
    removeEmptyDirectories(steps, target.root)
    for (const { from, to } of moves.toReversed())
      if (isMovable(target.root, to, from)) renameSync(join(target.root, to), join(target.root, from))
    // The journal goes first: what is left in the staging directory without it has no effect.
    unlinkSync(target.state.journal)
    removeStaging(target)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new OutputError(
      'system',
      `${systemErrorMessage(error, error.path ?? target.root)}. The project was only partly written.`,
      'fix the cause and run the command again: the write is rolled back',
    )
  }
}

/** Reverts a step if it was applied. What else is at its path now belongs to the user and stays. */
function revert(step: JournalStep, number: number, view: ProjectView, target: OutputDirectory): void {
  const file = join(target.root, step.path)
  const old = oldFile(number, step, target)
  const entry = view.entry(step.path)
  if (step.next !== null && isFile(entry, step.next)) unlinkSync(file)
  else if (entry.kind !== 'absent') return
  if (entryAt(old).kind === 'absent') return
  createDirectories(dirname(file))
  renameSync(old, file)
}

/** Where a step moves what it replaces or removes. */
function oldFile(number: number, step: JournalStep, { root, state }: OutputDirectory): string {
  return step.backup === null ? state.oldFile(number) : join(root, step.backup)
}

function isFile(entry: DirectoryEntry, sha256: string): boolean {
  return entry.kind === 'file' && entry.sha256 === sha256
}

/** Removes the directories of steps, and the directories around them, that have become empty. */
function removeEmptyDirectories(steps: readonly JournalStep[], root: string): void {
  const view = viewDirectory(root)
  for (const { path } of steps) {
    if (view.entry(path).kind !== 'absent') continue
    for (let at = directoryOf(path); at !== ''; at = directoryOf(at)) {
      try {
        rmdirSync(join(root, at))
      } catch (error) {
        if (!isSystemError(error)) throw error
        // The directory is not empty, or cannot be removed: leaving it does no harm.
        if (error.code !== 'ENOENT') break
      }
    }
  }
}

/** Removes the journal of a complete write and staged files, which have no effect: failing to is not an error. */
function removeStaging({ state }: OutputDirectory): void {
  try {
    rmSync(state.journal, { force: true })
    rmSync(state.staging, { recursive: true, force: true })
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}
