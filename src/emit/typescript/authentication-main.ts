import type { Authentication, Platform } from '../../model/platform.ts'
import { codeFile } from '../codegen/code-file.ts'
import { call, code } from '../codegen/layout.ts'

/** `main.ts` of the authentication service. */
export function authenticationMainFile({ metrics }: Platform, { readers }: Authentication): string {
  const file = codeFile('main.ts')
  const value = (module: string, name: string) => file.value(module, name)
  file.defaultImport('setup.ts', 'setup')
  file.namespace('schema.ts', 'schema')
  const names = readers.map((name) => `'${name}'`).join(', ')
  const internal =
    readers.length === 0
      ? '    return { api }'
      : code`    const authenticateService = ${call(value('#lib/service-keys.ts', 'requireService'), 'config.SERVICE_KEYS_DIRECTORY', "'auth'", `[${names}]`)}
    return { api, internal: ${value('accounts.ts', 'createInternalApi')}({ config, log, database }, authenticateService) }`
  const measured = metrics === undefined ? '' : `  ${value('metrics.ts', 'metrics')},\n`
  return file.text(code`await ${value('#lib/server.ts', 'run')}({
  service: 'auth',
  ${value('config.ts', 'Config')},
  schema,
${measured}  async start({ config, log, database, onStop }) {
    const settings = ${value('#lib/config.ts', 'readConfig')}(${value('settings.ts', 'Settings')}, process.env)
    const passwords = ${value('passwords.ts', 'createPasswords')}(config)
    onStop(() => passwords.close())
    const identify = await ${value('#lib/tokens.ts', 'createIdentify')}(config.GATEWAY_CREDENTIALS_FILE, log)
    const issueToken = await ${value('tokens.ts', 'createIssueToken')}(config, log)
    const api = await ${value('app.ts', 'createApp')}({
      config,
      settings,
      log,
      database,
      passwords,
      identify,
      issueToken,
${metrics === undefined ? '' : '      metrics: metrics.registry,\n'}      onStop,
      setup,
    })
${internal}
  },
})`)
}
