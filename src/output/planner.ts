import { isDeepStrictEqual } from 'node:util'
import type { GeneratedFile } from '../emit/contract.ts'
import { parseObject } from './json.ts'
import type { JsonObject } from '../json.ts'
import { formatManifest, type Manifest, type ManifestFile } from './manifest.ts'
import { TEXT_MERGES, type TextMerge } from './go-mod.ts'
import { formatLike, lockMatches, mergePackage, sameDependencies } from './package-json.ts'
import { foldCase, freeBackupPath } from './paths.ts'
import type { Move } from './moves.ts'
import {
  pathOf,
  type Action,
  type Conflict,
  type EjectedChange,
  type Generation,
  type LockNotice,
  type Plan,
} from './plan.ts'
import { digest, type DirectoryEntry, type FileEntry, type ProjectView } from './project-view.ts'

/** The state that a plan starts from. */
export interface PlanInput {
  readonly view: ProjectView
  /** The manifest of the last generation. */
  readonly manifest: Manifest
  /** The directories of renamed services, which `view` and `manifest` have under their new names. */
  readonly moves: readonly Move[]
  /** Replace edited and foreign files, and keep backups of them. */
  readonly overwrite: boolean
}

/** Plans what a generation does to a directory. Reads only through the view and changes nothing. */
export function makePlan(generation: Generation, input: PlanInput): Plan {
  const planner = new Planner(generation, input)
  // Whether a lock file is generated depends on the file whose dependencies it locks.
  const byTurn = generation.files.toSorted(
    (a, b) => Number(a.locks !== undefined) - Number(b.locks !== undefined),
  )
  for (const file of byTurn) {
    if (planner.ejectedFile(file)) continue
    if (file.locks !== undefined) planner.lockFile(file, file.locks)
    else if (file.owner === 'user') planner.userFile(file)
    else if (file.owner === 'shared') planner.sharedFile(file)
    else planner.generatedFile(file)
  }
  for (const [path, record] of input.manifest.files) planner.formerFile(path, record)
  return planner.result()
}

/** Collects the actions and conflicts; one method for each kind of file. */
class Planner {
  readonly #generation: Generation
  readonly #input: PlanInput
  readonly #actions: Action[] = []
  /** By path, because one link in place of a directory blocks every file below it. */
  readonly #conflicts = new Map<string, Conflict>()
  readonly #lockNotices: LockNotice[] = []
  readonly #ejectedChanges: EjectedChange[] = []
  readonly #files = new Map<string, ManifestFile>()
  /** The merged and the generated content of each shared file. */
  readonly #shared = new Map<string, { readonly merged: JsonObject; readonly ours: JsonObject }>()
  /** Case-folded, because the file system may ignore case. */
  readonly #emitted: ReadonlySet<string>

  constructor(generation: Generation, input: PlanInput) {
    this.#generation = generation
    this.#input = input
    this.#emitted = new Set(generation.files.map(({ path }) => foldCase(path)))
  }

  /** Returns whether the user ejected the file. If so, it is never written, only compared. */
  ejectedFile({ path, content, owner }: GeneratedFile): boolean {
    const record = this.#record(path)
    if (record?.ejected === undefined) return false
    const { ejected } = record
    const sha256 = digest(content)
    const entry = this.#entry(path)
    const yours = entry.kind === 'file' ? entry.text : ''
    if (sha256 === ejected.sha256) {
      this.#files.set(path, { owner, sha256, ejected: { sha256, text: content } })
    } else {
      this.#files.set(path, { owner, sha256, ejected })
      this.#ejectedChanges.push({
        path,
        before: ejected.text ?? yours,
        isYours: ejected.text === undefined,
        after: content,
        isNew: sha256 !== record.sha256,
      })
    }
    if (owner === 'shared') {
      const ours = parseObject(content) ?? {}
      this.#shared.set(path, { merged: parseObject(yours) ?? ours, ours })
    }
    if (entry.kind !== 'absent') this.#actions.push({ kind: 'keep', path, reason: 'user' })
    return true
  }

  /** A file that the user owns: written once. */
  userFile(file: GeneratedFile): void {
    const first = { owner: file.owner, sha256: digest(file.content) }
    const record = this.#record(file.path)
    const entry = this.#entry(file.path)
    if (entry.kind === 'absent' && record !== undefined && file.optional === true) {
      this.#files.set(file.path, record)
    } else if (
      entry.kind === 'file' &&
      record?.owner === 'user' &&
      record.sha256 === entry.sha256 &&
      this.#isMoved(file.path)
    ) {
      this.#replace(file, first, entry)
    } else if (entry.kind === 'file' || entry.kind === 'link' || entry.kind === 'special') {
      this.#files.set(file.path, record?.owner === 'user' ? record : first)
      this.#actions.push({ kind: 'keep', path: file.path, reason: 'user' })
    } else {
      this.#existing(file, first)
    }
  }

  /** A generated file: updated unless it was edited or is not ours. */
  generatedFile(file: GeneratedFile): void {
    const next = { owner: file.owner, sha256: digest(file.content) }
    const entry = this.#existing(file, next)
    if (entry === undefined) return
    if (this.#isUnmodified(file.path, entry)) this.#replace(file, next, entry)
    else this.#edited(file, next, entry)
  }

  /** A shared file that is not JSON: merged as text. */
  #textFile(file: GeneratedFile, { isReplaceable, recorded, merge }: TextMerge): void {
    const next = { owner: file.owner, sha256: digest(file.content), content: recorded(file.content) }
    const entry = this.#existing(file, next)
    if (entry === undefined) return
    const record = this.#record(file.path)
    if (this.#isUnmodified(file.path, entry)) return this.#replace(file, next, entry)
    if (record === undefined)
      return isReplaceable(entry.text) ? this.#replace(file, next, entry) : this.#edited(file, next, entry)
    const { text, edited } = merge(record.content ?? {}, entry.text, file.content)
    const merged = { ...file, content: text }
    if (edited.length > 0) this.#edited(merged, next, entry, edited)
    else if (text === entry.text) this.#unchanged(file.path, next)
    else this.#replace(merged, next, entry)
  }

  /** A file that Portico and the user share: merged. */
  sharedFile(file: GeneratedFile): void {
    if (file.format !== undefined) return this.#textFile(file, TEXT_MERGES[file.format])
    const ours = parseObject(file.content) ?? {}
    const next = { owner: file.owner, sha256: digest(file.content), content: ours }
    this.#shared.set(file.path, { merged: ours, ours })
    const entry = this.#existing(file, next)
    if (entry === undefined) return
    if (this.#isUnmodified(file.path, entry)) return this.#replace(file, next, entry)
    const theirs = parseObject(entry.text)
    if (theirs === undefined) return this.#edited(file, next, entry, ['not a JSON object'])
    const { content, edited } = mergePackage(this.#record(file.path)?.content ?? {}, theirs, ours)
    this.#shared.set(file.path, { merged: content, ours })
    const merged = { ...file, content: formatLike(entry.text, content) }
    if (edited.length > 0) this.#edited(merged, next, entry, edited)
    else if (isDeepStrictEqual(content, theirs)) this.#unchanged(file.path, next)
    else this.#replace(merged, next, entry)
  }

  /** A lock file: generated as long as the dependencies that it locks are; otherwise the user owns it. */
  lockFile(file: GeneratedFile, locked: string): void {
    const { path } = file
    const next = { owner: file.owner, sha256: digest(file.content) }
    const { merged, ours } = this.#shared.get(locked) ?? { merged: {}, ours: {} }
    if (!sameDependencies(merged, ours)) {
      this.#files.set(path, next)
      const entry = this.#entry(path)
      if (entry.kind === 'absent') this.#lockNotices.push({ path, reason: 'missing' })
      else this.#actions.push({ kind: 'keep', path, reason: 'user' })
      if (entry.kind === 'file' && !lockMatches(entry.text, merged))
        this.#lockNotices.push({ path, reason: 'outdated' })
      return
    }
    const entry = this.#existing(file, next)
    if (entry === undefined) return
    if (this.#record(path) === undefined) this.#edited(file, next, entry)
    // Lock files are not edited by hand: npm wrote this one, for older dependencies.
    else this.#replace(file, next, entry)
  }

  /** A file in the manifest: removed if it is no longer part of the project and was not modified. */
  formerFile(path: string, record: ManifestFile): void {
    if (this.#emitted.has(foldCase(path))) return
    const entry = this.#entry(path)
    if (entry.kind === 'absent') return
    if (entry.kind === 'file' && entry.sha256 === record.sha256 && record.ejected === undefined) {
      this.#actions.push({ kind: 'remove', path, previous: entry })
      return
    }
    this.#files.set(path, record)
    this.#actions.push({ kind: 'keep', path, reason: 'edited' })
  }

  result(): Plan {
    const answers = { ...this.#input.manifest.answers, ...this.#generation.answers }
    return {
      manifestText: formatManifest({ files: this.#files, answers, definition: this.#generation.definition }),
      actions: this.#actions.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1)),
      conflicts: [...this.#conflicts.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
      ejectedChanges: this.#ejectedChanges.sort((a, b) => (a.path < b.path ? -1 : 1)),
      lockNotices: this.#lockNotices.sort((a, b) => (a.path < b.path ? -1 : 1)),
    }
  }

  #entry(path: string): DirectoryEntry {
    return this.#input.view.entry(path)
  }

  #record(path: string): ManifestFile | undefined {
    return this.#input.manifest.files.get(path)
  }

  /** Whether the file was written under the former name of its service, so that a first text has that name in it. */
  #isMoved(path: string): boolean {
    return this.#input.moves.some(({ to }) => path.startsWith(`${to}/`))
  }

  /** Whether the file is as Portico wrote it, so that it can be replaced. Never true of a user's file. */
  #isUnmodified(path: string, entry: FileEntry): boolean {
    const record = this.#record(path)
    return record !== undefined && record.owner !== 'user' && record.sha256 === entry.sha256
  }

  /** Returns the existing file if it differs from the generated one. Otherwise plans what happens to the path. */
  #existing(file: GeneratedFile, record: ManifestFile): FileEntry | undefined {
    const { path } = file
    const entry = this.#entry(path)
    if (entry.kind === 'file') {
      if (entry.sha256 !== record.sha256) return entry
      this.#unchanged(path, record)
    } else if (entry.kind === 'absent') {
      this.#files.set(path, record)
      this.#actions.push({ kind: 'create', file, restored: this.#record(path) !== undefined })
    } else if (entry.kind === 'blocked') {
      const reason = `${NOUNS[entry.by]}, expected a directory`
      this.#conflicts.set(entry.at, { kind: 'blocked', path: entry.at, reason })
    } else {
      this.#conflict(file, record, entry, { kind: 'occupied', path, reason: NOUNS[entry.kind] })
    }
    return undefined
  }

  #replace(file: GeneratedFile, record: ManifestFile, previous: FileEntry): void {
    this.#files.set(file.path, record)
    this.#actions.push({ kind: 'replace', file, previous })
  }

  #unchanged(path: string, record: ManifestFile): void {
    this.#files.set(path, record)
    this.#actions.push({ kind: 'unchanged', path })
  }

  /** `details`: what is wrong with a shared file, such as the generated keys that were changed. */
  #edited(
    file: GeneratedFile,
    record: ManifestFile,
    entry: FileEntry,
    details: readonly string[] = [],
  ): void {
    const { path } = file
    const owner = this.#record(path)?.owner
    const list = details.length === 0 ? '' : `: ${details.join(', ')}`
    const conflict: Conflict =
      owner === undefined || owner === 'user'
        ? { kind: 'foreign', path, reason: `not written by Portico${list}` }
        : { kind: 'edited', path, reason: `edited by hand${list}` }
    this.#conflict(file, record, entry, conflict)
  }

  #conflict(file: GeneratedFile, record: ManifestFile, previous: DirectoryEntry, conflict: Conflict): void {
    if (!this.#input.overwrite) {
      this.#conflicts.set(conflict.path, conflict)
      return
    }
    this.#files.set(file.path, record)
    this.#actions.push({ kind: 'overwrite', file, previous, backup: this.#freeBackup(file.path) })
  }

  #freeBackup(path: string): string {
    const isFree = (candidate: string): boolean =>
      !this.#emitted.has(foldCase(candidate)) && this.#entry(candidate).kind === 'absent'
    return freeBackupPath(path, isFree)
  }
}

const NOUNS = {
  directory: 'a directory',
  file: 'a file',
  link: 'a symbolic link',
  special: 'not a regular file',
} as const
