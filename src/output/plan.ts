import type { GeneratedFile } from '../emit/contract.ts'
import type { Conflict } from './conflict.ts'
import type { Json } from './json.ts'
import type { Manifest } from './manifest.ts'
import type { Entry, FileEntry, ProjectView } from './project-view.ts'

/** What a generation wants the project to be. */
export interface Generation {
  /** Every file of the project; paths as `checkPaths` wants them. */
  readonly files: readonly GeneratedFile[]
  /** Answers to prompts, by the question's key. */
  readonly answers: Readonly<Record<string, string>>
  /** Snapshot of the schema, `undefined` where nothing is stored. */
  readonly schema: Json | undefined
}

/** A file that is to be written, with the digest of its content. */
export interface DigestedFile extends GeneratedFile {
  readonly sha256: string
}

/** What happens to one path. */
export type Action =
  /** `again`: it was generated before and is gone. */
  | { readonly kind: 'create'; readonly file: DigestedFile; readonly again: boolean }
  /** The file there is ours and untouched, or shared and merged. */
  | { readonly kind: 'replace'; readonly file: DigestedFile; readonly previous: FileEntry }
  /** What stands there is not ours or was edited; it is moved to `backup` first. */
  | {
      readonly kind: 'overwrite'
      readonly file: DigestedFile
      readonly previous: Exclude<Entry, { kind: 'absent' | 'blocked' }>
      readonly backup: string
    }
  /** A generated file that is generated no more and was never touched. */
  | { readonly kind: 'remove'; readonly path: string; readonly previous: FileEntry }
  /** `user`: a file of the user's. `left`: one that is generated no more, but was changed by hand. */
  | { readonly kind: 'keep'; readonly path: string; readonly why: 'user' | 'left' }
  | { readonly kind: 'unchanged'; readonly path: string }

/** Something that the user should do, or know. */
export interface LockNotice {
  /** The directory whose `package-lock.json` is the user's, and does not fit `package.json` (or is missing). */
  readonly directory: string
  readonly why: 'missing' | 'outdated'
}

/** What a generation would do to a directory. */
export interface Plan {
  /** One for each path that is emitted or was, sorted by path. */
  readonly actions: readonly Action[]
  /** What stands against it. With any, nothing is written. */
  readonly conflicts: readonly Conflict[]
  readonly lockNotices: readonly LockNotice[]
  /** What is remembered once it is carried out. */
  readonly manifest: Manifest
  /** The same as text. */
  readonly manifestText: string
}

/** What planning reads besides the generation itself. */
export interface PlanInput {
  readonly view: ProjectView
  /** Of the last generation. */
  readonly manifest: Manifest
  /** Replace what was edited or is not ours, and keep it beside. */
  readonly overwrite: boolean
}

/** The path that an action is about. */
export function pathOf(action: Action): string {
  return 'file' in action ? action.file.path : action.path
}

/** Whether an action writes or removes a file. */
export function changes(action: Action): boolean {
  return action.kind !== 'keep' && action.kind !== 'unchanged'
}
