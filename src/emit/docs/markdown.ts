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

/**
 * The user's text in Markdown: paragraphs, and lists, with `code` in backticks. Everything else that has a meaning in
 * Markdown or HTML is escaped.
 */
export function markdownText(text: string): string {
  return text
    .split(/[\n\u2028\u2029]/)
    .map((line) => line.trim().replace(ACTIVE, (found, kept?: string) => kept ?? `\\${found}`))
    .join('\n')
}

/**
 * A code span or the bullet of an item, which are kept, or a character that begins or ends something, some of them only
 * at the start of a line.
 */
const ACTIVE =
  /((?<!`)`[^`]+`(?!`)|^[-+*] (?=[^\s\d#>=:|+*-]))|[`\\[<~]|\*(?! )|(?<! )\*|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_])|^[-+*>#=:]|(?<=^\| *:?)-|(?<=^\d{1,9})[.)](?! [^\s\d#>=:|+*-])/g

/** The same in one cell of a table. */
export function oneLine(text: string): string {
  return markdownText(text.replace(/\s+/g, ' ')).replaceAll('|', '\\|')
}

/** The first line of the user's text in one cell of a table. */
export function firstLine(text: string): string {
  return oneLine(text.split('\n', 1)[0] ?? '')
}
