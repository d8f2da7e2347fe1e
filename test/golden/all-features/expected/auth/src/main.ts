import { readConfig } from '#lib/config.ts'
import { run } from '#lib/server.ts'
import { requireService } from '#lib/service-keys.ts'
import { createIdentify } from '#lib/tokens.ts'
import { createInternalApi } from './accounts.ts'
import { createApp } from './app.ts'
import { Config } from './config.ts'
import { metrics } from './metrics.ts'
import { createPasswords } from './passwords.ts'
import * as schema from './schema.ts'
import { Settings } from './settings.ts'
import setup from './setup.ts'
import { createIssueToken } from './tokens.ts'

await run({
  service: 'auth',
  Config,
  schema,
  metrics,
  async start({ config, log, database, onStop }) {
    const settings = readConfig(Settings, process.env)
    const passwords = createPasswords(config)
    onStop(() => passwords.close())
    const identify = await createIdentify(config.GATEWAY_CREDENTIALS_FILE, log)
    const issueToken = await createIssueToken(config, log)
    const api = await createApp({
      config,
      settings,
      log,
      database,
      passwords,
      identify,
      issueToken,
      metrics: metrics.registry,
      onStop,
      setup,
    })
    const authenticateService = requireService(config.SERVICE_KEYS_DIRECTORY, 'auth', ['statistic'])
    return { api, internal: createInternalApi({ config, log, database }, authenticateService) }
  },
})
