import { join } from 'node:path'
import { isObject, own, parseJson, type Json } from './json.ts'
import { unsafeReason } from './paths.ts'
import { STATE_DIRECTORY } from './state-directory.ts'

/**
 * What a write is about to do, complete before it touches the first file. While the journal exists, whoever
 * holds the directory next finishes the write, or undoes it.
 */
export interface Journal {
  readonly steps: readonly Step[]
}

/** One step of a write. Its number, from 0, names its staged and its old file. */
export type Step =
  /** Moves the staged file, of digest `next`, to `path`. `previous`: of what it replaces, `null` for nothing. */
  | { readonly kind: 'put'; readonly path: string; readonly next: string; readonly previous: string | null }
  /** Moves whatever stands at `path` to `backup`, then the staged file, of digest `next`, to `path`. */
  | { readonly kind: 'overwrite'; readonly path: string; readonly next: string; readonly backup: string }
  /** Moves the file at `path` out of the project, if it still has the digest `previous`. */
  | { readonly kind: 'remove'; readonly path: string; readonly previous: string }

/** Absolute paths of what generation keeps in an output directory. */
export interface StatePaths {
  readonly directory: string
  readonly manifest: string
  /** Keeps all but the manifest out of version control. */
  readonly gitignore: string
  readonly lock: string
  /** Who holds the lock: a process id, for messages. */
  readonly holder: string
  /** There while a write is carried out. */
  readonly journal: string
  /** The journal under another name: there while a write is undone. */
  readonly undoing: string
  readonly staging: string
  readonly stagedManifest: string
  readonly stagedJournal: string
  readonly newFiles: string
  readonly oldFiles: string
  /** The new file of a step. */
  staged(step: number): string
  /** What a step replaced or removed. */
  old(step: number): string
}

/** The paths for an output directory. */
export function statePaths(root: string): StatePaths {
  const directory = join(root, STATE_DIRECTORY)
  const staging = join(directory, 'staging')
  const newFiles = join(staging, 'new')
  const oldFiles = join(staging, 'old')
  return {
    directory,
    manifest: join(directory, 'manifest.json'),
    gitignore: join(directory, '.gitignore'),
    lock: join(directory, 'lock'),
    holder: join(directory, 'holder'),
    journal: join(directory, 'journal.json'),
    undoing: join(directory, 'undoing.json'),
    staging,
    stagedManifest: join(staging, 'manifest.json'),
    stagedJournal: join(staging, 'journal.json'),
    newFiles,
    oldFiles,
    staged: (step) => join(newFiles, String(step)),
    old: (step) => join(oldFiles, String(step)),
  }
}

/** A journal as text. */
export function formatJournal(journal: Journal): string {
  return JSON.stringify({ version: 1, ...journal })
}

/** Reads a journal, `undefined` where it is none. Nothing in it is trusted: its paths are safe ones. */
export function parseJournal(text: string): Journal | undefined {
  const json = parseJson(text)
  if (!isObject(json) || own(json, 'version') !== 1) return undefined
  const steps = own(json, 'steps')
  if (!Array.isArray(steps)) return undefined
  const read = steps.map(parseStep)
  return read.every((step) => step !== undefined) ? { steps: read } : undefined
}

function parseStep(json: Json): Step | undefined {
  if (!isObject(json)) return undefined
  const path = safePath(own(json, 'path'))
  const backup = safePath(own(json, 'backup'))
  const next = own(json, 'next')
  const previous = own(json, 'previous')
  if (path === undefined) return undefined
  const kind = own(json, 'kind')
  if (kind === 'put' && typeof next === 'string' && (previous === null || typeof previous === 'string'))
    return { kind, path, next, previous }
  if (kind === 'overwrite' && typeof next === 'string' && backup !== undefined)
    return { kind, path, next, backup }
  return kind === 'remove' && typeof previous === 'string' ? { kind, path, previous } : undefined
}

function safePath(json: Json | undefined): string | undefined {
  return typeof json === 'string' && unsafeReason(json) === undefined ? json : undefined
}
