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
  serve(
    createConnection(ProposedFeatures.all, new StreamMessageReader(stdin), new StreamMessageWriter(stdout)),
  )
}
