import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Compilation, compile } from '../compile.ts'
import {
  decodeDefinition,
  definitionFolder,
  readRegularFile,
  UnsuitableFileError,
} from '../definition-folder.ts'
import { type DefinitionFolder, DEFINITION_FILE } from '../language/imports.ts'
import type { Platform } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import { isSystemError, systemErrorReason } from '../system-error.ts'
import { type CommandError, environmentError } from './command-error.ts'
import type { Invocation } from './command.ts'
import type { Context } from './context.ts'
import { countDiagnostics, reportDiagnostics, withoutHints } from './report.ts'
import { stripEscapes, shellQuote } from './terminal-text.ts'

/** The text of a definition. */
export interface DefinitionText {
  /** The path as the user wrote it, or `<stdin>`; safe to print. */
  readonly name: string
  /** The absolute path; `undefined` for standard input. */
  readonly path: string | undefined
  readonly text: string
  /** Where it imports other files from. */
  readonly folder: DefinitionFolder
}

/** The operand that means standard input. */
export const STANDARD_INPUT = '-'

/** Standard input is in no folder. */
const NO_FOLDER: DefinitionFolder = {
  name: '',
  read: () => ({ reason: 'the definition was read from standard input' }),
}

/**
 * Reads a definition.
 *
 * @param file a path relative to the working directory, or `-`.
 * @throws a `CommandError` if the file cannot be read or is not UTF-8 text.
 */
export async function readDefinition(file: string, context: Context): Promise<DefinitionText> {
  if (file === STANDARD_INPUT) {
    const chunks: Uint8Array[] = []
    for await (const chunk of context.stdin) chunks.push(Buffer.from(chunk as Uint8Array))
    const text = decode(Buffer.concat(chunks), 'standard input')
    return { name: '<stdin>', path: undefined, folder: NO_FOLDER, text }
  }
  const path = resolve(context.cwd, file)
  if (existsSync(path) && statSync(path).isDirectory()) throw directoryError(file, path)
  return {
    name: stripEscapes(file),
    path,
    folder: definitionFolder(path),
    text: decode(readTextFile(file, path, 'use `-` to read standard input'), `\`${file}\``),
  }
}

/** Reads and compiles the definition of a command, and prints its diagnostics. Returns `undefined` if it has errors. */
export async function compileDefinition(
  invocation: Invocation,
  context: Context,
  overrides: Overrides = {},
): Promise<Platform | undefined> {
  return compileText(await readDefinition(invocation.operands[0] ?? '', context), context, overrides)
}

/** Compiles a definition and prints its diagnostics. Returns `undefined` if it has errors. */
export function compileText(
  definition: DefinitionText,
  context: Context,
  overrides: Overrides = {},
): Platform | undefined {
  return reportCompilation(definition.name, compile(definition.text, overrides, definition.folder), context)
}

/** Prints the diagnostics of a compiled definition. Returns `undefined` if it has errors. */
export function reportCompilation(
  name: string,
  compilation: Compilation,
  context: Context,
): Platform | undefined {
  const { result, platform } = compilation
  const diagnostics = withoutHints(compilation.diagnostics)
  reportDiagnostics({ name, result, diagnostics }, context)
  if (platform === undefined) context.report(`${name}: ${countDiagnostics(diagnostics)}`)
  return platform
}

/**
 * Reads a regular file.
 *
 * @param file the path in messages.
 * @param help what to do if it is a device or a pipe.
 * @throws a `CommandError` with status 3 if the file cannot be read.
 */
export function readTextFile(file: string, path: string, help?: string): Buffer {
  try {
    return readRegularFile(path)
  } catch (error) {
    if (error instanceof UnsuitableFileError) throw unsuitable(file, error, help)
    if (!isSystemError(error)) throw error
    throw environmentError(
      `Could not read \`${file}\`: ${systemErrorReason(error)}`,
      error.code === 'ENOENT' && existsSync(`${path}.portico`)
        ? `did you mean \`${file}.portico\`?`
        : undefined,
    )
  }
}

function unsuitable(file: string, { reason, message }: UnsuitableFileError, help?: string): CommandError {
  return environmentError(
    message.replace('it', () => `\`${file}\``),
    reason === 'irregular' ? help : undefined,
  )
}

function decode(bytes: Buffer, name: string): string {
  const text = decodeDefinition(bytes)
  if (typeof text === 'string') return text
  throw environmentError(`Could not read ${name}: ${text.reason}`, 'convert it to UTF-8')
}

function directoryError(file: string, path: string): CommandError {
  const [first] = readdirSync(path).filter((name) => DEFINITION_FILE.test(name))
  return environmentError(
    `\`${file}\` is a directory. Pass a definition file`,
    first === undefined ? undefined : `did you mean \`${shellQuote(join(file, first))}\`?`,
  )
}
