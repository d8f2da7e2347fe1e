import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../codegen/templates.ts'

/** The files of `lib/` that no other file imports: what Node loads before a service, and a program. */
const ENTRIES = ['env-file.ts', 'imports.ts', 'migrate.ts']
/** Text of the definition, which may look like an import, is never at the start of a line. */
const SHARED = /^(?:import|export|\}) .*from '#lib\/([\w-]+\.ts)'$/gm
const RELATIVE = /'\.\/([\w-]+\.ts)'/g

/**
 * `lib/`: what all services share, only `programs`, and the files that `importers` or these files themselves import.
 */
export function libFiles(
  importers: readonly GeneratedFile[],
  programs: readonly string[] = [],
): GeneratedFile[] {
  const names = new Set([
    ...ENTRIES,
    ...programs,
    ...importers.flatMap(({ content }) => imported(content, SHARED)),
  ])
  // Includes the names that are added on the way.
  for (const name of names) for (const each of imported(template(name), RELATIVE)) names.add(each)
  return Array.from(names, (name) => ({ path: `lib/${name}`, content: template(name), owner: 'generated' }))
}

const imported = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, name = '']) => name)

const template = (name: string) => readTemplate(`typescript/lib/${name}`)
