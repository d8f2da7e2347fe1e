/**
 * Returns the text of a template with further lines after some of its lines, or others in their place. Throws if it does
 * not have such a line once, which is an error in the package.
 */
export function extended(template: string, additions: readonly Addition[]): string {
  const lines = template.split('\n')
  for (const addition of additions) {
    const line = 'after' in addition ? addition.after : addition.replace
    const index = lines.indexOf(line)
    if (index < 0 || lines.includes(line, index + 1))
      throw new Error(`A template does not have the line ${JSON.stringify(line)} once.`)
    if ('after' in addition) lines.splice(index + 1, 0, addition.add)
    else lines[index] = addition.by
  }
  return lines.join('\n')
}

/** A line of a template, and the lines to add after it, or the line to use in its place. */
export type Addition =
  | { readonly after: string; readonly add: string }
  | { readonly replace: string; readonly by: string }
