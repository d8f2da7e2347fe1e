import { type Connection, type Range, RequestType } from 'vscode-languageserver'
import { diagram } from '../emit/diagram/diagram.ts'
import { diagramSvg } from '../emit/diagram/svg.ts'
import type { EditorDocument } from '../language/editor/document.ts'
import type { Block, Member } from '../language/generated/ast.ts'
import { rangeOf } from '../language/editor/ranges.ts'
import { hasName, nameSpan } from '../language/syntax/places.ts'
import { resolvePlatform } from '../model/resolve.ts'
import type { Definitions } from './definitions.ts'
import { stillWanted } from './freshness.ts'

/** What a client asks with. */
export interface DiagramParams {
  /** Of the definition. It need not be open. */
  readonly uri: string
  /**
   * For a client that shows the diagram itself: services and structs can be focused and are links, and there is
   * no style sheet inside. Without it, a picture that stands alone.
   */
  readonly interactive?: boolean
}

/** What a client is answered. */
export interface DiagramAnswer {
  /** One SVG element; `null` while the definition has errors: what was drawn before still says most. */
  readonly svg: string | null
  /** Every service and struct, in the order of the text, and where its name stands. */
  readonly declarations: readonly Declaration[]
}

export interface Declaration {
  /** What `data-declaration` in the SVG holds. */
  readonly name: string
  readonly range: Range
}

/**
 * The request `portico/diagram`. There is no notification: a client that shows a diagram asks again after a
 * change.
 */
export const DiagramRequest = new RequestType<DiagramParams, DiagramAnswer, void>('portico/diagram')

/** Answers `portico/diagram` on a connection. */
export function answerDiagram(connection: Connection, definitions: Definitions): void {
  connection.onRequest(DiagramRequest, async (params, token) => {
    await stillWanted(definitions, params.uri, token)
    return diagramOf(await definitions.find(params.uri), params.interactive === true)
  })
}

/** The diagram of a definition. */
export function diagramOf(document: EditorDocument, interactive: boolean): DiagramAnswer {
  const { ast, valid } = document.checked
  const declarations = document.read.definition.blocks.flatMap((block) => declarationsIn(document, block))
  if (!valid) return { svg: null, declarations }
  const svg = diagramSvg(diagram(resolvePlatform(ast, {})), { interactive, standalone: !interactive })
  return { svg, declarations }
}

function declarationsIn(document: EditorDocument, node: Block | Member): Declaration[] {
  if (node.$type !== 'Block') return []
  const isShown = node.kind !== 'project' && hasName(node)
  const own = isShown ? [{ name: node.name, range: rangeOf(document, nameSpan(node)) }] : []
  return [...own, ...node.members.flatMap((member) => declarationsIn(document, member))]
}
