import { type AstNode, isAstNode, isReference } from 'langium'
import { documentationOf } from '../../src/language/documentation.ts'
import { languageServices } from '../../src/language/module.ts'

/** Everything that a text says, as plain data: its tree without places, with documentation. */
export function meaningOf(text: string): unknown {
  const { value, lexerErrors, parserErrors } = languageServices().parser.LangiumParser.parse(text)
  if (lexerErrors.length + parserErrors.length > 0) throw new Error(`Not a definition: ${text}`)
  return plain(value)
}

/** The comments of a text in their order; white space at the ends of their lines does not count. */
export function commentsOf(text: string): string[] {
  return languageServices()
    .parser.Lexer.tokenize(text)
    .hidden.map(({ image }) =>
      image
        .split(/\r\n?|\n/)
        .map((line) => line.trim())
        .join('\n'),
    )
}

function plain(node: AstNode): unknown {
  const data: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === 'terminated' || (key.startsWith('$') && key !== '$type')) continue
    data[key] = Array.isArray(value) ? value.map(plainValue) : plainValue(value)
  }
  const documentation = documentationOf(node)
  return documentation === '' ? data : { ...data, documentation }
}

function plainValue(value: unknown): unknown {
  if (isReference(value)) return { refersTo: value.$refText }
  return isAstNode(value) ? plain(value) : value
}
