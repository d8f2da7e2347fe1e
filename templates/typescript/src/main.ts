import { readConfig } from './config.ts'
import { ConfigError } from './environment.ts'
import { createLog, errorFields } from './log.ts'
import { start } from './service.ts'

const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stop.abort())

try {
  const service = await start(readConfig(process.env), stop.signal)
  if (!stop.signal.aborted) {
    await new Promise((resolve) => {
      stop.signal.addEventListener('abort', resolve)
    })
  }
  await service.stop()
  exit(0)
} catch (error) {
  // Whoever stops it while it waits for its database gets what they asked for.
  if (stop.signal.aborted) exit(0)
  else {
    const log = createLog('service', 'error')
    if (error instanceof ConfigError) log.error(error.message)
    else log.error('The service did not start', errorFields(error))
    exit(1)
  }
}

/** Ends the process, whatever the user's code left running, behind the last lines of the log. */
function exit(status: number): void {
  setImmediate(() => process.exit(status))
}
