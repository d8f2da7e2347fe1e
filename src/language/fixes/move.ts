import {
  type Attribute,
  type Block,
  isAttribute,
  isBlock,
  isImport,
  isMetadata,
  isProject,
  type Service,
} from '../generated/ast.ts'
import { spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { mergeProjects } from './create-block.ts'
import {
  appendingBlock,
  inserting,
  insertingMember,
  lineEndOf,
  removingWithComments,
  textWithComments,
} from './edits.ts'
import { enclosing, firstProject, intactServices } from './enclosing.ts'
import { alternative, type Fix, type FixContext, preferred, type QuickFix } from './fix.ts'

/** The maximum number of services that are offered as targets. */
const MOST_TARGETS = 5

/** Moves a struct at the top level into a service, and a service in a block to the top level. */
export const moveBlock: QuickFix = (context) => {
  const { result } = context
  const block = enclosing(context, isBlock)
  if (block === undefined) return []
  if (isProject(block) && firstProject(result.value) !== undefined) return mergeProjects(context)
  if (block.$type === 'Struct') return moves(context, block)
  const text = unindented(textWithComments(result, block))
  return [
    preferred(
      'Move to the top level',
      removingWithComments(result, block),
      appendingBlock(result, context.diagnostic.range.start.offset, text),
    ),
  ]
}

/** Moves an import to the top of its file. */
export const moveImport: QuickFix = (context) => {
  const { result } = context
  const node = enclosing(context, isImport)
  if (node === undefined) return []
  const { start, text } = result.fileAt(spanOf(node).start)
  const mark = start + (text.startsWith('\uFEFF') ? 1 : 0)
  const line = `${textWithComments(result, node)}${lineEndOf(text)}`
  return [preferred('Move to the top of the file', removingWithComments(result, node), inserting(mark, line))]
}

/** Moves an attribute of a project, or outside any block, into a service. */
export const moveAttribute: QuickFix = (context) => {
  const attribute = enclosing(context, isAttribute)
  return attribute === undefined ? [] : moves(context, attribute)
}

/** Moves metadata of the project out of a service or a struct. */
export const moveMetadata: QuickFix = (context) => {
  const { result } = context
  const metadata = enclosing(context, isMetadata)
  const project = firstProject(result.value)
  if (metadata === undefined || project === undefined || hasParseError(project)) return []
  if (!['provider', 'authMethod', 'metrics'].includes(metadata.name)) return []
  if (project.members.some(({ name }) => name === metadata.name)) return []
  const edits = [
    removingWithComments(result, metadata),
    ...insertingMember(result, project, unindented(textWithComments(result, metadata))),
  ]
  return [preferred(`Move \`#${metadata.name}\` to \`${project.name}\``, ...edits)]
}

function moves(context: FixContext, moved: Attribute | Block): Fix[] {
  const { result } = context
  const text = unindented(textWithComments(result, moved))
  return targets(context, moved).map((service) =>
    alternative(
      `Move to \`${service.name}\``,
      removingWithComments(result, moved),
      ...insertingMember(result, service, text),
    ),
  )
}

/** Possible target services. Those before the declaration come first, because a missing bracket is more likely there. */
function targets({ result }: FixContext, moved: Attribute | Block): Service[] {
  const { start } = spanOf(moved)
  const services = intactServices(result.value).filter(({ members }) =>
    members.every(({ name }) => name !== moved.name),
  )
  const before = services.filter((service) => spanOf(service).start < start).reverse()
  return [...before, ...services.filter((service) => spanOf(service).start > start)].slice(0, MOST_TARGETS)
}

/** A declaration without the indentation of its block. */
function unindented(text: string): string {
  const lines = text.split(/\r\n|\n|\r/)
  const last = lines.at(-1) ?? ''
  const indentation = lines.length > 1 ? (/^[ \t]*/.exec(last)?.[0] ?? '') : ''
  return lines
    .map((line) => (line.startsWith(indentation) ? line.slice(indentation.length) : line))
    .join('\n')
}
