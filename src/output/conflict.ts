import { assertNever } from '../model/platform.ts'

/** A path that generation wants to write and must not. */
export type Conflict =
  /** It was generated, and edited since. `keys`: of a `package.json`, what of it. */
  | { readonly kind: 'edited'; readonly path: string; readonly keys: readonly string[] }
  /** A file that generation never wrote; `keys` as above. */
  | { readonly kind: 'foreign'; readonly path: string; readonly keys: readonly string[] }
  /** It should be a JSON object, to be merged, and is none. */
  | { readonly kind: 'unreadable'; readonly path: string }
  /** Something that is no file stands there. */
  | { readonly kind: 'occupied'; readonly path: string; readonly by: 'directory' | 'link' | 'special' }
  /** On the way there something is no directory. `--overwrite` does not help. */
  | { readonly kind: 'blocked'; readonly at: string; readonly by: 'file' | 'link' | 'special' }

/** A conflict as a line: the path, and why in brackets. */
export function describeConflict(conflict: Conflict): string {
  switch (conflict.kind) {
    case 'edited':
      return `${conflict.path} (edited by hand${ofKeys(conflict.keys)})`
    case 'foreign':
      return `${conflict.path} (not written by Portico${ofKeys(conflict.keys)})`
    case 'unreadable':
      return `${conflict.path} (not a JSON object)`
    case 'occupied':
      return `${conflict.path} (${NOUNS[conflict.by]})`
    case 'blocked':
      return `${conflict.at} (${NOUNS[conflict.by]} where a directory should be)`
    default:
      return assertNever(conflict)
  }
}

const NOUNS = {
  directory: 'a directory',
  file: 'a file',
  link: 'a symbolic link, which generation never follows',
  special: 'not a regular file',
} as const

/** The most keys that a line names. */
const MAX_KEYS = 5

function ofKeys(keys: readonly string[]): string {
  if (keys.length === 0) return ''
  const rest = keys.length - MAX_KEYS
  return `: ${keys.slice(0, MAX_KEYS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
