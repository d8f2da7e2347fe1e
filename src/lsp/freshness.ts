import { OperationCancelled } from 'langium'
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver'
import type { Definitions } from './definitions.ts'

/**
 * Lets messages that have arrived with a request be taken in before it is answered, and gives the request up
 * where they make it useless: it was cancelled, or its text has changed.
 *
 * @throws OperationCancelled, ResponseError with `ContentModified`
 */
export async function stillWanted(
  definitions: Definitions,
  uri: string | undefined,
  token: CancellationToken | undefined,
): Promise<void> {
  const asked = uri === undefined ? undefined : definitions.get(uri)
  await new Promise<void>((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })
  if (token?.isCancellationRequested === true) throw OperationCancelled
  if (uri !== undefined && definitions.get(uri) !== asked)
    throw new ResponseError(LSPErrorCodes.ContentModified, 'The text has changed since.')
}
