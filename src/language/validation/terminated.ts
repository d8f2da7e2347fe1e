import { metadataNamed } from '../builtins.ts'
import { type Attribute, isDefinition, type Metadata } from '../generated/ast.ts'
import { lastTokenText, spanOf } from '../nodes.ts'
import { missingSemicolon } from '../parser/messages/declarations.ts'
import type { ValidationContext } from './context.ts'

/** Every declaration except a block ends with `;`. The last one in a block can omit it. */
export function checkTerminated(node: Attribute | Metadata, context: ValidationContext): void {
  if (node.terminated || context.overlapsSyntaxError(node)) return
  const { $container } = node
  if ($container.members.at(-1) === node && !isDefinition($container)) return
  // Unknown metadata is reported as such.
  if (node.$type !== 'Attribute' && metadataNamed(node.name) === undefined) return
  const { end } = spanOf(node)
  const missing = missingSemicolon(lastTokenText(node))
  context.report(missing.code, { start: end, end }, missing.message, missing)
}
