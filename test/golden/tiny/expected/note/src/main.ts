import { readConfig } from '#lib/config.ts'
import { run } from '#lib/server.ts'
import { createApp } from './app.ts'
import { Config } from './config.ts'
import * as schema from './schema.ts'
import { Settings } from './settings.ts'
import setup from './setup.ts'

await run({
  service: 'note',
  Config,
  schema,
  async start({ config, log, database, onStop }) {
    const settings = readConfig(Settings, process.env)
    const dependencies = { config, settings, log, database, onStop, setup }
    const api = await createApp(dependencies)
    return { api }
  },
})
