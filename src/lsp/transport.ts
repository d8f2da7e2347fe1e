import {
  createConnection,
  ErrorCodes,
  type Message,
  type MessageReader,
  type MessageWriter,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { ENCODER } from './encoder.ts'
import { nodeHost } from './node-host.ts'
import { serve } from './start.ts'

/**
 * Serves the protocol on standard input and output. The process ends when the client requests it, or has exited.
 * Options that editors append (`--stdio`, `--clientProcessId=...`) are ignored.
 *
 * @param server URL of the server's module
 */
export function startOnStandardStreams(server: URL): void {
  const { stdin, stdout } = process
  const writer = new StreamMessageWriter(stdout, { contentTypeEncoder: ENCODER })
  const connection = createConnection(
    ProposedFeatures.all,
    enforceLifecycle(new StreamMessageReader(stdin), writer),
    writer,
  )
  // LSP 3.17, "exit": the status is 1 without a `shutdown` request. An editor that has exited sends neither.
  stdin.once('close', fail)
  // A file, such as /dev/null, ends without being closed.
  process.once('beforeExit', fail)
  stdout.once('error', fail)
  serve(connection, nodeHost(server))
}

function fail(): void {
  process.exit(1)
}

interface ClientMessage extends Message {
  readonly method?: string
  readonly id?: number | string | null
}

/**
 * Rejects requests before `initialize` and after `shutdown`, and ignores notifications before `initialize`, as the
 * protocol requires.
 */
export function enforceLifecycle(reader: MessageReader, writer: MessageWriter): MessageReader {
  let rejection: { readonly code: number; readonly message: string } | undefined = {
    code: ErrorCodes.ServerNotInitialized,
    message: 'The first request must be `initialize`',
  }
  const isPassed = (message: ClientMessage): boolean => {
    const { method, id } = message
    if (method === 'initialize' && rejection?.code === ErrorCodes.ServerNotInitialized) rejection = undefined
    if (rejection === undefined || method === 'exit' || method === undefined) {
      if (method === 'shutdown')
        rejection = { code: ErrorCodes.InvalidRequest, message: 'The server was shut down' }
      return true
    }
    if (id !== undefined) void writer.write({ jsonrpc: '2.0', id, error: rejection } as Message)
    return false
  }
  return {
    onError: reader.onError,
    onClose: reader.onClose,
    onPartialMessage: reader.onPartialMessage,
    listen: (callback) =>
      reader.listen((message) => {
        if (isPassed(message)) callback(message)
      }),
    dispose: () => reader.dispose(),
  }
}
