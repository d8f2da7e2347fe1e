import { readConfig } from './config.ts'
import { ConfigError } from './environment.ts'
import { createLog, errorFields } from './log.ts'
import './module-resolution.ts'

const log = createLog('main', 'warn')
const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop.abort())

// By default both would print the error with its message, which may hold values of clients.
process.on('unhandledRejection', (reason) => {
  log.error('A promise was rejected that nothing waits for', errorFields(reason))
})
process.on('uncaughtException', (error) => {
  log.error('An exception was not caught: the service stops', errorFields(error))
  process.exitCode = 1
  stop.abort()
})

try {
  // Not before the hook of module-resolution.ts is there.
  const { start } = await import('./service.ts')
  const service = await start(readConfig(process.env), stop.signal)
  if (!stop.signal.aborted) {
    await new Promise((resolve) => {
      stop.signal.addEventListener('abort', resolve)
    })
  }
  await service.stop()
} catch (error) {
  // Whoever stops it while it waits for its database gets what they asked for.
  if (!stop.signal.aborted) {
    process.exitCode = 1
    if (error instanceof ConfigError) log.error(error.message)
    else log.error('The service did not start', errorFields(error))
  }
}

// Whatever the user's code left running; behind the last lines of the log.
setImmediate(() => process.exit())
