import { OperationCancelled } from 'langium'
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver'
import type { Definitions } from './definitions.ts'

/** Requests that have come in and are not answered yet, of each server. */
const waiting = new WeakMap<Definitions, number>()

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
  count(definitions, 1)
  try {
    await twoTurns()
  } finally {
    // The answer is worked out in this turn, right behind this promise.
    setImmediate(() => count(definitions, -1))
  }
  if (token?.isCancellationRequested === true) throw OperationCancelled
  if (uri !== undefined && definitions.get(uri) !== asked)
    throw new ResponseError(LSPErrorCodes.ContentModified, 'The text has changed since.')
}

/** Whether a request is waiting for its answer. */
export function isAsked(definitions: Definitions): boolean {
  return (waiting.get(definitions) ?? 0) > 0
}

function count(definitions: Definitions, change: number): void {
  waiting.set(definitions, (waiting.get(definitions) ?? 0) + change)
}

/** Behind the message that the connection has at hand, and behind the one that came with it. */
function twoTurns(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })
}
