import { nameSpan } from '../syntax/places.ts'
import { around } from './around.ts'
import { dependentsOf, isRequired } from '../editor/definition-facts.ts'
import { inserting, removingDeclaration, removingList, replacing, tokenSpan } from './edits.ts'
import { alternative, preferred, type QuickFix } from './fix.ts'
import { VISIBILITIES } from '../vocabulary.ts'
import { readText } from '../parse.ts'
import { mend } from './mend.ts'

/** A reference to a struct of another service becomes one to that service. */
export const referToParent: QuickFix = (problem) => {
  const attribute = around(problem, 'Attribute')
  const struct = attribute && problem.read.scope.blocks.get(attribute.type.target.$refText)
  const parent = struct?.$container
  if (attribute === undefined || parent?.$type !== 'Block' || parent === attribute.$container) return []
  return [preferred(`Refer to \`${parent.name}\``, replacing(nameSpan(attribute.type), parent.name))]
}

/** The nearest type; where clients could not supply it, as a cycle would close, a hook has to set it. */
export const nearestType: QuickFix = (problem) => {
  const attribute = around(problem, 'Attribute')
  const name = problem.diagnostic.data?.replacement
  const target = name === undefined ? undefined : problem.read.scope.blocks.get(name)
  const holder = attribute?.$container
  if (attribute === undefined || name === undefined || target === undefined || holder?.$type !== 'Block')
    return mend(problem)
  const given = attribute.type.arguments
  const edits = [
    replacing(nameSpan(attribute.type), name),
    ...(given === undefined ? [] : [removingList(given)]),
  ]
  if (!isRequired(attribute) || !dependentsOf(problem.read, holder, attribute).has(target))
    return [preferred(`Change to \`${name}\``, ...edits)]
  if (attribute.annotations.some((annotation) => VISIBILITIES.has(annotation.name))) return []
  const last = attribute.annotations.at(-1)?.$last ?? attribute.type.$last
  const serverSet = inserting(attribute.$tree.tokens.end(last), ' @serverSet')
  return [alternative(`Change to \`${name}\`, set by a hook`, ...edits, serverSet)]
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

/** The end of a comment: at the end of the first of its lines behind which the text can be read, or of the text. */
export const closeComment: QuickFix = ({ diagnostic, read: { tree } }) => {
  const { text } = tree
  const places = lineEndsBehind(text, diagnostic.range.start.offset).filter(
    (at) => readText(`${text.slice(0, at)} */${text.slice(at)}`).findings.count === 0,
  )
  return [preferred('Insert `*/`', inserting(places[0] ?? text.trimEnd().length, ' */'))]
}

/** How many lines of a comment that does not end are tried. */
const MOST_COMMENT_LINES = 5

function lineEndsBehind(text: string, offset: number): number[] {
  const ends: number[] = []
  const lineEnd = /[ \t]*(?:\r\n|\n|\r)/g
  lineEnd.lastIndex = offset
  for (let found = lineEnd.exec(text); found !== null && ends.length < MOST_COMMENT_LINES; ) {
    ends.push(found.index)
    found = lineEnd.exec(text)
  }
  return ends
}

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
