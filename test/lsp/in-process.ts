import { EventEmitter } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'

/** Bytes that wait for a server that stands still. */
const MOST_WAITING = 2 ** 24

/** What tests need of a server's process. */
export interface ServerProcess {
  readonly pid?: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly kill: (signal: 'SIGSTOP' | 'SIGCONT') => unknown
  readonly once: (event: 'exit', listener: (status: number | null) => void) => unknown
  /** Ends it, after `shutdown`, where it is no process that the notification `exit` ends. */
  readonly end?: () => void
}

/**
 * Serves from the source, in this process, over streams: for measuring which lines tests reach, which is blind to
 * other processes. What is tested otherwise is the built server.
 */
export async function serveInProcess(): Promise<ServerProcess> {
  const { serve } = await import('../../src/lsp/start.ts')
  const stdin = new PassThrough({ highWaterMark: MOST_WAITING })
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(stdin),
    new StreamMessageWriter(stdout),
  )
  serve(connection)
  const events = new EventEmitter()
  return {
    stdin,
    stdout,
    stderr,
    // What is sent to one that stands still reaches it at once when it goes on.
    kill: (signal) => (signal === 'SIGSTOP' ? stdin.pause() : stdin.resume()),
    once: (event, listener) => events.once(event, listener),
    end: () => {
      connection.dispose()
      events.emit('exit', 0)
    },
  }
}
