import { readFileSync } from 'node:fs'
import { definitionFolder } from '../src/definition-folder.ts'
import { readText } from '../src/language/parse.ts'

/** The text of a definition and of the files that it imports, as one definition without imports. */
export function wholeDefinition(file: string): string {
  return readText(readFileSync(file, 'utf8'), definitionFolder(file)).standaloneText
}
