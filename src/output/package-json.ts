import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { ownValue, parseObject } from './json.ts'
import { mergeVersions } from './versions.ts'

/** A `package.json` that combines generated content with the user's. */
export interface MergedPackage {
  readonly content: JsonObject
  /** Generated keys that were changed or deleted by hand: `type`, `dependencies.hono: 3.0.0 instead of 4.0.0`. */
  readonly edited: readonly string[]
}

/** What the user may change or delete in a generated file without it being an edit: how a package is called and published. */
const EDITABLE_KEYS = ['name', 'version', 'description', 'private']

/** A key whose value is the version of a dependency. */
const DEPENDENCY = /^(?:dev)?dependencies\./i

/**
 * Merges a shared JSON object. `base` is the content generated last time, `theirs` the current content of the
 * file, `ours` the content generated now. Values in `ours` win. A key in neither `base` nor `ours` is the user's
 * and is kept in the user's order. A newer version of a dependency is the user's too. A key only in `base` is dropped unless the user changed it. Arrays are not
 * merged.
 */
export function mergePackage(base: JsonObject, theirs: JsonObject, ours: JsonObject): MergedPackage {
  const edited: string[] = []
  return { content: mergeObjects(base, theirs, ours, '', edited), edited }
}

function mergeObjects(
  base: JsonObject,
  theirs: JsonObject,
  ours: JsonObject,
  at: string,
  edited: string[],
): JsonObject {
  const kept: [string, Json][] = []
  for (const [key, value] of Object.entries(theirs)) {
    const merged = mergeValue(ownValue(base, key), value, ownValue(ours, key), `${at}${key}`, edited)
    if (merged !== undefined) kept.push([key, merged])
  }
  const added: [string, Json][] = []
  for (const [key, value] of Object.entries(ours)) {
    if (Object.hasOwn(theirs, key)) continue
    if (Object.hasOwn(base, key)) {
      if (EDITABLE_KEYS.includes(`${at}${key}`)) continue
      edited.push(`${at}${key}`)
    }
    added.push([key, value])
  }
  return Object.fromEntries([...kept, ...added])
}

function mergeValue(
  base: Json | undefined,
  theirs: Json,
  ours: Json | undefined,
  at: string,
  edited: string[],
): Json | undefined {
  if (ours === undefined) {
    if (isDeepStrictEqual(base, theirs)) return undefined
    if (!isObject(base) || !isObject(theirs)) return theirs
    const rest = mergeObjects(base, theirs, {}, `${at}.`, edited)
    return Object.keys(rest).length === 0 ? undefined : rest
  }
  if (isObject(theirs) && isObject(ours))
    return mergeObjects(isObject(base) ? base : {}, theirs, ours, `${at}.`, edited)
  if (isDeepStrictEqual(theirs, ours) || isDeepStrictEqual(theirs, base)) return ours
  if (DEPENDENCY.test(at) && typeof theirs === 'string' && typeof ours === 'string') {
    const version = mergeVersions(typeof base === 'string' ? base : undefined, theirs, ours)
    if (version === undefined) edited.push(`${at}: ${theirs} instead of ${ours}`)
    return version ?? ours
  }
  if (base !== undefined && EDITABLE_KEYS.includes(at)) return theirs
  edited.push(at)
  return ours
}

/** Returns JSON with the indentation, line endings and final newline of another text. */
export function formatLike(text: string, content: JsonObject): string {
  const indent = /^[{[]\r?\n([ \t]+)\S/.exec(text.trimStart())?.[1] ?? '  '
  const json = `${JSON.stringify(content, undefined, indent)}${/\n\s*$/.test(text) ? '\n' : ''}`
  return text.includes('\r\n') ? json.replaceAll('\n', '\r\n') : json
}

/** The keys of `package.json` that `npm ci` compares with the root entry of the lock file. */
const LOCKED_KEYS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** The keys that decide which packages are installed. */
const DEPENDENCY_KEYS = [...LOCKED_KEYS, 'overrides', 'workspaces']

/** Whether two packages have the same dependencies. */
export function sameDependencies(a: JsonObject, b: JsonObject): boolean {
  return DEPENDENCY_KEYS.every((key) => isDeepStrictEqual(a[key] ?? {}, b[key] ?? {}))
}

/** Whether a lock file (`package-lock.json`, format 2 or 3) matches the dependencies of a package. */
export function lockMatches(lock: string, content: JsonObject): boolean {
  const packages = parseObject(lock)?.['packages']
  const root = isObject(packages) ? packages[''] : undefined
  return isObject(root) && LOCKED_KEYS.every((key) => isDeepStrictEqual(root[key] ?? {}, content[key] ?? {}))
}
