import type { GeneratedFile } from '../emit/contract.ts'
import { isObject, type Json, type JsonObject, withSortedKeys } from '../json.ts'
import { ownValue, parseObject } from './json.ts'
import { isSafePath } from './paths.ts'
import { OutputError } from './result.ts'

/** The version of the manifest format that this version of Portico reads and writes. */
const VERSION = 1

/** The record of the last generation. It is the only record of which files Portico owns. */
export interface Manifest {
  /** By path. Edited files of removed services stay in it as long as they exist. */
  readonly files: ReadonlyMap<string, ManifestFile>
  /** What is remembered besides files, by key. */
  readonly answers: Readonly<Record<string, string>>
  /** The text of the definition that `generate` last wrote the project from. */
  readonly definition: string | undefined
}

/** A file as it was last generated. */
export interface ManifestFile {
  readonly owner: GeneratedFile['owner']
  /** The `digest` of the generated text; of a file that the user owns, of its first text. */
  readonly sha256: string
  /** The generated content of a shared JSON file, to tell it from what the user added. */
  readonly content?: JsonObject
  /** Set if the user ejected the file: it is never written. */
  readonly ejected?: EjectedVersion
}

/** The generated version that a user took a file over with. */
export interface EjectedVersion {
  /** Its digest. */
  readonly sha256: string
  /** Its text, to compare later versions with; absent if the file had been edited before it was ejected. */
  readonly text?: string
}

/** The manifest of a directory without one. */
export const NO_MANIFEST: Manifest = { files: new Map(), answers: {}, definition: undefined }

/** Returns a manifest as text. It is sorted and has no times or absolute paths, so it is the same on every machine. */
export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify(withSortedKeys({ version: VERSION, ...manifest }), undefined, 2)}\n`
}

/**
 * Reads a manifest. It may come from an untrusted repository, so everything in it is checked.
 *
 * @param name the manifest's name in messages.
 * @throws an `OutputError`.
 */
export function parseManifest(text: string, name: string): Manifest {
  const invalid = (reason: string): OutputError =>
    new OutputError(
      'manifest',
      `The manifest \`${name}\` is damaged: ${reason}. Nothing was changed.`,
      'restore it from version control. If you delete it instead, files that differ from the generated ones count as yours',
    )
  if (/^<{7} /m.test(text))
    throw new OutputError(
      'manifest',
      `The manifest \`${name}\` contains a merge conflict. Nothing was changed.`,
      `take the version of either branch, such as with \`git checkout --ours\`, and run \`portico generate --overwrite\``,
    )
  const json = parseObject(text)
  if (json === undefined) throw invalid('not a JSON object')
  const version = ownValue(json, 'version')
  if (typeof version !== 'number') throw invalid('missing `version`')
  if (version > VERSION)
    throw new OutputError(
      'manifest',
      `The manifest \`${name}\` was written by a newer version of Portico. Nothing was changed.`,
      'update Portico',
    )
  if (version !== VERSION) throw invalid(`unknown version ${version}`)
  const answers = ownValue(json, 'answers')
  if (!isAnswers(answers)) throw invalid('`answers` must be an object of strings')
  const files = ownValue(json, 'files')
  if (!isObject(files)) throw invalid('`files` must be an object')
  const read = new Map<string, ManifestFile>()
  for (const [path, value] of Object.entries(files)) {
    const file = readFileEntry(value)
    if (file === undefined) throw invalid(`invalid entry for ${JSON.stringify(path)}`)
    if (!isSafePath(path)) throw invalid(`the path ${JSON.stringify(path)} is not allowed`)
    read.set(path, file)
  }
  const definition = ownValue(json, 'definition')
  return { files: read, answers, definition: typeof definition === 'string' ? definition : undefined }
}

function readFileEntry(value: Json): ManifestFile | undefined {
  if (!isObject(value)) return undefined
  const { owner, sha256, content, ejected } = value
  if (owner !== 'generated' && owner !== 'user' && owner !== 'shared') return undefined
  if (!isDigest(sha256)) return undefined
  if (content !== undefined && !isObject(content)) return undefined
  const version = ejected === undefined ? undefined : readEjectedVersion(ejected)
  if (ejected !== undefined && version === undefined) return undefined
  return {
    owner,
    sha256,
    ...(content === undefined ? {} : { content }),
    ...(version === undefined ? {} : { ejected: version }),
  }
}

function readEjectedVersion(value: Json): EjectedVersion | undefined {
  if (!isObject(value)) return undefined
  const { sha256, text } = value
  if (!isDigest(sha256)) return undefined
  if (text === undefined) return { sha256 }
  return typeof text === 'string' ? { sha256, text } : undefined
}

function isDigest(value: Json | undefined): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

function isAnswers(value: Json | undefined): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((answer) => typeof answer === 'string')
}

/** The command that wrote an output directory. All but a project record it in the manifest's answers. */
export type OutputKind = 'project' | 'client' | 'explorer'

/** Returns what was generated into a directory; `undefined` if nothing was. */
export function outputKind({ files, answers }: Manifest): OutputKind | undefined {
  if (files.size === 0) return undefined
  return (['client', 'explorer'] as const).find((kind) => answers[kind] !== undefined) ?? 'project'
}
