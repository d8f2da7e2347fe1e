import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { GeneratedFile } from '../emit/contract.ts'
import type { ServiceSpec } from './service-specs.ts'
import { devTargetOf } from './targets.ts'

/** A comment in TypeScript or Go. */
const COMMENT = /\/\*[^]*?\*\/|\/\/.*/g

/**
 * Returns the files with hooks and routes that the user has written, relative to `output`, by directory of the service.
 * A file with the code that Portico wrote first is none of them: all hooks are registered in it, so its service has
 * none. Its comment names an endpoint, which may have another name by now.
 *
 * @param files the files of the project as generated
 */
export function findCustomCode(
  output: string,
  services: readonly ServiceSpec[],
  files: readonly GeneratedFile[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { directory, language } of services) {
    const name = devTargetOf(language).setup(directory)
    const initial = files.find((file) => file.path === name)
    if (initial !== undefined && codeOf(readText(path.join(output, name))) !== codeOf(initial.content))
      found.set(directory, name)
  }
  return found
}

function codeOf(text: string): string {
  return text.replace(COMMENT, '').replace(/\s+/g, '')
}

/** What cannot be read is not what Portico wrote. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
