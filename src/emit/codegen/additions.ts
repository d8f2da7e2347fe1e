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
