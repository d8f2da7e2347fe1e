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
  process.exit(0)
} catch (error) {
  if (stop.signal.aborted) process.exit(0)
  const log = createLog(process.env['npm_package_name'] ?? 'service', 'error')
  if (error instanceof ConfigError) log.error(error.message)
  else log.error('The service did not start', errorFields(error))
  process.exitCode = 1
}
