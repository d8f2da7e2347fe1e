import { readConfig } from '#lib/config.ts'
import { run } from '#lib/server.ts'
import { createIdentify } from '#lib/tokens.ts'
import { createApp, createEnv, createInternalApi } from './app.ts'
import { Config } from './config.ts'
import { metrics } from './metrics.ts'
import * as schema from './schema.ts'
import { Settings } from './settings.ts'
import setup from './setup.ts'

await run({
  service: 'visitor',
  Config,
  schema,
  metrics,
  async start({ config, log, database, onStop }) {
    const settings = readConfig(Settings, process.env)
    const identify = await createIdentify(config.GATEWAY_CREDENTIALS_FILE, log)
    const dependencies = {
      config,
      settings,
      log,
      database,
      identify,
      metrics: metrics.registry,
      onStop,
      setup,
    }
    const env = createEnv(dependencies)
    const api = await createApp(dependencies, env)
    return { api, internal: createInternalApi(dependencies, env) }
  },
})
