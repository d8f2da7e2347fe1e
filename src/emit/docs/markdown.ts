/** Joins paragraphs with a blank line. Empty ones are omitted. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

/** A table. Cells are Markdown. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A code block with syntax highlighting. */
export function codeBlock(language: string, lines: readonly string[]): string {
  return ['```' + language, ...lines, '```'].join('\n')
}

/** The user's text in one cell of a table. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\|/g, '\\|')
}

/** The first line of the user's text in one cell of a table. */
export function firstLine(text: string): string {
  return oneLine(text.split('\n', 1)[0] ?? '')
}
