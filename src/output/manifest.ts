import type { GeneratedFile } from '../emit/contract.ts'
import { isObject, own, parseJson, stableJson, type Json, type JsonObject } from './json.ts'
import { unsafeReason } from './paths.ts'
import { failure, success, type Outcome } from './problem.ts'

/** The version of the manifest's format that is written, and the newest that is read. */
const VERSION = 1

/** What generation remembers of a project: it alone decides which files are ours. */
export interface Manifest {
  /** By path. Files of services that left the definition stay in it for as long as they are kept. */
  readonly files: ReadonlyMap<string, ManifestFile>
  /** Answers to prompts, by the question's key. */
  readonly answers: Readonly<Record<string, string>>
  /** The schema of the last generation, as the emitter of SQL gave it. */
  readonly schema: Json | undefined
}

/** A file as generation wrote it last. */
export interface ManifestFile {
  readonly owner: GeneratedFile['owner']
  /** Of the text that was written, in the form of `digest`; of a user's file, of its first text. */
  readonly sha256: string
  /** Of a shared JSON file: what generation put there, which tells it from what the user added. */
  readonly content?: JsonObject
}

/** The manifest of a directory that was never generated into. */
export const NO_MANIFEST: Manifest = { files: new Map(), answers: {}, schema: undefined }

/** A manifest as text: sorted, without times and places, the same on every machine. */
export function formatManifest({ files, answers, schema }: Manifest): string {
  return stableJson({
    version: VERSION,
    answers,
    files: new Map([...files].map(([path, file]) => [path, { ...file }])),
    ...(schema === undefined ? {} : { schema }),
  })
}

/**
 * Reads a manifest. It may come from anywhere (a clone of somebody's repository), so nothing in it is trusted.
 *
 * @param name what messages call it.
 */
export function parseManifest(text: string, name: string): Outcome<Manifest> {
  const broken = (why: string): Outcome<never> =>
    failure(
      'manifest',
      `${name} cannot be used: ${why}. Nothing was changed.`,
      'Restore it from version control; or delete it, and files that differ from what is generated count as yours.',
    )
  const json = parseJson(text)
  if (!isObject(json)) return broken('it is not a JSON object')
  const version = own(json, 'version')
  if (typeof version !== 'number') return broken('it has no version')
  if (version > VERSION) {
    return failure(
      'manifest',
      `${name} was written by a newer version of Portico.`,
      'Generate with that version; nothing was changed.',
    )
  }
  if (version !== VERSION) return broken(`it has the unknown version ${version}`)
  const answers = own(json, 'answers')
  if (!isAnswers(answers)) return broken('its answers are not texts')
  const files = own(json, 'files')
  if (!isObject(files)) return broken('it lists no files')
  const read = new Map<string, ManifestFile>()
  for (const [path, value] of Object.entries(files)) {
    const file = readFileEntry(value)
    if (file === undefined) return broken(`its entry for ${JSON.stringify(path)} makes no sense`)
    const reason = unsafeReason(path)
    if (reason !== undefined) return broken(`its path ${JSON.stringify(path)} ${reason}`)
    read.set(path, file)
  }
  return success({ files: read, answers, schema: own(json, 'schema') })
}

function readFileEntry(value: Json): ManifestFile | undefined {
  if (!isObject(value)) return undefined
  const owner = own(value, 'owner')
  const sha256 = own(value, 'sha256')
  const content = own(value, 'content')
  if (owner !== 'generated' && owner !== 'user' && owner !== 'shared') return undefined
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined
  if (content === undefined) return { owner, sha256 }
  return isObject(content) ? { owner, sha256, content } : undefined
}

function isAnswers(value: Json | undefined): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((answer) => typeof answer === 'string')
}
