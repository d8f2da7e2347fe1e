import { readFileSync } from 'node:fs'
import path from 'node:path'
import { compile } from '../../src/compile.ts'
import type { Platform } from '../../src/model/platform.ts'

/** The platform of a definition without errors, in the language of {@link testLanguage}. */
export function platformOf(text: string): Platform {
  const language = testLanguage()
  const { platform, diagnostics } = compile(text, language === 'go' ? { language } : {})
  if (platform === undefined) throw new Error(JSON.stringify(diagnostics, undefined, 2))
  return platform
}

/** The language of the services that tests start: `test/acceptance/go` runs tests of TypeScript services in Go. */
export function testLanguage(): 'go' | 'typescript' {
  return process.env['TEST_LANGUAGE'] === 'go' ? 'go' : 'typescript'
}

/** The value for the language of the tests. */
export function inLanguage<T>(values: Readonly<Record<'go' | 'typescript', T>>): T {
  return values[testLanguage()]
}

/** Where the users' code of a service is. */
export function setupPath(directory: string): string {
  return inLanguage({ typescript: `${directory}/src/setup.ts`, go: `${directory}/setup.go` })
}

/** The text of `setup.ts`, or, in Go, a file of `setups`. */
export function setupText(typescript: string, goFile: string): string {
  if (testLanguage() === 'typescript') return typescript
  return readFileSync(path.join(import.meta.dirname, 'setups', goFile), 'utf8')
}
