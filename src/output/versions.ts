/** A version of a package or module: `4.13.19`, `v1.2.3-beta.1`. A range of npm counts as its lowest version. */
const VERSION = /^[\^~]?v?(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/

/** Whether a version is at least another one, and of the same major version. False for what is not a version. */
export function isCompatibleUpgrade(version: string, from: string): boolean {
  const [next, previous] = [VERSION.exec(version), VERSION.exec(from)]
  if (next === null || previous === null || next[1] !== previous[1]) return false
  for (const part of [2, 3]) {
    const difference = Number(next[part]) - Number(previous[part])
    if (difference !== 0) return difference > 0
  }
  const [prerelease, earlier] = [next[4], previous[4]]
  if (prerelease === undefined) return true
  return earlier !== undefined && comparePrereleases(prerelease, earlier) >= 0
}

/** Compares as semver does: number by number, where a number precedes a text, and the shorter list the longer one. */
function comparePrereleases(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')]
  for (const [index, part] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (part === other) continue
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(other)]
    if (isNumber && isOtherNumber) return Number(part) - Number(other)
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
    return part < other ? -1 : 1
  }
  return left.length - right.length
}

/**
 * Returns the version to write for a dependency that is generated. `theirs` is in the file, `base` was generated last
 * time (`undefined`: the user added the dependency), and `ours` is generated now. A newer version of the user's stays,
 * until ours is newer. `undefined` if the user chose an older version, or another major version.
 */
export function mergeVersions(base: string | undefined, theirs: string, ours: string): string | undefined {
  if (theirs === base) return ours
  if (isCompatibleUpgrade(theirs, ours)) return theirs
  return base !== undefined && isCompatibleUpgrade(theirs, base) ? ours : undefined
}
