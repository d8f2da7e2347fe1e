import { DocumentState, type LangiumDocument } from 'langium'
import { type CancellationToken, type Connection, RequestType } from 'vscode-languageserver'
import type { Definitions } from './definitions.ts'

/** The parameters of the request. */
export interface DefinitionsParams {
  /** URIs of files, which need not be open. */
  readonly uris: readonly string[]
}

/**
 * The request `portico/definitions`. The result is the URIs of the files with a `project` block whose definitions
 * contain these files, each once. For a file that has the block itself, its own URI comes first.
 */
export const DefinitionsRequest = new RequestType<DefinitionsParams, readonly string[], void>(
  'portico/definitions',
)

/** Handles `portico/definitions` on a connection. Clients use it to decide which definition a command applies to. */
export function serveDefinitions(
  connection: Connection,
  definitions: Definitions,
  documentOf: (uri: string, state: DocumentState, token: CancellationToken) => Promise<LangiumDocument>,
): void {
  connection.onRequest(DefinitionsRequest, async ({ uris }, token) => {
    const found = new Set<string>()
    for (const uri of uris) {
      const views = definitions.views(await documentOf(uri, DocumentState.Parsed, token))
      for (const { definition } of views)
        if (definition.hasProject) found.add(definition.main.textDocument.uri)
    }
    return [...found]
  })
}
