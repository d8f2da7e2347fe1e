import { readFileSync } from 'node:fs'
import { PACKAGE_ROOT } from '../../location.ts'

const TEMPLATES = new URL('templates/', PACKAGE_ROOT)
const texts = new Map<string, string>()

/**
 * The text of a file below `templates/`, its path with `/` between segments. Read once. Throws where there is
 * none: a template that is missing is a fault of the package.
 */
export function readTemplate(path: string): string {
  const known = texts.get(path)
  if (known !== undefined) return known
  const text = readFileSync(new URL(path, TEMPLATES), 'utf8')
  texts.set(path, text)
  return text
}
