import { type Diagnostic, hasErrors, severityOf } from '../diagnostics/diagnostic.ts'
import type { Language } from './builtins.ts'
import type { Definition } from './generated/ast.ts'
import { createPorticoServices, type PorticoServices } from './module.ts'
import type { DefinitionFolder, ImportFailure, ResolvedImport } from './imports.ts'
import type { DefinitionParseResult } from './parse-result.ts'
import type { RawDiagnostic } from './raw-diagnostic.ts'
import type { SourceFile } from './source-file.ts'
import type { DefinitionValidator } from './validation/validator.ts'

/** A parsed and checked definition. */
export interface CheckedDefinition {
  readonly parseResult: DefinitionParseResult
  /** The linked syntax tree. If `valid` is false, it may be incomplete. */
  readonly ast: Definition
  /** All diagnostics (at most 10,000 of each severity), in the order of the text. */
  readonly diagnostics: readonly Diagnostic[]
  /** Whether no diagnostic is an error. The tree is then complete. */
  readonly valid: boolean
}

let shared: PorticoServices | undefined

/** The services for texts that are parsed independently. Created on first use. */
export function porticoServices(): PorticoServices {
  return (shared ??= createPorticoServices().portico)
}

/**
 * Parses and checks a definition. Synchronous; takes linear time, uses no other definitions, and never throws.
 *
 * @param folder has the imported files. Without it, imports are not followed.
 * @param language overrides that of every service
 */
export function checkText(text: string, folder?: DefinitionFolder, language?: Language): CheckedDefinition {
  const parseResult = readText(text, folder)
  parseResult.languageOverride = language
  return checkParsed(parseResult)
}

/** The first half of `checkText`, for callers that need only the tree. */
export function readText(text: string, folder?: DefinitionFolder): DefinitionParseResult {
  return porticoServices().parser.DefinitionParser.reparse(text, [], folder)
}

/** The files of a definition, of which the first one imports the others, and the imports that failed. */
export interface DefinitionFiles {
  readonly files: readonly Pick<SourceFile, 'path' | 'text'>[]
  readonly imports?: readonly Pick<ResolvedImport, 'path' | 'failure'>[]
}

/** The same as `readText` for the files of a definition that has been read before. */
export function readFiles({
  files: [main, ...imported],
  imports = [],
}: DefinitionFiles): DefinitionParseResult {
  if (main === undefined) throw new Error('A definition has at least one file')
  // Without a folder, imports were not followed.
  if (main.path === '') return readText(main.text)
  const read = (path: string): string | ImportFailure =>
    imported.find((file) => file.path === path)?.text ??
    imports.find((one) => one.path === path)?.failure ?? { reason: '' }
  return readText(main.text, { name: main.path, read })
}

const checked = new WeakMap<DefinitionParseResult, CheckedDefinition>()

/** The second half of `checkText`, computed once. `validator` belongs to the services that parsed the definition. */
export function checkParsed(
  parseResult: DefinitionParseResult,
  validator: DefinitionValidator = porticoServices().validation.DocumentValidator,
): CheckedDefinition {
  let known = checked.get(parseResult)
  if (known === undefined) {
    const diagnostics = validator
      .diagnosticsOf(parseResult)
      .map((diagnostic) => toDiagnostic(diagnostic, parseResult))
    known = { parseResult, ast: parseResult.value, diagnostics, valid: !hasErrors(diagnostics) }
    checked.set(parseResult, known)
  }
  return known
}

function toDiagnostic(
  { code, start, end, message, help, related = [], data }: RawDiagnostic,
  result: DefinitionParseResult,
): Diagnostic {
  return {
    code,
    severity: severityOf(code),
    file: result.fileAt(start).path,
    range: result.rangeOf(start, end),
    message,
    ...(help === undefined ? {} : { help }),
    related: related.map((place) => ({
      file: result.fileAt(place.start).path,
      range: result.rangeOf(place.start, place.end),
      message: place.message,
    })),
    data,
  }
}
