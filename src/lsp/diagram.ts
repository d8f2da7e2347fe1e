import type { DocumentState, LangiumDocument } from 'langium'
import { DocumentState as State } from 'langium'
import { type CancellationToken, type Connection, type Range, RequestType } from 'vscode-languageserver'
import { isBlock, isProject, type Member } from '../language/generated/ast.ts'
import { hasName, nameSpan } from '../language/nodes.ts'
import { checkParsed } from '../language/parse.ts'
import { definitionIndex } from '../language/validation/definition-index.ts'
import { usedServices } from '../model/calls.ts'
import { AUTHENTICATION } from '../naming.ts'
import type { Definition } from './definition-view.ts'
import type { Definitions } from './definitions.ts'
import type { ServerHost } from './host.ts'

/** The parameters of the request. */
export interface DiagramParams {
  /** URI of the definition, or of a file that it imports. It need not be open. */
  readonly uri: string
  /**
   * For a client that shows the diagram in its own page: services and structs are focusable links, and the SVG
   * contains no style sheet. Otherwise the SVG is a standalone image.
   */
  readonly interactive?: boolean
}

/** The result of the request. */
export interface DiagramResult {
  /** One SVG element; `null` while the definition has errors, so that the client keeps the last one. */
  readonly svg: string | null
  /**
   * Every service and struct of all files with the range of its name, in the order of the text, then the
   * authentication service, if the diagram shows it, with the range of `authMethod`.
   */
  readonly declarations: readonly DiagramDeclaration[]
}

export interface DiagramDeclaration {
  /** Its file. */
  readonly uri: string
  /** The value of `data-declaration` in the SVG. */
  readonly name: string
  readonly range: Range
}

/** The request `portico/diagram`. A client that shows a diagram sends it again after a change. */
export const DiagramRequest = new RequestType<DiagramParams, DiagramResult, void>('portico/diagram')

/**
 * Handles `portico/diagram` on a connection.
 *
 * @param host what draws the diagram
 */
export function serveDiagrams(
  connection: Connection,
  host: Pick<ServerHost, 'draw'>,
  definitions: Definitions,
  documentOf: (uri: string, state: DocumentState, token: CancellationToken) => Promise<LangiumDocument>,
): void {
  connection.onRequest(DiagramRequest, async ({ uri, interactive }, token) => {
    const { definition } = definitions.view(await documentOf(uri, State.Validated, token))
    const { result } = definition
    const declarations = [
      ...result.value.members.flatMap((member) => declarationsIn(definition, member)),
      ...authenticationIn(definition),
    ]
    if (!checkParsed(result).valid) return { svg: null, declarations }
    const files = result.files.map(({ path, text }) => ({ path, text }))
    return { svg: await host.draw(files, interactive === true), declarations }
  })
}

/** The authentication service, where the diagram shows it. */
function authenticationIn(definition: Definition): DiagramDeclaration[] {
  const { authMethod, project, services } = definitionIndex(definition.result.value)
  const blocks = [...(project === undefined ? [] : [project]), ...services]
  const isShown = blocks.some((block) =>
    usedServices(block).some(({ $type }) => $type === 'Setting' || block === project),
  )
  if (authMethod === undefined || !isShown) return []
  return [{ name: AUTHENTICATION, ...definition.locationOf(nameSpan(authMethod)) }]
}

function declarationsIn(definition: Definition, member: Member): DiagramDeclaration[] {
  if (!isBlock(member)) return []
  const isShown = !isProject(member) && hasName(member)
  const own = isShown ? [{ name: member.name, ...definition.locationOf(nameSpan(member)) }] : []
  return [...own, ...member.members.flatMap((inner) => declarationsIn(definition, inner))]
}
