import type { Authentication, Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { extended } from '../codegen/additions.ts'
import { readTemplate } from '../codegen/templates.ts'
import { authenticationAdditions } from './authentication-additions.ts'
import { authenticationMainFile } from './authentication-main.ts'
import { rolesFile, rolesSchemaFile } from './authentication-roles.ts'
import { commFile } from './comm.ts'
import { metricsFile } from './metrics.ts'

const GENERATED = [
  'app.ts',
  'config.ts',
  'hooks.ts',
  'main.ts',
  'password-worker.ts',
  'passwords.ts',
  'queries.ts',
  'requests.ts',
  'roles.ts',
  'routes.ts',
  'schema.ts',
  'tokens.ts',
]

/** The files of the authentication service, which `#roles`, `#metrics` and `#uses` change. */
export function authenticationFiles(platform: Platform, authentication: Authentication): GeneratedFile[] {
  const { metrics } = platform
  const { directory, roles, calls, readers } = authentication
  const additions = authenticationAdditions(platform, authentication)
  const varying: Readonly<Record<string, () => string>> = {
    'src/comm.ts': () => commFile(platform, authentication),
    'src/main.ts': () => authenticationMainFile(platform, authentication),
    'src/metrics.ts': () => metricsFile(authentication),
    ...(roles.length > 0 && {
      'src/roles.ts': () => rolesFile(authentication),
      'src/schema.ts': () => rolesSchemaFile(authentication),
    }),
  }
  const file = (path: string, owner: GeneratedFile['owner']): GeneratedFile => ({
    path: `${directory}/${path}`,
    content: varying[path]?.() ?? extended(readTemplate(`typescript/auth/${path}`), additions[path] ?? []),
    owner,
  })
  const generated = [
    ...GENERATED,
    ...(metrics === undefined ? [] : ['metrics.ts']),
    ...(calls.length === 0 ? [] : ['comm.ts']),
    ...(readers.length === 0 ? [] : ['accounts.ts']),
  ]
  return [
    ...generated.map((name) => file(`src/${name}`, 'generated')),
    file('src/datastore.ts', 'user'),
    file('src/settings.ts', 'user'),
    file('src/setup.ts', 'user'),
    { ...file('test/auth.test.ts', 'user'), optional: true },
  ]
}
