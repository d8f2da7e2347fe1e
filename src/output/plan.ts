import type { GeneratedFile } from '../emit/contract.ts'
import type { DirectoryEntry, FileEntry } from './project-view.ts'

/** The wanted state of a project. */
export interface Generation {
  /** Every file of the project; the paths pass `checkPaths`. */
  readonly files: readonly GeneratedFile[]
  /** What the manifest remembers besides files, by key. */
  readonly answers: Readonly<Record<string, string>>
  /** The text of the definition; `undefined` if nothing is stored. */
  readonly definition: string | undefined
  /**
   * The directory of each service by that of its database, which keeps its name when the service is renamed. A
   * directory with the former name is moved.
   */
  readonly directories?: ReadonlyMap<string, string>
}

/** What happens to one path. */
export type Action =
  /** `restored`: the file was generated before and has been deleted. */
  | { readonly kind: 'create'; readonly file: GeneratedFile; readonly restored: boolean }
  /** The existing file is generated and unmodified, or shared and merged, or the first text under a former name. */
  | { readonly kind: 'replace'; readonly file: GeneratedFile; readonly previous: FileEntry }
  /** The existing file was edited or is not generated; it is moved to `backup` first. */
  | {
      readonly kind: 'overwrite'
      readonly file: GeneratedFile
      readonly previous: DirectoryEntry
      readonly backup: string
    }
  /** A generated file that is no longer part of the project. If it was modified, it is moved to `backup`. */
  | { readonly kind: 'remove'; readonly path: string; readonly previous: FileEntry; readonly backup?: string }
  /** `user`: the user owns the file. `edited`: it is no longer part of the project, but was edited by hand. */
  | { readonly kind: 'keep'; readonly path: string; readonly reason: 'user' | 'edited' }
  | { readonly kind: 'unchanged'; readonly path: string }

/** A path that cannot be written. */
export interface Conflict {
  /**
   * `edited`: a generated file was edited by hand. `foreign`: Portico did not write the file. `occupied`: it is not a
   * file that can be replaced. `blocked`: it is not a directory, and `--overwrite` does not help.
   */
  readonly kind: 'edited' | 'foreign' | 'occupied' | 'blocked'
  readonly path: string
  /** What is at the path: `edited by hand: dependencies.hono`. */
  readonly reason: string
}

/** A lock file that the user has to update. */
export interface LockNotice {
  readonly path: string
  readonly reason: 'missing' | 'outdated'
}

/** An ejected file whose generated version is no longer the one that the user took it over with. */
export interface EjectedChange {
  readonly path: string
  /** The generated text at that time. If it is not known, the text of the user's file; `isYours` tells them apart. */
  readonly before: string
  readonly isYours: boolean
  /** The generated text now. */
  readonly after: string
  /** Whether it is another one than at the last generation. */
  readonly isNew: boolean
}

/** What a generation would do to a directory. */
export interface Plan {
  /** One for each path that is generated now or was before, sorted by path. */
  readonly actions: readonly Action[]
  /** If there are any, nothing is written. */
  readonly conflicts: readonly Conflict[]
  readonly lockNotices: readonly LockNotice[]
  readonly ejectedChanges: readonly EjectedChange[]
  /** The manifest after the plan is applied. */
  readonly manifestText: string
}

/** Returns the path of an action. */
export function pathOf(action: Action): string {
  return 'file' in action ? action.file.path : action.path
}

/** An action that writes or removes a file. */
export type Change = Exclude<Action, { kind: 'keep' | 'unchanged' }>

/** Whether an action writes or removes a file. */
export function changesFile(action: Action): action is Change {
  return action.kind !== 'keep' && action.kind !== 'unchanged'
}

/** Introduces the ejected files whose generated versions have changed. */
export const EJECTED_CHANGED = 'The generated versions of files that you ejected have changed'

/** Returns what to do about conflicts, as a help line. */
export function conflictHelp(conflicts: readonly Conflict[]): string {
  const elsewhere = 'choose another directory with `--output`'
  if (conflicts.some(({ kind }) => kind === 'blocked'))
    return `${elsewhere}, or move what is in the way of these directories`
  const first = conflicts.some(({ kind }) => kind === 'edited')
    ? 'make the files yours with `portico eject <path>...`, undo the edits'
    : elsewhere
  return `${first}, or replace the files with \`portico generate --overwrite\`, which keeps your versions as \`*.orig\``
}

/** What precedes the paths of edited files that are kept, such as those of a service in another language. */
export const KEPT_EDITED = 'Kept because you edited them, although they are no longer generated'

/** Returns a conflict as a line: the path, with the reason in parentheses. */
export function describeConflict({ path, reason }: Conflict): string {
  return `${path} (${reason})`
}
