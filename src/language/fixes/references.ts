import { nameSpan } from '../syntax/places.ts'
import { around } from './around.ts'
import { inserting, removingDeclaration, replacing, tokenSpan } from './edits.ts'
import { alternative, preferred, type QuickFix } from './fix.ts'
import { VISIBILITIES } from '../vocabulary.ts'

/** A reference to a struct of another service becomes one to that service. */
export const referToParent: QuickFix = (problem) => {
  const attribute = around(problem, 'Attribute')
  const struct = attribute && problem.read.scope.blocks.get(attribute.type.target.$refText)
  const parent = struct?.$container
  if (attribute === undefined || parent?.$type !== 'Block' || parent === attribute.$container) return []
  return [preferred(`Refer to \`${parent.name}\``, replacing(nameSpan(attribute.type), parent.name))]
}

/** A reference that closes a cycle is left to a hook, or given up. */
export const breakCycle: QuickFix = (problem) => {
  const attribute = around(problem, 'Attribute')
  if (attribute === undefined) return []
  const { tokens } = attribute.$tree
  const last = attribute.annotations.at(-1)?.$last ?? attribute.type.$last
  const isMarked = attribute.annotations.some(({ name }) => VISIBILITIES.has(name))
  return [
    ...(isMarked
      ? []
      : [alternative('Let a hook set it: add `@serverSet`', inserting(tokens.end(last), ' @serverSet'))]),
    alternative(`Remove \`${attribute.name}\``, removingDeclaration(attribute)),
  ]
}

/** What a text lacks at its end. */
export const closeComment: QuickFix = ({ read: { tree } }) => [
  preferred('Insert `*/`', inserting(tree.text.trimEnd().length, ' */')),
]

/** The `}` that a block lacks. */
export const closeBlock: QuickFix = (problem) => {
  const [place] = problem.diagnostic.related
  const block = around(problem, 'Block')
  if (place === undefined || block === undefined) return []
  const { lines, text } = block.$tree
  const start = tokenSpan(block).start
  const lineStart = lines.lineStart(lines.lineAt(start))
  const indentation = /^[ \t]*/.exec(text.slice(lineStart, start))?.[0] ?? ''
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'
  return [preferred('Insert `}`', inserting(place.range.start.offset, `${lineEnd}${indentation}}`))]
}
