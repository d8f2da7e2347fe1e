import type { HoverProvider } from 'langium/lsp'
import { assertNever } from '../../model/platform.ts'
import { readCall } from '../calls.ts'
import type { ArgumentNode, AttributeTypeNode, BlockNode, SyntaxNode, ValueNode } from '../syntax/nodes.ts'
import type { Read } from '../syntax/read.ts'
import {
  allowedValue,
  annotationNamed,
  isBlockKind,
  metadataNamed,
  type Parameter,
  typeNamed,
} from '../vocabulary.ts'
import { attributeMarkdown } from './attribute-markdown.ts'
import { blockMarkdown, fenced } from './block-markdown.ts'
import { type EditorAbilities, markup } from './client.ts'
import { editorDocument } from './document.ts'
import { type AnyNode, placeAt } from './place.ts'
import {
  annotationMarkdown,
  callShape,
  kindMarkdown,
  metadataMarkdown,
  parameterMarkdown,
  typeMarkdown,
  valueMarkdown,
} from './vocabulary-markdown.ts'

/** What there is to say about the word at a place. */
export function hover(abilities: () => EditorAbilities): HoverProvider {
  return {
    getHoverContent(document, { position }) {
      const { read } = editorDocument(document)
      const { textDocument } = document
      const found = hoverAt(read, textDocument.offsetAt(position))
      if (found === undefined) return undefined
      return {
        contents: markup(found.markdown, abilities().hoverMarkdown),
        range: { start: textDocument.positionAt(found.start), end: textDocument.positionAt(found.end) },
      }
    },
  }
}

/** Markdown, and the word that it is about, in offsets. */
export interface HoverText {
  readonly markdown: string
  readonly start: number
  readonly end: number
}

/** What there is to say about the word at an offset; `undefined` where there is none, or nothing is known of it. */
export function hoverAt(read: Read, offset: number): HoverText | undefined {
  const { node, token } = placeAt(read, offset)
  if (token < 0) return undefined
  const markdown = markdownOf(read, node, token)
  if (markdown === undefined) return undefined
  const { tokens } = read.tree
  return { markdown, start: tokens.start(token), end: tokens.end(token) }
}

function markdownOf(read: Read, node: AnyNode, token: number): string | undefined {
  switch (node.$type) {
    case 'Block':
      return ofBlock(read, node, token)
    case 'Attribute':
      return token === node.$name ? attributeMarkdown(read, node) : undefined
    case 'AttributeType':
      return token === node.$name ? ofType(read, node) : undefined
    case 'Annotation': {
      const entry = annotationNamed(node.name)
      return entry && `${fenced(`@${entry.name}`)}\n\n${annotationMarkdown(entry)}`
    }
    case 'Metadata': {
      const entry = metadataNamed(node.name)
      if (entry === undefined || token > node.$name) return undefined
      const parameters = entry.parameter === undefined ? [] : [entry.parameter]
      return `${fenced(`#${callShape(entry.name, parameters)}`)}\n\n${metadataMarkdown(entry)}`
    }
    case 'Argument':
    case 'WordValue':
    case 'NumberValue':
      return ofValue(read, node, token)
    case 'Definition':
    case 'ArgumentList':
    case 'ListValue':
      return undefined
    default:
      return assertNever(node)
  }
}

function ofBlock(read: Read, block: BlockNode, token: number): string | undefined {
  if (token === block.$name) return blockMarkdown(read, block)
  return token === block.$kind && isBlockKind(block.kind)
    ? `${fenced(block.kind)}\n\n${kindMarkdown(block.kind)}`
    : undefined
}

function ofType(read: Read, type: AttributeTypeNode): string | undefined {
  const entry = typeNamed(type.target.$refText)
  if (entry !== undefined)
    return `${fenced(callShape(entry.name, entry.parameters))}\n\n${typeMarkdown(entry)}`
  return type.target.ref === undefined ? undefined : blockMarkdown(read, type.target.ref)
}

/** A name of an argument, a word in a list, or a number. */
function ofValue(read: Read, node: ArgumentNode | ValueNode, token: number): string | undefined {
  let outermost: SyntaxNode = node
  while (outermost.$type !== 'Metadata' && outermost.$type !== 'AttributeType') {
    const container: SyntaxNode | undefined = (outermost as ValueNode).$container
    if (container === undefined) return undefined
    outermost = container
  }
  const parameter = parameterAt(outermost as AnyNode, token)
  if (parameter === undefined) return undefined
  const word = read.tree.tokens.textOf(token)
  const isName = node.$type === 'Argument' && token === node.$first
  if (!isName && node.$type === 'WordValue') {
    const service = parameter.kind === 'services' ? read.scope.services.get(word) : undefined
    if (service !== undefined) return blockMarkdown(read, service)
    const value = allowedValue(parameter, word)
    return value && `${fenced(value.name)}\n\n${valueMarkdown(value)}`
  }
  return `${fenced(`${parameter.name}: ${parameter.kind}`)}\n\n${parameterMarkdown(parameter)}`
}

/** The parameter that the argument with this token is for. */
function parameterAt(callee: AnyNode, token: number): Parameter | undefined {
  if (callee.$type === 'Metadata') return metadataNamed(callee.name)?.parameter
  if (callee.$type !== 'AttributeType') return undefined
  const parameters = typeNamed(callee.target.$refText)?.parameters ?? []
  const argument = callee.arguments?.items.find(({ $first, $last }) => token >= $first && token <= $last)
  if (argument?.name !== undefined) return parameters.find(({ name }) => name === argument.name)
  const { values } = readCall(callee.arguments, parameters)
  return parameters.find(({ name }) => argument !== undefined && values.get(name) === argument.value)
}
