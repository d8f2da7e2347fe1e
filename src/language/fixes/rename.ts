import { AstUtils } from 'langium'
import { kebabCase, snakeCase } from '../../naming.ts'
import {
  type Attribute,
  type Block,
  type Definition,
  isAttribute,
  isAttributeValue,
  isBlock,
  isDefinition,
  isReferenceType,
  isServiceValue,
  isWordValue,
  type WordValue,
} from '../generated/ast.ts'
import { nameSpan, spanOf } from '../nodes.ts'
import type { Span } from '../raw-diagnostic.ts'
import { roleOf } from '../roles.ts'
import { definitionIndex } from '../validation/definition-index.ts'
import { type Edit, replacing } from './edits.ts'
import { enclosing } from './enclosing.ts'
import { alternative, preferred, type QuickFix } from './fix.ts'

/** Changes the invalid name of a block, and all references to it. */
export const correctBlockName: QuickFix = (context) => {
  const block = enclosing(context, isBlock)
  const { data } = context.diagnostic
  if (block === undefined || data?.replacement === undefined) return []
  const references = usesOf(context.result.value, block)
  const { blocks } = definitionIndex(context.result.value)
  const others = blocks.filter((other) => other !== block).map((other) => other.name)
  const name = freeAmong(others, data.replacement, kebabCase)
  const fix = name === data.replacement ? preferred : alternative
  return [fix(renameTitle(name, references), ...renaming(block, references, name))]
}

/** Changes the invalid name of a role, and all references to it. */
export const correctRoleName: QuickFix = (context) => {
  const word = enclosing(context, isWordValue)
  const role = word && roleOf(word)
  const name = context.diagnostic.data?.replacement
  const { value } = context.result
  // Two roles of one name would be one role.
  if (role === undefined || name === undefined || definitionIndex(value).roles.has(name)) return []
  const references = usesOf(value, role)
  return [preferred(renameTitle(name, references), ...renaming(role, references, name))]
}

function renameTitle(name: string, references: readonly Span[]): string {
  return `Rename to \`${name}\`${references.length === 0 ? '' : ' and update references'}`
}

/** Changes the invalid name of an attribute. */
export const correctAttributeName: QuickFix = (context) => {
  const attribute = enclosing(context, isAttribute)
  const { data } = context.diagnostic
  if (attribute === undefined || data?.replacement === undefined) return []
  const others = attributesBeside(attribute).filter((other) => other !== attribute)
  const name = freeAmong(
    others.map((other) => other.name),
    data.replacement,
    snakeCase,
  )
  const fix = name === data.replacement ? preferred : alternative
  const references = usesOf(context.result.value, attribute)
  return [fix(`Change to \`${name}\``, ...renaming(attribute, references, name))]
}

const SUFFIXES: Readonly<Record<Block['$type'], string>> = {
  Project: 'Project',
  Service: 'Service',
  Struct: 'Entry',
  Endpoint: 'Endpoint',
  Job: 'Job',
  UnknownBlock: 'Block',
}

/** Changes a name that is reserved in the output, and all references to it. */
export const renameReserved: QuickFix = (context) => {
  const block = enclosing(context, isBlock)
  if (block === undefined) return []
  const { value } = context.result
  const name = freeBlockName(value, `${block.name}${SUFFIXES[block.$type]}`)
  return [alternative(`Rename to \`${name}\``, ...renaming(block, usesOf(value, block), name))]
}

/** Renames a block whose name is taken. References to the name still refer to the first block. */
export const renameBlock: QuickFix = (context) => {
  const block = enclosing(context, isBlock)
  if (block === undefined) return []
  const name = freeBlockName(context.result.value, block.name)
  return [alternative(`Rename to \`${name}\``, replacing(nameSpan(block), name))]
}

/** Renames an attribute whose name or column is taken. */
export const renameAttribute: QuickFix = (context) => {
  const attribute = enclosing(context, isAttribute)
  if (attribute === undefined || isDefinition(attribute.$container)) return []
  const taken = new Set(attributesBeside(attribute).map(({ name }) => snakeCase(name)))
  const name = numbered(attribute.name, (candidate) => !taken.has(snakeCase(candidate)))
  return [alternative(`Rename to \`${name}\``, replacing(nameSpan(attribute), name))]
}

/** Returns a name that no block has, nor in the forms of the output: `name` itself or with a number. */
export function freeBlockName(definition: Definition, name: string): string {
  return freeAmong(
    definitionIndex(definition).blocks.map((block) => block.name),
    name,
    kebabCase,
  )
}

function attributesBeside({ $container }: Attribute): readonly Attribute[] {
  return isBlock($container) ? $container.members.filter(isAttribute) : []
}

/** The references to a block, an attribute or a role: types of attributes, and values of metadata. */
function usesOf(definition: Definition, declaration: Block | Attribute | WordValue): readonly Span[] {
  const found: Span[] = []
  for (const node of AstUtils.streamAst(definition)) {
    if (isReferenceType(node) && node.entity.ref === declaration) found.push(nameSpan(node))
    else if (isServiceValue(node) && node.service.ref === declaration) found.push(spanOf(node))
    else if (isAttributeValue(node) && node.attribute.ref === declaration) found.push(spanOf(node))
    else if (isWordValue(node) && node !== declaration && roleOf(node) === declaration)
      found.push(spanOf(node))
  }
  return found
}

function renaming(
  declaration: Block | Attribute | WordValue,
  references: readonly Span[],
  name: string,
): Edit[] {
  return [nameSpan(declaration), ...references].map((span) => replacing(span, name))
}

/** Returns a name, with a number if it is taken in the form that the output uses. */
function freeAmong(others: readonly string[], name: string, form: (name: string) => string): string {
  const taken = new Set(others.map(form))
  return taken.has(form(name)) ? numbered(name, (candidate) => !taken.has(form(candidate))) : name
}

function numbered(name: string, isFree: (candidate: string) => boolean): string {
  const base = name.replace(/\d+$/, '')
  let number = 2
  while (!isFree(`${base}${number}`)) number++
  return `${base}${number}`
}
