import { join } from 'node:path'
import type { Disk } from './disk.ts'
import type { Journal, StatePaths, Step } from './journal.ts'
import { directoryOf } from './paths.ts'
import { entryAt, type Entry } from './project-view.ts'

/** Where a write takes place. */
export interface Place {
  /** The output directory, absolute. */
  readonly root: string
  readonly state: StatePaths
  readonly disk: Disk
}

/**
 * A write met something that was not there when it was planned. The message is a sentence. Thrown within the
 * stage only: whoever carries out a journal turns it into an outcome.
 */
export class Surprise extends Error {
  override readonly name = 'Surprise'
}

/**
 * Carries out a journal, whole or from wherever an earlier process got to, and returns the backups that it
 * made of files that somebody changed in between. `strict`: such a change is a `Surprise` instead. System
 * errors are thrown too; the journal then still stands, to be undone.
 */
export function carryOut(journal: Journal, place: Place, strict: boolean): string[] {
  const setAside: string[] = []
  const ways = new Ways(place)
  for (const [number, step] of journal.steps.entries()) {
    if (step.kind === 'remove') takeAway(step, number, place, ways, strict)
    else putInPlace(step, number, place, ways, strict, setAside)
  }
  for (const step of journal.steps) if (step.kind === 'remove') ways.prune(directoryOf(step.path))
  const { state, disk } = place
  if (entryAt(state.stagedManifest).kind === 'file') disk.rename(state.stagedManifest, state.manifest)
  return setAside
}

/** Undoes what was carried out of a journal. It may be called again after it was cut short. */
export function undo(journal: Journal, place: Place): string[] {
  const setAside: string[] = []
  const ways = new Ways(place)
  for (const [number, step] of [...journal.steps.entries()].reverse()) {
    if (ways.isBlocked(directoryOf(step.path))) continue
    switch (step.kind) {
      case 'put':
        undoPut(step, number, place, setAside)
        break
      case 'overwrite':
        undoOverwrite(step, number, place, setAside)
        break
      case 'remove':
        if (isFile(place.state.old(number)) && entryAt(join(place.root, step.path)).kind === 'absent') {
          ways.open(directoryOf(step.path))
          place.disk.rename(place.state.old(number), join(place.root, step.path))
        }
    }
  }
  for (const step of journal.steps) if (step.kind !== 'remove') ways.prune(directoryOf(step.path))
  return setAside
}

type Put = Extract<Step, { kind: 'put' }>
type Overwrite = Extract<Step, { kind: 'overwrite' }>
type Remove = Extract<Step, { kind: 'remove' }>

function putInPlace(
  step: Put | Overwrite,
  number: number,
  place: Place,
  ways: Ways,
  strict: boolean,
  setAside: string[],
): void {
  const { root, state, disk } = place
  const staged = state.staged(number)
  // Moved by the process that was ended. What this one has just staged is there.
  if (!strict && !isFile(staged)) return
  ways.open(directoryOf(step.path))
  const target = join(root, step.path)
  const entry = entryAt(target)
  if (step.kind === 'overwrite') {
    const backup = join(root, step.backup)
    if (entry.kind !== 'absent' && entryAt(backup).kind === 'absent') disk.rename(target, backup)
    else if (entry.kind !== 'absent') setAside.push(moveAside(step.path, place))
  } else if (entry.kind === 'file' && entry.sha256 === step.previous) {
    if (isFile(state.old(number))) disk.unlink(state.old(number))
    disk.link(target, state.old(number))
  } else if (entry.kind !== 'absent') {
    if (strict) throw new Surprise(`${step.path} changed while the project was generated.`)
    setAside.push(moveAside(step.path, place))
  }
  disk.rename(staged, target)
}

function takeAway(step: Remove, number: number, place: Place, ways: Ways, strict: boolean): void {
  const { root, state, disk } = place
  // What stands there again, after it was taken away, is somebody's.
  if (isFile(state.old(number)) || ways.isBlocked(directoryOf(step.path))) return
  const target = join(root, step.path)
  const entry = entryAt(target)
  if (entry.kind === 'file' && entry.sha256 === step.previous) disk.rename(target, state.old(number))
  else if (entry.kind !== 'absent' && strict)
    throw new Surprise(`${step.path} changed while the project was generated.`)
}

function undoPut(step: Put, number: number, place: Place, setAside: string[]): void {
  const { root, state, disk } = place
  const target = join(root, step.path)
  const old = state.old(number)
  const entry = entryAt(target)
  if (isFile(old)) {
    if (hasDigest(entry, step.previous)) {
      disk.unlink(old)
      return
    }
    if (entry.kind !== 'absent' && !hasDigest(entry, step.next)) setAside.push(moveAside(step.path, place))
    disk.rename(old, target)
  } else if (!isFile(state.staged(number)) && hasDigest(entry, step.next)) {
    disk.unlink(target)
  }
}

function undoOverwrite(step: Overwrite, number: number, place: Place, setAside: string[]): void {
  const { root, state, disk } = place
  const target = join(root, step.path)
  const backup = join(root, step.backup)
  if (entryAt(backup).kind === 'absent') return
  const entry = entryAt(target)
  if (entry.kind !== 'absent') {
    // The backup was not made yet, and what bears its name is somebody's.
    if (isFile(state.staged(number))) return
    if (hasDigest(entry, step.next)) disk.unlink(target)
    else setAside.push(moveAside(step.path, place))
  }
  disk.rename(backup, target)
}

/** Moves what somebody wrote beside itself, under a name that is free, and returns that name. */
function moveAside(path: string, { root, disk }: Place): string {
  for (let number = 1; ; number++) {
    const backup = `${path}.orig${number === 1 ? '' : `.${number}`}`
    if (entryAt(join(root, backup)).kind !== 'absent') continue
    disk.rename(join(root, path), join(root, backup))
    return backup
  }
}

function isFile(file: string): boolean {
  return entryAt(file).kind === 'file'
}

function hasDigest(entry: Entry, sha256: string | null): boolean {
  return entry.kind === 'file' && entry.sha256 === sha256
}

/** The directories of a project: made where they are missing, never followed where they are links. */
class Ways {
  readonly #place: Place
  readonly #open = new Set<string>([''])

  constructor(place: Place) {
    this.#place = place
  }

  /** Makes sure that a directory and all above it are real directories. */
  open(directory: string): void {
    if (this.#open.has(directory)) return
    this.open(directoryOf(directory))
    const absolute = join(this.#place.root, directory)
    const { kind } = entryAt(absolute)
    if (kind === 'absent') this.#place.disk.makeDirectory(absolute)
    else if (kind !== 'directory') throw new Surprise(`${directory} is no directory any more.`)
    this.#open.add(directory)
  }

  /** Whether something on the way is no directory. A missing one blocks nothing. */
  isBlocked(directory: string): boolean {
    if (this.#open.has(directory)) return false
    if (this.isBlocked(directoryOf(directory))) return true
    const { kind } = entryAt(join(this.#place.root, directory))
    if (kind === 'directory') this.#open.add(directory)
    return kind !== 'directory' && kind !== 'absent'
  }

  /** Removes a directory and those above it as far as they are empty. */
  prune(directory: string): void {
    for (let at = directory; at !== ''; at = directoryOf(at)) {
      if (this.isBlocked(at)) return
      this.#open.delete(at)
      try {
        this.#place.disk.removeDirectory(join(this.#place.root, at))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // Gone already, or holding something that stays. A directory that cannot be removed harms nobody.
        if (code !== 'ENOENT') return
      }
    }
  }
}
