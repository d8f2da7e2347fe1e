/** Text that the compiler reads as a directive in the last line of a comment: `@ts-ignore`, `@ts-expect-error`. */
const DIRECTIVE = /^[/*\s]*@ts-/

/** A doc comment that ends in a line break, indented by `indent` spaces. Empty for an empty text. */
export function docComment(text: string, indent = 0): string {
  if (text === '') return ''
  const margin = ' '.repeat(indent)
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1 && !DIRECTIVE.test(text)) return `${margin}/** ${lines[0]} */\n`
  return [`${margin}/**`, ...lines.map((line) => `${margin} * ${line}`.trimEnd()), `${margin} */\n`].join(
    '\n',
  )
}

/** A generated sentence, followed by the definition's own documentation. */
export function withDocumentation(sentence: string, documentation: string): string {
  return documentation === '' ? sentence : `${sentence}\n\n${documentation}`
}
