import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { guardServers } from './guard.ts'
import type { HostMessage, ServiceWorkerData, WorkerMessage } from './messages.ts'

/** What a generated service exports, as far as its host needs it. */
interface ServiceModule {
  start(config: unknown): Promise<{ port: number; internalPort: number; stop(): Promise<void> }>
}
interface ConfigModule {
  readConfig(environment: Readonly<Record<string, string>>): unknown
}

const { directory, environment, compileCache } = workerData as ServiceWorkerData
let running: Awaited<ReturnType<ServiceModule['start']>> | undefined

enableCompileCache(compileCache)
guardServers()
parentPort?.on('message', ({ kind }: HostMessage) => {
  if (kind === 'ping') tell({ kind: 'pong' })
  else void stop()
})
try {
  const source = (name: string) => pathToFileURL(path.join(directory, 'src', name)).href
  const [service, config] = await Promise.all([
    import(source('service.ts')) as Promise<ServiceModule>,
    import(source('config.ts')) as Promise<ConfigModule>,
  ])
  running = await service.start(config.readConfig(environment))
  tell({ kind: 'ready', port: running.port, internalPort: running.internalPort })
} catch (error) {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  tell({ kind: 'failed', message, stack: error instanceof Error ? (error.stack ?? '') : '' })
}

async function stop(): Promise<void> {
  await running?.stop()
  tell({ kind: 'stopped' })
}

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message)
}
