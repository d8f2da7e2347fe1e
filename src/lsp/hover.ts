import { AstUtils } from 'langium'
import type { HoverProvider } from 'langium/lsp'
import { bindArguments, metadataParameter } from '../language/argument-binding.ts'
import {
  allowedValue,
  annotationNamed,
  type BlockKind,
  isBlockKind,
  metadataNamed,
  type Parameter,
  typeNamed,
} from '../language/builtins.ts'
import {
  type Annotation,
  type Argument,
  type Attribute,
  type AttributeValue,
  type EntityValue,
  type ReferenceType,
  isAnnotation,
  isArgument,
  isAttribute,
  isBlock,
  isMetadata,
  isPrimitiveType,
  type NumberValue,
  type PrimitiveType,
  type ServiceValue,
  type WordValue,
} from '../language/generated/ast.ts'
import { enumValueNamed, enumWordOf, initialValue, transitionsOf } from '../language/enum-values.ts'
import { formerValuesOf } from '../language/former-name.ts'
import { propertyOf } from '../language/nodes.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import type { TokenNode } from '../language/parser/cst.ts'
import { roleOf } from '../language/roles.ts'
import { listed } from '../naming.ts'
import { attributeMarkdown } from './attribute-markdown.ts'
import { blockMarkdown, fenced } from './block-markdown.ts'
import {
  annotationMarkdown,
  AUTHENTICATION_MARKDOWN,
  kindMarkdown,
  metadataMarkdown,
  metadataSignature,
  parameterMarkdown,
  signatureOf,
  typeMarkdown,
  valueMarkdown,
} from './builtin-markdown.ts'
import { type ClientCapabilities, markup } from './client-capabilities.ts'
import type { Definitions } from './definitions.ts'
import { leafAt } from './leaf-at.ts'

/** The hover of the word at a position. */
export function hover(definitions: Definitions, capabilities: () => ClientCapabilities): HoverProvider {
  return {
    getHoverContent(document, { position }) {
      const view = definitions.view(document)
      const found = hoverAt(view.result, view.offsetAt(position))
      return (
        found && {
          contents: markup(found.markdown, capabilities().hoverMarkdown),
          range: view.rangeOf(found),
        }
      )
    },
  }
}

/** Markdown, and the offsets of the word that it describes. */
export interface HoverText {
  readonly markdown: string
  readonly start: number
  readonly end: number
}

/** The hover of the word at an offset; `undefined` if the word is unknown. */
export function hoverAt(result: DefinitionParseResult, offset: number): HoverText | undefined {
  const leaf = leafAt(result, offset)
  const markdown = leaf && markdownOf(result, leaf)
  return leaf && markdown ? { markdown, start: leaf.offset, end: leaf.end } : undefined
}

/** The nodes with words, except blocks and metadata. */
type Leaf =
  | Attribute
  | PrimitiveType
  | ReferenceType
  | Annotation
  | ServiceValue
  | EntityValue
  | AttributeValue
  | Argument
  | WordValue
  | NumberValue

function markdownOf(result: DefinitionParseResult, leaf: TokenNode): string | undefined {
  const node = leaf.astNode
  const property = propertyOf(leaf)
  const { image } = leaf.token
  if (isBlock(node)) {
    if (property === 'name') return blockMarkdown(result, node)
    return isBlockKind(image) && property !== 'kind' ? kindText(image) : undefined
  }
  if (isMetadata(node)) {
    const entry = metadataNamed(node.name)
    if (entry === undefined || (property !== 'name' && image !== '#')) return undefined
    return `${fenced(`#${metadataSignature(entry)}`)}\n\n${metadataMarkdown(entry)}`
  }
  const other = node as Leaf
  switch (other.$type) {
    case 'Attribute':
      return property === 'name' ? attributeMarkdown(result, other) : undefined
    case 'PrimitiveType':
      return property === 'name' ? primitiveText(other) : undefined
    case 'ReferenceType':
      return property === 'entity' && other.entity.ref ? blockMarkdown(result, other.entity.ref) : undefined
    case 'Annotation': {
      const entry = annotationNamed(other.name)
      if (entry === undefined || (property !== 'name' && image !== '@')) return undefined
      const parameters = [entry.parameter, entry.pairs].filter((parameter) => parameter !== undefined)
      return `${fenced(`@${signatureOf(entry.name, parameters)}`)}\n\n${annotationMarkdown(entry)}`
    }
    case 'ServiceValue':
      return calleeMarkdown(result, other)
    case 'EntityValue':
      return other.entity.ref && blockMarkdown(result, other.entity.ref)
    case 'AttributeValue':
      return other.attribute.ref && attributeMarkdown(result, other.attribute.ref)
    case 'WordValue':
      return roleOf(other) === undefined ? (enumValueText(other) ?? valueText(other)) : roleText(other)
    case 'Argument':
    case 'NumberValue':
      return enumValueText(other) ?? valueText(other)
    default:
      return undefined
  }
}

function calleeMarkdown(result: DefinitionParseResult, { service }: ServiceValue): string | undefined {
  if (service.ref?.$type !== 'Setting') return service.ref && blockMarkdown(result, service.ref)
  return `${fenced(service.$refText)}\n\n${AUTHENTICATION_MARKDOWN}`
}

function roleText({ word }: WordValue): string {
  return `${fenced(word)}\n\nUsers who have this role. The authentication service assigns it.`
}

/** A value of an `enum`, where it is declared or named. */
function enumValueText(node: Argument | WordValue | NumberValue): string | undefined {
  const declaration = enumValueNamed(node)
  const attribute = AstUtils.getContainerOfType(node, isAttribute)
  if (declaration === undefined || attribute === undefined) return undefined
  const value = enumWordOf(declaration) ?? ''
  const entity = AstUtils.getContainerOfType(attribute, isBlock)
  const former = formerValuesOf(attribute).get(value)
  return [
    `${fenced(value)}\n\nA value of \`${entity === undefined ? '' : `${entity.name}.`}${attribute.name}\`.`,
    ...(former === undefined ? [] : [`It was called \`${former}\`.`]),
    ...transitionTexts(attribute, value),
  ].join(' ')
}

/** What a value can become. */
function transitionTexts(attribute: Attribute, value: string): string[] {
  const transitions = transitionsOf(attribute)
  if (transitions === undefined) return []
  const targets = transitions.get(value) ?? []
  return [
    ...(initialValue(attribute) === value ? ['New entities have it.'] : []),
    targets.length === 0 ? 'It is final.' : `It can become ${listed(targets, 'or')}.`,
  ]
}

function kindText(kind: BlockKind): string {
  return `${fenced(kind)}\n\n${kindMarkdown(kind)}`
}

function primitiveText({ name }: PrimitiveType): string | undefined {
  const entry = typeNamed(name)
  return entry && `${fenced(signatureOf(entry.name, entry.parameters))}\n\n${typeMarkdown(entry)}`
}

/** The name of an argument, a word, or a number. */
function valueText(node: Argument | WordValue | NumberValue): string | undefined {
  const parameter = parameterOf(node)
  if (parameter === undefined) return undefined
  if (node.$type === 'WordValue' && parameter.kind !== 'name' && parameter.kind !== 'formerValues') {
    const value = allowedValue(parameter, node.word)
    return value && `${fenced(value.name)}\n\n${valueMarkdown(value)}`
  }
  return `${fenced(`${parameter.name}: ${parameter.kind}`)}\n\n${parameterMarkdown(parameter)}`
}

/** The parameter of an argument, or of a value in one. */
function parameterOf(node: Argument | WordValue | NumberValue): Parameter | undefined {
  const metadata = AstUtils.getContainerOfType(node, isMetadata)
  if (metadata !== undefined)
    return metadataParameter(metadata, AstUtils.getContainerOfType(node, isArgument))
  const annotation = AstUtils.getContainerOfType(node, isAnnotation)
  if (annotation !== undefined) {
    const entry = annotationNamed(annotation.name)
    const isPair = AstUtils.getContainerOfType(node, isArgument)?.name !== undefined
    return isPair ? entry?.pairs : entry?.parameter
  }
  const type = AstUtils.getContainerOfType(node, isPrimitiveType)
  const argument = AstUtils.getContainerOfType(node, isArgument)
  const parameters = type === undefined ? [] : (typeNamed(type.name)?.parameters ?? [])
  if (argument?.name !== undefined) return parameters.find(({ name }) => name === argument.name)
  const { values } = bindArguments(type?.arguments, parameters)
  return parameters.find(({ name }) => argument !== undefined && values.get(name) === argument.value)
}
