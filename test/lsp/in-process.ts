import { EventEmitter } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { ENCODER } from '../../src/lsp/encoder.ts'

/** How many bytes a paused server buffers. */
const MAX_BUFFERED = 2 ** 24

/** What tests need of a server's process. */
export interface ServerProcess {
  readonly pid?: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly kill: (signal: 'SIGSTOP' | 'SIGCONT') => unknown
  readonly once: (event: 'exit', listener: (status: number | null) => void) => unknown
  /** Ends a server that runs in this process, where the notification `exit` does not end it. */
  readonly end?: () => void
}

/**
 * Starts the server from its source in this process, over streams, because coverage is not measured in other
 * processes. Without coverage, tests start the built server.
 */
export async function serveInProcess(): Promise<ServerProcess> {
  const { nodeHost } = await import('../../src/lsp/node-host.ts')
  const { serve } = await import('../../src/lsp/start.ts')
  const stdin = new PassThrough({ highWaterMark: MAX_BUFFERED })
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(stdin),
    new StreamMessageWriter(stdout, { contentTypeEncoder: ENCODER }),
  )
  serve(connection, nodeHost(new URL('../../src/lsp/main.ts', import.meta.url)))
  const events = new EventEmitter()
  return {
    stdin,
    stdout,
    stderr,
    // A paused server reads what was sent in the meantime as soon as it resumes.
    kill: (signal) => (signal === 'SIGSTOP' ? stdin.pause() : stdin.resume()),
    once: (event, listener) => events.once(event, listener),
    end: () => {
      connection.dispose()
      events.emit('exit', 0)
    },
  }
}
