import type { Diagnostic } from './diagnostics/diagnostic.ts'
import type { DefinitionFolder } from './language/imports.ts'
import type { DefinitionParseResult } from './language/parse-result.ts'
import { checkText } from './language/parse.ts'
import type { Platform } from './model/platform.ts'
import { type Overrides, resolvePlatform } from './model/resolve.ts'

/** The result of compiling a definition. */
export interface Compilation {
  /** The text and the files. */
  readonly result: DefinitionParseResult
  /** In text order. */
  readonly diagnostics: readonly Diagnostic[]
  /** `undefined` if a diagnostic is an error. */
  readonly platform: Platform | undefined
}

/**
 * Compiles a definition to a platform. Never throws, whatever the text.
 *
 * @param folder has the imported files. Without it, imports are not followed.
 */
export function compile(text: string, overrides: Overrides = {}, folder?: DefinitionFolder): Compilation {
  const { parseResult, diagnostics, valid } = checkText(text, folder, overrides.language)
  return {
    result: parseResult,
    diagnostics,
    platform: valid ? resolvePlatform(parseResult.value, overrides) : undefined,
  }
}
