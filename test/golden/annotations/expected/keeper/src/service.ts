import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { readCredentials } from './credentials.ts'
import { connect } from './database.ts'
import { createIdentify } from './identity.ts'
import { createInternal } from './internal.ts'
import { createLog } from './log.ts'
import { IDLE_GRACE_MS, listen } from './server.ts'
import { createStarting } from './starting.ts'

/** A service that listens. */
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
export async function start(config: Config, signal?: AbortSignal): Promise<RunningService> {
  const { host, port, internalPort, shutdownTimeoutMs } = config
  const log = createLog(config.service, config.logLevel)
  const database = connect(config.database, log)
  let serving = false
  const isReady = async () => serving && (await database.ping())
  let internalRoutes = createInternal(isReady, createStarting())
  const second = await listen({
    host,
    port: internalPort,
    fetch: (request, bindings) => internalRoutes.fetch(request, bindings),
    log,
    logRequests: false,
    idleGrace: IDLE_GRACE_MS.services,
  })

  async function close(): Promise<void> {
    await second.stop(shutdownTimeoutMs)
    await database.close()
  }

  try {
    await database.ready(signal)
    const credentials = await readCredentials(config.credentialsFile, 'verify', log, signal)
    const identify = createIdentify(credentials)
    const { api, internal } = await createApp({ config, log, database, identify })
    internalRoutes = createInternal(isReady, internal)
    const first = await listen({
      host,
      port,
      fetch: api.fetch,
      log,
      logRequests: true,
      idleGrace: IDLE_GRACE_MS.gateway,
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
}
