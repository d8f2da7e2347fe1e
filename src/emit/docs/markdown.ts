/** Parts of a page with a blank line between them; absent and empty ones are left out. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

/** A table; cells are Markdown already. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A block of code in a language that highlighters know. */
export function codeBlock(language: string, lines: readonly string[]): string {
  return ['```' + language, ...lines, '```'].join('\n')
}

/** Text of the user's in one cell of a table. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\|/g, '\\|')
}

/** The first line of a text of the user's, in one cell of a table. */
export function firstLine(text: string): string {
  return oneLine(text.split('\n', 1)[0] ?? '')
}
