import { readConfig } from '#lib/config.ts'
import { startQueue } from '#lib/run-jobs.ts'
import { run } from '#lib/server.ts'
import { createApp, createEnv } from './app.ts'
import { Config } from './config.ts'
import * as schema from './schema.ts'
import { Settings } from './settings.ts'
import setup from './setup.ts'

await run({
  service: 'other',
  Config,
  schema,
  async start({ config, log, database, onStop }) {
    const settings = readConfig(Settings, process.env)
    const dependencies = { config, settings, log, database, onStop, setup }
    const env = createEnv(dependencies)
    const api = await createApp(dependencies, env)
    return { api, stop: startQueue({ env, config, schema, log, database }) }
  },
})
