import { type AstNode, isAstNode, isReference } from 'langium'
import { documentationOf } from '../../src/language/documentation.ts'
import { isAttribute, isBlock, isMetadata } from '../../src/language/generated/ast.ts'
import { readText } from '../../src/language/parse.ts'

/** Everything that a text says, as plain data: its tree without positions, with documentation. */
export function meaningOf(text: string): unknown {
  return plain(readText(text).value)
}

/** The comments of a text in their order; white space at the ends of their lines does not count. */
export function commentsOf(text: string): string[] {
  const { comments } = readText(text)
  return Array.from({ length: comments.length }, (_, index) =>
    comments
      .image(index)
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
  return isBlock(node) || isAttribute(node) || isMetadata(node)
    ? { ...data, documentation: documentationOf(node) }
    : data
}

function plainValue(value: unknown): unknown {
  if (isReference(value)) return { refersTo: value.$refText }
  return isAstNode(value) ? plain(value) : value
}
