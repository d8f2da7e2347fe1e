import { enableCompileCache, flushCompileCache } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { errorText } from '../service-log.ts'
import { guardServers } from './origin-guard.ts'
import type { RunMessage, SupervisorMessage, WorkerMessage } from './messages.ts'

parentPort?.on('message', (message: SupervisorMessage) => {
  if (message.kind === 'run') void run(message)
  else if (message.kind === 'ping') send({ kind: 'pong' })
  // A thread receives no signals. The service stops as after this one, then ends the thread.
  else process.emit('SIGTERM', 'SIGTERM')
})
// Every service needs it, and Node loads it at the first use: in the meantime, what the service runs with is prepared.
void globalThis.Response

async function run({ output, service, environment, compileCache, corsOrigins }: RunMessage): Promise<void> {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  enableCompileCache(compileCache)
  guardServers(new Set(corsOrigins), (ports) => {
    send({ kind: 'ready', ...ports })
    // For those that start next: Node would write what it has compiled only at the end.
    flushCompileCache()
  })
  try {
    await import(pathToFileURL(path.join(output, service, 'src/main.ts')).href)
  } catch (error) {
    const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    send({ kind: 'failed', message: errorText(name, message), stack })
  }
}

function send(message: WorkerMessage): void {
  parentPort?.postMessage(message)
}
