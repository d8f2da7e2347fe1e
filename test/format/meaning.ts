import { type AstNode, isAstNode, isReference } from 'langium'
import { documentationOf } from '../../src/language/documentation.ts'
import { read } from '../../src/language/syntax/read.ts'
import { scan } from '../../src/language/syntax/scanner.ts'

/** Everything that a text says, as plain data: its tree without places, with documentation. */
export function meaningOf(text: string): unknown {
  return plain(read(text).definition)
}

/** The comments of a text in their order; white space at the ends of their lines does not count. */
export function commentsOf(text: string): string[] {
  const { comments } = scan(text)
  return Array.from({ length: comments.length }, (_, index) =>
    comments
      .textOf(index)
      .split(/\r\n?|\n/)
      .map((line) => line.trim())
      .join('\n'),
  )
}

const DOCUMENTED = new Set(['Block', 'Attribute', 'Metadata'])

function plain(node: AstNode): unknown {
  const data: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === 'terminated' || (key.startsWith('$') && key !== '$type')) continue
    data[key] = Array.isArray(value) ? value.map(plainValue) : plainValue(value)
  }
  return DOCUMENTED.has(node.$type) ? { ...data, documentation: documentationOf(node) } : data
}

function plainValue(value: unknown): unknown {
  if (isReference(value)) return { refersTo: value.$refText }
  return isAstNode(value) ? plain(value) : value
}
