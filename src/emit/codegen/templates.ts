import { readFileSync } from 'node:fs'
import { PACKAGE_ROOT } from '../../location.ts'

const TEMPLATES = new URL('templates/', PACKAGE_ROOT)
const texts = new Map<string, string>()

/**
 * Returns the text of a template with further lines after some of its lines. Throws if it does not have such a line
 * once, which is an error in the package.
 */
export function extended(template: string, additions: readonly Addition[]): string {
  const lines = template.split('\n')
  for (const { after, add } of additions) {
    const index = lines.indexOf(after)
    if (index < 0 || lines.includes(after, index + 1))
      throw new Error(`A template does not have the line ${JSON.stringify(after)} once.`)
    lines.splice(index + 1, 0, add)
  }
  return lines.join('\n')
}

/** A line of a template, and the lines to add after it. */
export interface Addition {
  readonly after: string
  readonly add: string
}

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
