import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isUtf8 } from 'node:buffer'
import type { Context } from './context.ts'
import {
  type Failure,
  isSystemError,
  surroundingsFailure,
  systemErrorReason,
  usageFailure,
} from './failure.ts'
import { shellWord } from './shell-word.ts'

/** A definition as it lies on the disk or came in on standard input. */
export interface DefinitionText {
  /** What messages call it: the path as the user gave it, or `<stdin>`. */
  readonly name: string
  /** Its absolute path; `undefined` for standard input. */
  readonly path: string | undefined
  readonly text: string
  /** Its bytes were UTF-8; else U+FFFD stands for those that were not. */
  readonly utf8: boolean
}

/** The operand that stands for standard input. */
export const STANDARD_INPUT = '-'

/** Files beyond this many bytes are no definitions, and would only use memory up. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** What the names of definitions end in. */
export const EXTENSION = /\.(?:portico|temple|templefile)$/

/**
 * Reads a definition. Bytes that are no UTF-8 become U+FFFD, which the check points at.
 *
 * @param file a path from the working directory, or `-`.
 * @throws a `Failure` of status 3 where it cannot be read.
 */
export async function readDefinition(file: string, context: Context): Promise<DefinitionText> {
  if (file === STANDARD_INPUT) {
    const chunks: Uint8Array[] = []
    for await (const chunk of context.stdin) chunks.push(Buffer.from(chunk as Uint8Array))
    return { name: '<stdin>', path: undefined, ...decode(Buffer.concat(chunks)) }
  }
  if (file === '') throw usageFailure('The name of a definition file is empty.')
  const path = resolve(context.cwd, file)
  try {
    if (statSync(path).size > MAX_FILE_BYTES)
      throw surroundingsFailure(`${file} cannot be read: it is too large for a definition.`)
    return { name: file, path, ...decode(readFileSync(path)) }
  } catch (error) {
    if (isSystemError(error)) throw unreadable(file, path, error)
    throw error
  }
}

function decode(bytes: Buffer): Pick<DefinitionText, 'text' | 'utf8'> {
  return { text: bytes.toString('utf8'), utf8: isUtf8(bytes) }
}

function unreadable(file: string, path: string, error: NodeJS.ErrnoException): Failure {
  const message = `${file} cannot be read: ${systemErrorReason(error)}.`
  if (error.code === 'EISDIR') {
    const inside = readdirSync(path).filter((name) => EXTENSION.test(name))
    const [first] = inside
    return surroundingsFailure(
      message,
      first === undefined
        ? 'Name the definition file itself.'
        : `Name the definition in it: ${inside.map((name) => shellWord(join(file, name))).join(' ')}`,
    )
  }
  if (error.code === 'ENOENT' && existsSync(`${path}.portico`))
    return surroundingsFailure(message, `Did you mean ${file}.portico?`)
  return surroundingsFailure(message)
}
