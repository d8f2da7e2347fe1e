import { codeFile } from '../kit/code-file.ts'
import type { ServiceScope } from './access.ts'

/** `service.ts`: how the parts of a service are started and stopped. */
export function serviceFile({ authenticated, called }: ServiceScope): string {
  const file = codeFile('service.ts')
  const config = file.type('config.ts', 'Config')
  const createLog = file.value('log.ts', 'createLog')
  const connect = file.value('database.ts', 'connect')
  const createInternal = file.value('internal.ts', 'createInternal')
  const createApp = file.value('app.ts', 'createApp')
  const listen = file.value('server.ts', 'listen')
  const grace = file.value('server.ts', 'IDLE_GRACE_MS')
  const atStart = called ? `isReady, ${file.value('starting.ts', 'createStarting')}()` : 'isReady'
  const identity = authenticated && {
    read: file.value('credentials.ts', 'readCredentials'),
    create: file.value('identity.ts', 'createIdentify'),
  }
  const identify = identity
    ? `
    const credentials = await ${identity.read}(config.credentialsFile, 'verify', log, signal)
    const identify = ${identity.create}(credentials)`
    : ''

  return file.text(`/** A service that listens. */
export interface RunningService {
  readonly port: number
  readonly internalPort: number
  /** Answers what was accepted and accepts no more, then closes the connections to the database. */
  stop(): Promise<void>
}

/**
 * Starts the service: waits for its database, runs setup.ts, then listens. The second port listens first, so
 * that the wait can be seen. Throws where a port is taken or setup.ts fails, or when the signal is aborted.
 */
export async function start(config: ${config}, signal?: AbortSignal): Promise<RunningService> {
  const { host, port, internalPort, shutdownTimeoutMs } = config
  const log = ${createLog}(config.service, config.logLevel)
  const database = ${connect}(config.database, log)
  let serving = false
  const isReady = async () => serving && (await database.ping())
  let internalRoutes = ${createInternal}(${atStart})
  const second = await ${listen}({
    host,
    port: internalPort,
    fetch: (request, bindings) => internalRoutes.fetch(request, bindings),
    log,
    logRequests: false,
    idleGrace: ${grace}.services,
  })

  async function close(): Promise<void> {
    await second.stop(shutdownTimeoutMs)
    await database.close()
  }

  try {
    await database.ready(signal)${identify}
    const { api, internal } = await ${createApp}({ config, log, database${identity ? ', identify' : ''} })
    internalRoutes = ${createInternal}(isReady, internal)
    const first = await ${listen}({
      host,
      port,
      fetch: api.fetch,
      log,
      logRequests: true,
      idleGrace: ${grace}.gateway,
    })
    serving = true
    log.info('ready', { port: first.port, internalPort: second.port })

    const stop = async () => {
      serving = false
      await first.stop(shutdownTimeoutMs)
      await close()
      log.info('stopped')
    }
    return { port: first.port, internalPort: second.port, stop }
  } catch (error) {
    await close()
    throw error
  }
}`)
}
