import type { Diagnostic } from './diagnostics/diagnostic.ts'
import { emitProject } from './emit/project.ts'
import type { GeneratedFile } from './emit/contract.ts'
import { checkText } from './language/parse.ts'
import type { Platform } from './model/platform.ts'
import { type Overrides, resolvePlatform } from './model/resolve.ts'

/** What is known of a definition: everything there is to say about it and, without errors, the platform. */
export interface Compilation {
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[]
  /** `undefined` where a diagnostic is an error. */
  readonly platform: Platform | undefined
}

/** From a text to the platform that it describes. Total: no text makes it throw. */
export function compile(text: string, overrides: Overrides = {}): Compilation {
  const { ast, diagnostics, valid } = checkText(text)
  return { diagnostics, platform: valid ? resolvePlatform(ast, overrides) : undefined }
}

/** Every file of the platform's project, sorted by path. */
export function emit(platform: Platform): readonly GeneratedFile[] {
  return emitProject(platform)
}
