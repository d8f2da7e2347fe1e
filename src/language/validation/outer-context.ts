import { isDefinition } from '../generated/ast.ts'
import { kindOf, spanOf } from '../nodes.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { definitionIndex } from './definition-index.ts'

/**
 * Returns everything that the checks of a segment read outside it, as a string to compare: the names, kinds and
 * parents of all blocks, the project, and whether there are users. Returns `undefined` if two blocks have the same
 * name, because then their order matters too.
 */
export function outerContextOf({ value, text }: DefinitionParseResult): string | undefined {
  const { authMethod, auths, blocks, project } = definitionIndex(value)
  const names = new Set<string>()
  const parts = [String(authMethod !== undefined), String(auths.length)]
  if (project !== undefined) {
    const { start, end } = spanOf(project)
    parts.push(text.slice(start, end))
  }
  for (const block of blocks) {
    if (names.has(block.name)) return undefined
    names.add(block.name)
    parts.push(block.name, kindOf(block), isDefinition(block.$container) ? '' : block.$container.name)
  }
  return parts.join('\n')
}
