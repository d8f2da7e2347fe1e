import { enableCompileCache, flushCompileCache } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { errorText } from '../service-log.ts'
import { guardServers } from './origin-guard.ts'
import type { ServiceWorkerData, SupervisorMessage, WorkerMessage } from './messages.ts'

const { output, service, compileCache, corsOrigins } = workerData as ServiceWorkerData

enableCompileCache(compileCache)
guardServers(new Set(corsOrigins), (ports) => {
  send({ kind: 'ready', ...ports })
  // For those that start next: Node would write what it has compiled only at the end.
  flushCompileCache()
})
parentPort?.on('message', ({ kind }: SupervisorMessage) => {
  if (kind === 'ping') send({ kind: 'pong' })
  // A thread receives no signals. The service stops as after this one, then ends the thread.
  else process.emit('SIGTERM', 'SIGTERM')
})
try {
  await import(pathToFileURL(path.join(output, service, 'src/main.ts')).href)
} catch (error) {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  send({ kind: 'failed', message: errorText(name, message), stack })
}

function send(message: WorkerMessage): void {
  parentPort?.postMessage(message)
}
