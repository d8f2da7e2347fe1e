/** A doc comment at an indentation of so many spaces, with a new line behind it; empty for an empty text. */
export function docComment(text: string, indent = 0): string {
  if (text === '') return ''
  const margin = ' '.repeat(indent)
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${margin}/** ${lines[0]} */\n`
  return [`${margin}/**`, ...lines.map((line) => `${margin} * ${line}`.trimEnd()), `${margin} */\n`].join(
    '\n',
  )
}

/** A sentence of ours with the definition's own documentation below it. */
export function documented(sentence: string, documentation: string): string {
  return documentation === '' ? sentence : `${sentence}\n\n${documentation}`
}
