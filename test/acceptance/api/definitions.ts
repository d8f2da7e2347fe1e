import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { wholeDefinition } from '../../example-definition.ts'
import { userFilesOf } from '../../examples/example.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** A definition of the repository, by the name of its directory. */
export interface NamedDefinition {
  readonly name: string
  readonly file: string
  readonly text: string
}

/** The examples with services in TypeScript. These tests have no Go. */
export const EXAMPLES: readonly NamedDefinition[] = readdirSync(path.join(ROOT, 'examples'))
  .filter((name) => existsSync(exampleFile(name)))
  .map((name) => named(name, exampleFile(name)))
  .filter(({ text }) => !text.includes('#language(go)'))

/** The definitions of all golden projects. */
export const GOLDENS: readonly NamedDefinition[] = readdirSync(path.join(ROOT, 'test/golden'))
  .map((name) => [name, path.join(ROOT, 'test/golden', name, 'input.portico')] as const)
  .filter(([, file]) => existsSync(file))
  .map(([name, file]) => named(name, file))

function exampleFile(name: string): string {
  return path.join(ROOT, 'examples', name, `${name}.portico`)
}

function named(name: string, file: string): NamedDefinition {
  return { name, file, text: wholeDefinition(file) }
}

/** Puts the files that an example has of its own, hooks and queries, where its project will be generated. */
export function copyOwnFiles({ name, file }: NamedDefinition, output: string): void {
  for (const own of userFilesOf(name)) {
    mkdirSync(path.dirname(path.join(output, own)), { recursive: true })
    cpSync(path.join(path.dirname(file), 'platform', own), path.join(output, own))
  }
}
