import { type Attribute, isAttribute, isBlock, isMetadata, isService, isStruct } from '../generated/ast.ts'
import { AUTHENTICATION } from '../../naming.ts'
import { spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { definitionIndex } from '../validation/definition-index.ts'
import {
  appendingBlock,
  declarationSpan,
  inserting,
  insertingMember,
  lineEndOf,
  removingDeclaration,
  removingNode,
  textWithComments,
} from './edits.ts'
import { enclosing, firstProject, diagnosticText } from './enclosing.ts'
import { alternative, preferred, type QuickFix } from './fix.ts'

const BLOCK_NAME = /^[A-Z][A-Za-z0-9]*$/

/** Adds a project at the top of a definition without one, after its imports. */
export const addProject: QuickFix = ({ result }) => {
  if (definitionIndex(result.value).project !== undefined) return []
  const { text, end } = result.mainFile
  const lineEnd = lineEndOf(text)
  const last = result.value.imports.findLast((node) => spanOf(node).start < end)
  if (last !== undefined)
    return [
      preferred(
        'Add a `project` block',
        inserting(declarationSpan(result, last).end, `${lineEnd}${lineEnd}MyProject: project {}`),
      ),
    ]
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const gap = text.trim() === '' ? '' : lineEnd
  return [preferred('Add a `project` block', inserting(mark, `MyProject: project {}${lineEnd}${gap}`))]
}

/** The same for a file that another definition could import instead. */
export const addProjectPossibly: QuickFix = (context) =>
  addProject(context).map(({ title, edits }) => alternative(title, ...edits))

/** Adds a first service. */
export const addService: QuickFix = ({ result }) => [
  alternative('Add a `service` block', appendingBlock(result, 0, 'Item: service {\n  name: string;\n}')),
]

/** Creates the unknown service or struct that an attribute or `#uses` refers to. */
export const createMissing: QuickFix = (context) => {
  const { result, diagnostic } = context
  const name = diagnosticText(context)
  const { authMethod, blocksByName } = definitionIndex(result.value)
  if (!BLOCK_NAME.test(name) || blocksByName.has(name)) return []
  if (name === AUTHENTICATION && authMethod !== undefined) return []
  const attribute: Attribute | undefined =
    diagnostic.code === 'unknown-type' ? enclosing(context, isAttribute) : undefined
  // A reference takes no arguments.
  const edits = attribute?.type.arguments === undefined ? [] : [removingNode(attribute.type.arguments)]
  const service = alternative(
    `Create service \`${name}\``,
    appendingBlock(result, diagnostic.range.start.offset, `${name}: service {\n  name: string;\n}`),
    ...edits,
  )
  const struct = attribute?.$container
  const owner = struct !== undefined && isStruct(struct) ? struct.$container : undefined
  if (owner === undefined || !isService(owner) || hasParseError(owner)) return [service]
  return [
    service,
    alternative(
      `Create struct \`${name}\` in \`${owner.name}\``,
      ...insertingMember(result, owner, `${name}: struct {\n  name: string;\n}`),
      ...edits,
    ),
  ]
}

/** Moves the metadata of a second project into the first. Its name is lost. */
export const mergeProjects: QuickFix = (context) => {
  const { result } = context
  const second = enclosing(context, isBlock)
  const first = firstProject(result.value)
  if (second === undefined || first === undefined || second === first || hasParseError(first)) return []
  const present = new Set(first.members.map(({ name }) => name))
  const metadata = second.members.filter(isMetadata)
  if (metadata.length < second.members.length) return []
  const moved = metadata.filter(({ name }) => !present.has(name))
  if (moved.length === 0)
    return [alternative(`Remove \`${second.name}\``, removingDeclaration(result, second))]
  const text = moved.map((member) => textWithComments(result, member)).join('\n')
  return [
    alternative(
      `Merge \`${second.name}\` into \`${first.name}\``,
      ...insertingMember(result, first, text),
      removingDeclaration(result, second),
    ),
  ]
}
