import { readFileSync } from 'node:fs'
import { PACKAGE_ROOT } from '../../location.ts'

const TEMPLATES = new URL('templates/', PACKAGE_ROOT)
const texts = new Map<string, string>()

/**
 * Returns the text of a file below `templates/`, with `/` between segments of its path. The text is cached. Throws if
 * the file does not exist, which is an error in the package.
 */
export function readTemplate(path: string): string {
  const known = texts.get(path)
  if (known !== undefined) return known
  const text = readFileSync(new URL(path, TEMPLATES), 'utf8')
  texts.set(path, text)
  return text
}
