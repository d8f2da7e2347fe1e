import { compile } from '../../src/compile.ts'
import type { Platform } from '../../src/model/platform.ts'

/** The platform of a definition without errors. */
export function platformOf(text: string): Platform {
  const { platform, diagnostics } = compile(text)
  if (platform === undefined) throw new Error(JSON.stringify(diagnostics, undefined, 2))
  return platform
}
