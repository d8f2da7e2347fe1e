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
import { serve } from './start.ts'

/**
 * Serves the protocol on standard input and output. The process ends when the client requests it, or has exited.
 * Options that editors append (`--stdio`, `--clientProcessId=...`) are ignored.
 *
 * @param server URL of the server's module
 */
export function startOnStandardStreams(server: URL): void {
  const { stdin, stdout } = process
  const writer = new StreamMessageWriter(stdout)
  const connection = createConnection(
    ProposedFeatures.all,
    guarded(new StreamMessageReader(stdin), writer),
    writer,
  )
  let isShutDown = false
  connection.onShutdown(() => {
    isShutDown = true
  })
  // LSP 3.17, "exit": status 1 without a preceding shutdown request. An editor that has exited sends neither.
  stdin.once('close', () => process.exit(isShutDown ? 0 : 1))
  stdout.once('error', () => process.exit(1))
  serve(connection, server)
}

interface ClientMessage extends Message {
  readonly method?: string
  readonly id?: number | string | null
}

/**
 * Rejects requests before `initialize` and after `shutdown`, and ignores notifications before `initialize`, as the
 * protocol requires.
 */
export function guarded(reader: MessageReader, writer: MessageWriter): MessageReader {
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
