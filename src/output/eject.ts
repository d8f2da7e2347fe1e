import { copyFileSync, constants, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { flush } from './disk.ts'
import { formatManifest, type Manifest, type ManifestFile } from './manifest.ts'
import { freeBackupPath } from './paths.ts'
import { entryAt, viewDirectory } from './project-view.ts'
import { failure, type Result } from './result.ts'
import { statePaths } from './state-paths.ts'
import { checkDirectories, type LockOptions, lockProject, manifestOf } from './update-project.ts'
import { type OutputDirectory, recover } from './write.ts'

/** A generated file that became the user's, or was given back. */
export interface Ejection {
  readonly path: string
  /** Where the user's version of a file that was given back is kept; `undefined` if it is the generated one. */
  readonly backup?: string
}

/** Makes generated files the user's. For those that are already, later versions count as changed from here on. */
export async function ejectFiles(
  root: string,
  paths: readonly string[],
  options: LockOptions = {},
): Promise<Result<readonly Ejection[]>> {
  const view = viewDirectory(resolve(root))
  return await changeManifest(root, options, (manifest) =>
    changeFiles(manifest, paths, (path, record) => {
      const entry = view.entry(path)
      const isGenerated = entry.kind === 'file' && entry.sha256 === record.sha256
      const ejected = { sha256: record.sha256, ...(isGenerated ? { text: entry.text } : {}) }
      return { ejection: { path }, record: { ...record, ejected } }
    }),
  )
}

/** Gives ejected files back. The next generation replaces them; their versions are kept as `*.orig`. */
export async function restoreFiles(
  root: string,
  paths: readonly string[],
  options: LockOptions = {},
): Promise<Result<readonly Ejection[]>> {
  const view = viewDirectory(resolve(root))
  return await changeManifest(root, options, (manifest) =>
    changeFiles(manifest, paths, (path, record) => {
      const entry = view.entry(path)
      if (entry.kind !== 'file' || entry.sha256 === record.sha256)
        return { ejection: { path }, record: asGenerated(record, record.sha256) }
      const isFree = (candidate: string): boolean =>
        !manifest.files.has(candidate) && view.entry(candidate).kind === 'absent'
      const backup = freeBackupPath(path, isFree)
      copyFileSync(join(root, path), join(root, backup), constants.COPYFILE_EXCL)
      return { ejection: { path, backup }, record: asGenerated(record, entry.sha256) }
    }),
  )
}

/** Returns the record of a file that is not ejected, so that generation replaces it if it still has this digest. */
function asGenerated({ owner, content }: ManifestFile, sha256: string): ManifestFile {
  return { owner, sha256, ...(content === undefined ? {} : { content }) }
}

interface ManifestChange {
  readonly manifest: Manifest
  readonly ejections: readonly Ejection[]
}

function changeFiles(
  manifest: Manifest,
  paths: readonly string[],
  change: (
    path: string,
    record: ManifestFile,
  ) => { readonly ejection: Ejection; readonly record: ManifestFile },
): ManifestChange {
  const files = new Map(manifest.files)
  const ejections = paths.flatMap((path) => {
    const record = files.get(path)
    if (record === undefined) return []
    const changed = change(path, record)
    files.set(path, changed.record)
    return [changed.ejection]
  })
  return { manifest: { ...manifest, files }, ejections }
}

async function changeManifest(
  root: string,
  options: LockOptions,
  change: (manifest: Manifest) => ManifestChange,
): Promise<Result<readonly Ejection[]>> {
  const target: OutputDirectory = { root: resolve(root), state: statePaths(resolve(root)) }
  try {
    checkDirectories(target)
    const release = await lockProject(target.state, options)
    try {
      recover(target)
      const { manifest, ejections } = change(manifestOf(target))
      const { staging, stagedManifest } = target.state
      if (entryAt(staging).kind === 'absent') mkdirSync(staging)
      writeFileSync(stagedManifest, formatManifest(manifest))
      await flush([stagedManifest])
      renameSync(stagedManifest, target.state.manifest)
      recover(target)
      return { ok: true, value: ejections }
    } finally {
      release()
    }
  } catch (error) {
    return failure(error)
  }
}
