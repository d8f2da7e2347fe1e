import { strToU8, zipSync, type Zippable } from 'fflate'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import type { Definition } from './definition.ts'

/** Zip archives count days from 1980. The same project gives the same archive. */
const MODIFIED = '2020-01-01'
/** The operating system whose file modes an archive has. */
const UNIX = 3

/** Returns an archive with a definition and, in `platform/`, its project. */
export function archiveOf(definition: Definition, files: readonly GeneratedFile[]): Uint8Array<ArrayBuffer> {
  const content: Zippable = {}
  for (const { path, text } of definition) content[path] = [strToU8(text), { mtime: MODIFIED }]
  for (const { path, content: text, executable } of files) {
    const mode = executable === true ? 0o100755 : 0o100644
    content[`platform/${path}`] = [strToU8(text), { os: UNIX, attrs: mode << 16, mtime: MODIFIED }]
  }
  return Uint8Array.from(zipSync(content))
}
