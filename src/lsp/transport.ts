import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { serve } from './start.ts'

/**
 * Serves the protocol on standard input and output. The process ends when the client says so, or has gone.
 * Options that editors append (`--stdio`, `--clientProcessId=...`) need no attention.
 */
export function startOnStandardStreams(): void {
  const { stdin, stdout } = process
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(stdin),
    new StreamMessageWriter(stdout),
  )
  let isToEnd = false
  connection.onShutdown(() => {
    isToEnd = true
  })
  // LSP 3.17, "exit": status 1 without a shutdown request before it; an editor that has gone sends neither.
  stdin.once('close', () => process.exit(isToEnd ? 0 : 1))
  stdout.once('error', () => process.exit(1))
  serve(connection)
}
