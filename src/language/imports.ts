import posix from 'path-browserify'
import type { Import } from './generated/ast.ts'
import { SpellingSuggester } from './spelling.ts'
import { parseStringLiteral } from './string-literal.ts'

/** Why an imported file cannot be read. */
export interface ImportFailure {
  /** The end of "Could not read `hosts.portico`: ..."; `undefined` for a link out of the folder of the definition. */
  readonly reason: string | undefined
}

/** The folder of a definition. */
export interface DefinitionFolder {
  /** The name of the definition in it. */
  readonly name: string
  /**
   * Returns the text of another file.
   *
   * @param path relative to the folder, normalized, with `/`
   */
  readonly read: (path: string) => string | ImportFailure
  /** Returns the paths of the definition files in it and below; without it, nothing is suggested. */
  readonly files?: () => readonly string[]
}

/** An import, and what it leads to. */
export interface ResolvedImport {
  readonly node: Import
  /** The path of the imported file; `undefined` if what is written is invalid. */
  readonly path: string | undefined
  /** Only for a file that could not be read. */
  readonly failure?: ImportFailure
  /** The path of the file that was probably meant, if it could not be read. */
  readonly similar?: string | undefined
  /** The files that import each other in a circle, from the imported file to the one with the import. */
  readonly circle: readonly string[]
  /** An earlier import of the same file in the same file. */
  readonly earlier: Import | undefined
}

// oxlint-disable-next-line no-control-regex -- no file name has them
const C0_CONTROL = /[\u0000-\u001f]/

/** The name of a definition file. */
export const DEFINITION_FILE = /(?:\.(?:portico|temple|templefile)|(?:^|\/)templefile)$/

/** The path in an import as written, without its quotes. */
export function writtenPath({ path }: Partial<Import>): string {
  const text = path === undefined ? '' : parseStringLiteral(path)
  // The `\t` of a Windows path is no tab.
  return text === undefined || C0_CONTROL.test(text) ? (path?.slice(1, -1) ?? '') : text
}

/**
 * The path of an imported file, relative to the folder of the definition. `undefined` if the path as written is not
 * relative, leads out of the folder, or is not the name of a definition.
 *
 * @param from the path of the file with the import
 */
export function importedPath(from: string, written: string): string | undefined {
  if (!isImportable(written)) return undefined
  const path = posix.join(posix.dirname(from), written)
  return path.startsWith('../') ? undefined : path
}

/** Whether an import can have a path, judging by the path itself. */
export function isImportable(written: string): boolean {
  return isRelative(written) && DEFINITION_FILE.test(written)
}

/** Whether a path is relative and has the same meaning on every system. */
export function isRelative(path: string): boolean {
  return !/^\/|^[A-Za-z][\w+.-]*:|\\/.test(path) && !C0_CONTROL.test(path)
}

/** The only file of the same name as one that does not exist; otherwise that with the most similar path. */
export function similarFile(path: string, files: readonly string[]): string | undefined {
  const name = posix.basename(path).toLowerCase()
  const [sameName, ...others] = files.filter((file) => posix.basename(file).toLowerCase() === name)
  return others.length === 0 && sameName !== undefined
    ? sameName
    : new SpellingSuggester().suggest(path, files)
}
