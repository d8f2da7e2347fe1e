import { carryOut, Surprise, undo, type Place } from './carry-out.ts'
import { parseJournal, type Journal, type StatePaths } from './journal.ts'
import { failure, isSystemError, success, systemFailure, type Outcome } from './problem.ts'
import { entryAt, readRegularFile } from './project-view.ts'
import { STATE_DIRECTORY } from './state-directory.ts'

/** What became of a write that an earlier process began and did not end. */
export interface Recovery {
  readonly kind: 'finished' | 'undone'
  /** Copies of files that somebody changed in between, beside them. */
  readonly setAside: readonly string[]
}

/** Whether an earlier write waits to be finished or undone. */
export function isInterrupted(state: StatePaths): boolean {
  return entryAt(state.journal).kind === 'file' || entryAt(state.undoing).kind === 'file'
}

/**
 * Carries out a journal that was just laid down. Where that fails midway, all of it is undone, and the outcome
 * says why.
 */
export function finish(journal: Journal, place: Place): Outcome<undefined> {
  try {
    carryOut(journal, place, true)
  } catch (error) {
    const undone = turnBack(journal, place)
    if (!undone.ok) return undone
    if (!(error instanceof Surprise)) return systemFailure(error, 'Nothing was changed.')
    return failure('obstacle', error.message, 'Nothing was changed; generate again.')
  }
  return cleanUp(place.state.journal, place)
}

/** Finishes the write that an earlier process left behind, or undoes it where it cannot be finished. */
export function recover(place: Place): Outcome<Recovery | undefined> {
  const { state } = place
  const file = [state.undoing, state.journal].find((path) => entryAt(path).kind === 'file')
  if (file === undefined) {
    removeStaging(place)
    return success(undefined)
  }
  const journal = parseJournal(readRegularFile(file).toString('utf8'))
  if (journal === undefined) {
    return failure(
      'interrupted',
      `${file} cannot be read, so the write that it stands for can be neither finished nor undone.`,
      `Delete it and ${state.staging}, then generate again.`,
    )
  }
  if (file === state.undoing) return turnBack(journal, place)
  try {
    const setAside = carryOut(journal, place, false)
    const cleaned = cleanUp(state.journal, place)
    return cleaned.ok ? success({ kind: 'finished', setAside }) : cleaned
  } catch (error) {
    if (!(error instanceof Surprise) && !isSystemError(error)) throw error
    return turnBack(journal, place)
  }
}

/** Undoes a journal. Its new name comes first: whoever is next must not carry it out again. */
function turnBack(journal: Journal, place: Place): Outcome<Recovery> {
  const { state, disk } = place
  try {
    if (entryAt(state.journal).kind === 'file') disk.rename(state.journal, state.undoing)
    const setAside = undo(journal, place)
    const cleaned = cleanUp(state.undoing, place)
    return cleaned.ok ? success({ kind: 'undone', setAside }) : cleaned
  } catch (error) {
    return systemFailure(
      error,
      'The project is half written. Mend this, then run `portico generate` again: it begins by finishing or undoing.',
    )
  }
}

function cleanUp(journal: string, place: Place): Outcome<undefined> {
  try {
    place.disk.unlink(journal)
  } catch (error) {
    return systemFailure(error, `The project is complete, but ${STATE_DIRECTORY} could not be tidied up.`)
  }
  removeStaging(place)
  return success(undefined)
}

/** Without a journal, staged files mean nothing; those that cannot be removed harm nobody. */
function removeStaging({ state, disk }: Place): void {
  try {
    if (entryAt(state.staging).kind === 'directory') disk.removeTree(state.staging)
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}
