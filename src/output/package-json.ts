import { isObject, own, parseJson, sameJson, type Json, type JsonObject } from './json.ts'

/** What `package.json` becomes when what generation puts there meets what the user added. */
export interface MergedPackage {
  readonly content: JsonObject
  /** Keys that generation put there and that were changed or deleted by hand: `dependencies.hono`. */
  readonly edited: readonly string[]
}

/**
 * Merges a shared JSON object three ways. `base` is what generation put there last time, `theirs` what stands
 * there now, `ours` what generation puts there now. Ours wins wherever it has a value; what is in neither
 * `base` nor `ours` is the user's and stays, in the user's order; what only `base` has is dropped, unless the
 * user changed it. Arrays are values, not merged.
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
    const merged = mergeValue(own(base, key), value, own(ours, key), `${at}${key}`, edited)
    if (merged !== undefined) kept.push([key, merged])
  }
  const added: [string, Json][] = []
  for (const [key, value] of Object.entries(ours)) {
    if (Object.hasOwn(theirs, key)) continue
    if (Object.hasOwn(base, key)) edited.push(`${at}${key}`)
    added.push([key, value])
  }
  return Object.fromEntries(insertKeys(kept, added))
}

function mergeValue(
  base: Json | undefined,
  theirs: Json,
  ours: Json | undefined,
  at: string,
  edited: string[],
): Json | undefined {
  if (ours === undefined) {
    if (sameJson(base, theirs)) return undefined
    if (!isObject(base) || !isObject(theirs)) return theirs
    const rest = mergeObjects(base, theirs, {}, `${at}.`, edited)
    return Object.keys(rest).length === 0 ? undefined : rest
  }
  if (isObject(theirs) && isObject(ours))
    return mergeObjects(isObject(base) ? base : {}, theirs, ours, `${at}.`, edited)
  if (!sameJson(theirs, ours) && !sameJson(theirs, base)) edited.push(at)
  return ours
}

/** Adds keys at the end, or in their place where the keys are sorted, as npm keeps dependencies. */
function insertKeys(kept: readonly [string, Json][], added: readonly [string, Json][]): [string, Json][] {
  const isSorted =
    kept.length > 1 && kept.every(([key], index) => index === 0 || key >= (kept[index - 1]?.[0] ?? ''))
  const all = [...kept, ...added]
  return isSorted && added.length > 0 ? all.sort(([a], [b]) => (a < b ? -1 : 1)) : all
}

/** JSON text with the indentation, line ends and last line end that another text has. */
export function formatLike(text: string, content: JsonObject): string {
  const indent = /^[{[]\r?\n([ \t]+)\S/.exec(text.trimStart())?.[1] ?? '  '
  const json = `${JSON.stringify(content, undefined, indent)}${/\n\s*$/.test(text) ? '\n' : ''}`
  return text.includes('\r\n') ? json.replaceAll('\n', '\r\n') : json
}

/** What decides which packages are installed. */
const DEPENDENCY_KEYS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'workspaces',
]

/** Whether two packages ask for the same dependencies. */
export function sameDependencies(a: JsonObject, b: JsonObject): boolean {
  return DEPENDENCY_KEYS.every((key) => sameJson(own(a, key) ?? {}, own(b, key) ?? {}))
}

/** What `npm ci` compares of `package.json` with the root entry of its lock file. */
const LOCKED_KEYS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** Whether a lock file (`package-lock.json`, format 2 or 3) holds what a package asks for. */
export function lockAgrees(lock: string, content: JsonObject): boolean {
  const packages = lockedPackages(lock)
  const root = packages && own(packages, '')
  if (packages === undefined || !isObject(root)) return false
  return LOCKED_KEYS.every((key) => {
    const asked = own(content, key) ?? {}
    if (!sameJson(own(root, key) ?? {}, asked)) return false
    if (key === 'peerDependencies' || key === 'optionalDependencies' || !isObject(asked)) return true
    return Object.keys(asked).every((name) => Object.hasOwn(packages, `node_modules/${name}`))
  })
}

/**
 * Whether two lock files install the same: npm rewrites one of its own accord, with other fields and in
 * another order, and that is no difference.
 */
export function sameLock(a: string, b: string): boolean {
  const [left, right] = [lockedPackages(a), lockedPackages(b)]
  if (left === undefined || right === undefined) return false
  return sameJson(essentials(left), essentials(right))
}

function essentials(packages: JsonObject): Json {
  const entries = Object.entries(packages).map(([path, entry]): [string, Json] => {
    const keys = path === '' ? LOCKED_KEYS : ['version', 'integrity']
    const values = keys.map((key) => (isObject(entry) ? own(entry, key) : undefined) ?? null)
    return [path, values]
  })
  return Object.fromEntries(entries)
}

function lockedPackages(lock: string): JsonObject | undefined {
  const json = parseJson(lock)
  const packages = isObject(json) ? own(json, 'packages') : undefined
  return isObject(packages) ? packages : undefined
}
