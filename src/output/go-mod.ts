import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TextFormat } from '../emit/contract.ts'
import { isObject, type JsonObject } from '../json.ts'
import { ownValue } from './json.ts'
import { mergeVersions } from './versions.ts'

/** A path of a Go module, as far as it needs no quotes: https://go.dev/ref/mod#module-path */
export const MODULE_PATH = /^[a-z0-9](?:[\w.~-]*[\w~-])?(?:\/[\w~-](?:[\w.~-]*[\w~-])?)*$/i

/** A `go.mod` that only names the module, as `go mod init` and `portico new` write it. */
const NAMES_MODULE = /^\s*module[ \t]+\S+\s*(?:go[ \t]+[\d.]+\s*)?$/

/** Whether generation can replace a `go.mod` that it has not written: it has nothing but the path of the module. */
function onlyNamesModule(text: string): boolean {
  return NAMES_MODULE.test(text)
}

/** The path of the Go module in an output directory; `undefined` if there is none. */
export function readModule(root: string): string | undefined {
  try {
    const [, module] =
      /^module[ \t]+"?([^\s"]+)"?[ \t]*(?:\/\/.*)?$/m.exec(readFileSync(join(root, 'go.mod'), 'utf8')) ?? []
    return module !== undefined && MODULE_PATH.test(module) ? module : undefined
  } catch {
    return undefined
  }
}

/** How a shared file that is not JSON is merged with what the user and other programs changed in it. */
export interface TextMerge {
  /** Whether generation can replace a file that it has not written. */
  readonly isReplaceable: (text: string) => boolean
  /** What the manifest records of the generated text. */
  readonly recorded: (text: string) => JsonObject
  readonly merge: (recorded: JsonObject, theirs: string, ours: string) => MergedText
}

/** A text that combines generated content with the user's. */
export interface MergedText {
  readonly text: string
  /** What was changed by hand and cannot stay. */
  readonly edited: readonly string[]
}

export const TEXT_MERGES: Readonly<Record<TextFormat, TextMerge>> = {
  'go.mod': { isReplaceable: onlyNamesModule, recorded: recordedModules, merge: mergeGoMod },
  'go.sum': {
    isReplaceable: () => false,
    recorded: () => ({}),
    merge: (_recorded, theirs, ours) => ({ text: mergeGoSum(theirs, ours), edited: [] }),
  },
}

/** The requirements of a `go.mod` by module: `v1.2.3`, or `v1.2.3 // indirect`. */
type Requirements = Map<string, string>

const BLOCK = /^require[ \t]*\([^)]*\)[ \t]*\n?/gm
const MODULE = /(?<=^module[ \t]+)\S+/m
const LINE = /^require[ \t]+(\S+[ \t]+.+)\n?/gm
const REQUIREMENT = /^[ \t]*(?:require[ \t]+)?([^\s()/]+(?:\/\S+)?)[ \t]+(v\S+)[ \t]*(\/\/[ \t]*indirect)?/

/** What a manifest records of a generated `go.mod`: what it requires. */
function recordedModules(text: string): JsonObject {
  return { require: Object.fromEntries(requirementsOf(text)) }
}

/**
 * Merges a `go.mod` that the user or `go get` changed. Modules that Portico adds or removes follow it. A module
 * keeps a newer version that the user chose, and whether it is `// indirect`. The path of the module is the generated one, which is read from the
 * file unless `--module` changes it. Everything else is the user's.
 */
function mergeGoMod(recorded: JsonObject, theirs: string, ours: string): MergedText {
  const base = ownValue(recorded, 'require')
  const before: Requirements = new Map(
    Object.entries(isObject(base) ? base : {}).map(([path, version]) => [
      path,
      typeof version === 'string' ? version : '',
    ]),
  )
  const renamed = theirs.replace(MODULE, (path) => MODULE.exec(ours)?.[0] ?? path)
  const mine = requirementsOf(theirs)
  const generated = requirementsOf(ours)
  const merged: Requirements = new Map()
  const edited: string[] = []
  for (const [path, version] of mine) {
    const previous = before.get(path)
    const next = generated.get(path)
    if (next === undefined) {
      if (previous !== version) merged.set(path, version)
    } else if (previous === version) {
      merged.set(path, next)
    } else {
      const number = mergeVersions(
        previous === undefined ? undefined : numberOf(previous),
        numberOf(version),
        numberOf(next),
      )
      if (number === undefined) edited.push(`${path} ${numberOf(version)} instead of ${numberOf(next)}`)
      merged.set(path, (number ?? numberOf(next)) + version.slice(numberOf(version).length))
    }
  }
  for (const [path, version] of generated) if (!mine.has(path)) merged.set(path, version)
  if (isSame(merged, mine)) return { text: renamed, edited }
  const rest = renamed.replaceAll(BLOCK, '').replaceAll(LINE, '').trimEnd()
  const blocks = [false, true]
    .map((kind) => [...merged].filter((each) => isIndirect(each) === kind).sort(byPath))
    .filter((requirements) => requirements.length > 0)
    .map((requirements) => {
      const lines = requirements.map(([path, version]) => `\t${path} ${version}\n`)
      return `require (\n${lines.join('')})\n`
    })
  return { text: [`${rest}\n`, ...blocks].join('\n'), edited }
}

/** Merges a `go.sum`, in which more lines than are needed do no harm. */
function mergeGoSum(theirs: string, ours: string): string {
  const lines = new Set(`${theirs}\n${ours}`.split('\n').filter((line) => line !== ''))
  const merged = `${[...lines].sort().join('\n')}\n`
  return lines.size === theirs.split('\n').filter((line) => line !== '').length ? theirs : merged
}

/** Returns the version of a requirement without its comment. */
const numberOf = (requirement: string): string => requirement.split(' ')[0] ?? ''

const byPath = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1)
const isIndirect = ([, version]: [string, string]) => version.includes('//')

function requirementsOf(text: string): Requirements {
  const blocks = [...(text.match(BLOCK) ?? []), ...(text.match(LINE) ?? [])].join('\n')
  return new Map(
    blocks.split('\n').flatMap((line) => {
      const [, path, version, indirect] = REQUIREMENT.exec(line) ?? []
      if (path === undefined || version === undefined) return []
      return [[path, indirect === undefined ? version : `${version} // indirect`] as const]
    }),
  )
}

function isSame(one: Requirements, other: Requirements): boolean {
  return one.size === other.size && [...one].every(([path, version]) => other.get(path) === version)
}
