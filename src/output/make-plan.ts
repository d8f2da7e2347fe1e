import type { GeneratedFile } from '../emit/contract.ts'
import type { Conflict } from './conflict.ts'
import { digest } from './digest.ts'
import { isObject, parseJson, sameJson, type JsonObject } from './json.ts'
import { formatManifest, type Manifest, type ManifestFile } from './manifest.ts'
import { formatLike, lockAgrees, mergePackage, sameDependencies, sameLock } from './package-json.ts'
import { directoryOf, foldCase } from './paths.ts'
import {
  pathOf,
  type Action,
  type DigestedFile,
  type Generation,
  type LockNotice,
  type Plan,
  type PlanInput,
} from './plan.ts'
import type { Entry, FileEntry } from './project-view.ts'

/** What a generation would do to the directory of a view. Reads through the view alone and changes nothing. */
export function makePlan(generation: Generation, input: PlanInput): Plan {
  const plan = new Planner(generation, input)
  const lockFiles: GeneratedFile[] = []
  for (const file of generation.files) {
    if (file.owner === 'user') plan.userFile(file)
    else if (file.owner === 'generated') plan.generatedFile(file)
    else if (isLockFile(file.path)) lockFiles.push(file)
    else plan.sharedFile(file)
  }
  // Whose a lock file is depends on the package.json beside it.
  for (const file of lockFiles) plan.lockFile(file)
  for (const [path, record] of input.manifest.files) plan.formerFile(path, record)
  return plan.result()
}

/** Collects what happens to each path; one method a kind of file. */
class Planner {
  readonly #generation: Generation
  readonly #input: PlanInput
  readonly #actions: Action[] = []
  readonly #conflicts: Conflict[] = []
  readonly #lockNotices: LockNotice[] = []
  readonly #files = new Map<string, ManifestFile>()
  /** What the `package.json` of a directory will hold, and what of it is ours. */
  readonly #packages = new Map<string, { readonly merged: JsonObject; readonly ours: JsonObject }>()
  readonly #emitted: ReadonlySet<string>
  /** Where a file system ignores case, records are found under any spelling. */
  readonly #folded: ReadonlyMap<string, ManifestFile> | undefined

  constructor(generation: Generation, input: PlanInput) {
    this.#generation = generation
    this.#input = input
    this.#emitted = new Set(generation.files.map(({ path }) => this.#key(path)))
    this.#folded = input.view.ignoresCase
      ? new Map([...input.manifest.files].map(([path, record]) => [foldCase(path), record]))
      : undefined
  }

  /** The user's: written once. */
  userFile(file: GeneratedFile): void {
    const record = this.#record(file.path)
    const entry = this.#input.view.entry(file.path)
    const first = { owner: file.owner, sha256: digest(file.content) }
    if (entry.kind === 'absent' && record !== undefined && file.optional === true) {
      this.#files.set(file.path, record)
    } else if (entry.kind === 'absent') {
      this.#create(file, first)
    } else if (entry.kind === 'directory' || entry.kind === 'blocked') {
      this.#occupied(file, first, entry)
    } else {
      this.#files.set(file.path, record?.owner === 'user' ? record : first)
      this.#actions.push({ kind: 'keep', path: file.path, why: 'user' })
    }
  }

  /** Ours: kept current, unless somebody else wrote it. */
  generatedFile(file: GeneratedFile): void {
    const next = { owner: file.owner, sha256: digest(file.content) }
    const entry = this.#input.view.entry(file.path)
    if (entry.kind === 'absent') this.#create(file, next)
    else if (entry.kind !== 'file') this.#occupied(file, next, entry)
    else if (entry.sha256 === next.sha256) this.#unchanged(file.path, next)
    else if (this.#isUntouched(file.path, entry)) this.#replace(file, next, entry)
    else this.#edited(file, next, entry, [])
  }

  /** A JSON object that is ours and the user's: merged. */
  sharedFile(file: GeneratedFile): void {
    const ours = parseObject(file.content)
    if (ours === undefined) return this.generatedFile(file)
    const next = { owner: file.owner, sha256: digest(file.content), content: ours }
    const directory = directoryOf(file.path)
    this.#packages.set(directory, { merged: ours, ours })
    const entry = this.#input.view.entry(file.path)
    if (entry.kind === 'absent') return this.#create(file, next)
    if (entry.kind !== 'file') return this.#occupied(file, next, entry)
    if (entry.sha256 === next.sha256) return this.#unchanged(file.path, next)
    if (this.#isUntouched(file.path, entry)) return this.#replace(file, next, entry)
    const text = entry.text
    const theirs = parseObject(text)
    if (theirs === undefined) {
      return this.#contested(file, next, entry, { kind: 'unreadable', path: file.path })
    }
    const { content, edited } = mergePackage(this.#record(file.path)?.content ?? {}, theirs, ours)
    this.#packages.set(directory, { merged: content, ours })
    const merged = { ...file, content: formatLike(text, content) }
    if (edited.length > 0) this.#edited(merged, next, entry, edited)
    else if (sameJson(content, theirs)) this.#unchanged(file.path, next)
    else this.#replace(merged, next, entry)
  }

  /** Ours while the dependencies beside it are; else the user's, and only looked at. */
  lockFile(file: GeneratedFile): void {
    const next = { owner: file.owner, sha256: digest(file.content) }
    const directory = directoryOf(file.path)
    const { merged, ours } = this.#packages.get(directory) ?? { merged: {}, ours: {} }
    const entry = this.#input.view.entry(file.path)
    if (sameDependencies(merged, ours)) {
      if (entry.kind === 'absent') this.#create(file, next)
      else if (entry.kind !== 'file') this.#occupied(file, next, entry)
      else if (entry.sha256 === next.sha256 || sameLock(entry.text, file.content))
        this.#unchanged(file.path, next)
      else if (this.#record(file.path) === undefined) this.#edited(file, next, entry, [])
      // No one writes a lock file by hand: npm wrote it, for dependencies that are not these any more.
      else this.#replace(file, next, entry)
      return
    }
    this.#files.set(file.path, next)
    if (entry.kind === 'absent') this.#lockNotices.push({ directory, why: 'missing' })
    else this.#actions.push({ kind: 'keep', path: file.path, why: 'user' })
    if (entry.kind === 'file' && !lockAgrees(entry.text, merged))
      this.#lockNotices.push({ directory, why: 'outdated' })
  }

  /** A file that the manifest knows: where it is generated no more, it goes, unless it was changed. */
  formerFile(path: string, record: ManifestFile): void {
    if (this.#emitted.has(this.#key(path))) return
    const entry = this.#input.view.entry(path)
    if (entry.kind === 'absent') return
    if (entry.kind === 'file' && isAsWritten(entry, record)) {
      this.#actions.push({ kind: 'remove', path, previous: entry })
      return
    }
    this.#files.set(path, record)
    this.#actions.push({ kind: 'keep', path, why: 'left' })
  }

  result(): Plan {
    const manifest: Manifest = {
      files: this.#files,
      answers: { ...this.#input.manifest.answers, ...this.#generation.answers },
      schema: this.#generation.schema,
    }
    return {
      manifest,
      manifestText: formatManifest(manifest),
      actions: this.#actions.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1)),
      conflicts: withoutRepetition(this.#conflicts),
      lockNotices: this.#lockNotices.sort((a, b) => (a.directory < b.directory ? -1 : 1)),
    }
  }

  #key(path: string): string {
    return this.#input.view.ignoresCase ? foldCase(path) : path
  }

  #record(path: string): ManifestFile | undefined {
    return this.#input.manifest.files.get(path) ?? this.#folded?.get(foldCase(path))
  }

  /** The file is as generation wrote it, so that it may be replaced. A user's file never is. */
  #isUntouched(path: string, entry: FileEntry): boolean {
    const record = this.#record(path)
    return record !== undefined && record.owner !== 'user' && record.sha256 === entry.sha256
  }

  #create(file: GeneratedFile, record: ManifestFile): void {
    this.#files.set(file.path, record)
    this.#actions.push({
      kind: 'create',
      file: digested(file, record),
      again: this.#record(file.path) !== undefined,
    })
  }

  #replace(file: GeneratedFile, record: ManifestFile, previous: FileEntry): void {
    this.#files.set(file.path, record)
    this.#actions.push({ kind: 'replace', file: digested(file, record), previous })
  }

  #unchanged(path: string, record: ManifestFile): void {
    this.#files.set(path, record)
    this.#actions.push({ kind: 'unchanged', path })
  }

  #edited(file: GeneratedFile, record: ManifestFile, entry: FileEntry, keys: readonly string[]): void {
    const owner = this.#record(file.path)?.owner
    const kind = owner === undefined || owner === 'user' ? 'foreign' : 'edited'
    this.#contested(file, record, entry, { kind, path: file.path, keys })
  }

  #occupied(file: GeneratedFile, record: ManifestFile, entry: Exclude<Entry, { kind: 'absent' }>): void {
    if (entry.kind === 'blocked') this.#conflicts.push({ kind: 'blocked', at: entry.at, by: entry.by })
    else if (entry.kind !== 'file')
      this.#contested(file, record, entry, { kind: 'occupied', path: file.path, by: entry.kind })
  }

  #contested(
    file: GeneratedFile,
    record: ManifestFile,
    previous: Exclude<Entry, { kind: 'absent' | 'blocked' }>,
    conflict: Conflict,
  ): void {
    if (!this.#input.overwrite) {
      this.#conflicts.push(conflict)
      return
    }
    this.#files.set(file.path, record)
    const backup = this.#freeBackup(file.path)
    this.#actions.push({ kind: 'overwrite', file: digested(file, record), previous, backup })
  }

  /** `main.ts.orig`, or with the first free number: no earlier backup is ever overwritten. */
  #freeBackup(path: string): string {
    for (let number = 1; ; number++) {
      const backup = `${path}.orig${number === 1 ? '' : `.${number}`}`
      if (!this.#emitted.has(this.#key(backup)) && this.#input.view.entry(backup).kind === 'absent')
        return backup
    }
  }
}

/** What was merged has another digest than what the record remembers as ours. */
function digested(file: GeneratedFile, { sha256, content }: ManifestFile): DigestedFile {
  return { ...file, sha256: content === undefined ? sha256 : digest(file.content) }
}

function isLockFile(path: string): boolean {
  return path === 'package-lock.json' || path.endsWith('/package-lock.json')
}

/** A shared file that npm formatted anew, with nothing of the user's in it, still is as written. */
function isAsWritten(entry: FileEntry, record: ManifestFile): boolean {
  if (entry.sha256 === record.sha256) return true
  return record.content !== undefined && sameJson(parseObject(entry.text), record.content)
}

function parseObject(text: string): JsonObject | undefined {
  const json = parseJson(text)
  return isObject(json) ? json : undefined
}

/** One symbolic link in the way of a whole directory is one conflict, not one for each file below it. */
function withoutRepetition(conflicts: readonly Conflict[]): Conflict[] {
  const byPlace = new Map(
    conflicts.map((conflict) => ['at' in conflict ? conflict.at : conflict.path, conflict]),
  )
  return [...byPlace].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, conflict]) => conflict)
}
