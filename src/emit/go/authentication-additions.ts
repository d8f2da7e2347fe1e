import type { Authentication, Platform } from '../../model/platform.ts'
import type { Addition } from '../codegen/additions.ts'
import { callSettings, commClients, commType, commValue, KEYS_DIRECTORY } from './comm.ts'
import { goFile } from './go-file.ts'
import { func, literal, quoted, struct } from './layout.ts'
import { fakes } from './user-files.ts'

type Additions = Readonly<Record<string, readonly Addition[]>>

/** What `#uses` in the project adds to the templates of the authentication service. */
function callAdditions(platform: Platform, authentication: Authentication): Additions {
  const test = goFile(platform.module, 'main')
  test.internal('platform')
  test.internal('platform/platformtest')
  const statements = fakes(platform, authentication, test)
  const template = '\t"example.com/project/internal/platform'
  const imports = test
    .text([])
    .split('\n')
    .filter((line) => line.startsWith('\t"'))
  const before = imports.slice(0, imports.findIndex((line) => line.endsWith('/internal/platform"')) + 1)
  const after = imports.slice(before.length + 1)
  return {
    'env.go': [
      { after: '\trolesConfig', add: '\tcommConfig' },
      {
        after: '\t\trolesConfig:          readRolesConfig(environment),',
        add: '\t\tcommConfig:           readCommConfig(environment),',
      },
      { after: '\tSettings Settings', add: '\tComm     Comm' },
      { after: '\t\tSettings:  settings,', add: '\t\tComm:      newComm(config),' },
    ],
    'auth_test.go': [
      { replace: `${template}"`, by: before.join('\n') },
      ...(after.length === 0 ? [] : [{ after: `${template}/platformtest"`, add: after.join('\n') }]),
      {
        after: '\tenv := newEnv(readConfig(environment), readSettings(environment), parts)',
        add: [
          '// What the services that this one calls answer. All that is referred to exists.',
          ...statements,
        ]
          .map((line) => `\t${line}`)
          .join('\n'),
      },
    ],
  }
}

/** What `#uses[Auth]` adds. */
function readerAdditions(readers: readonly string[]): Additions {
  const names = readers.map((name) => `, ${quoted(name)}`).join('')
  return {
    'env.go': [
      {
        after: '\tTrustedProxies int',
        add: '\t// Where the keys of calls between services are.\n\tServiceKeysDirectory string',
      },
      {
        after: '\t\tTrustedProxies:       environment.Int("TRUSTED_PROXIES", 0, 0, 100),',
        add: `\t\tServiceKeysDirectory: ${KEYS_DIRECTORY},`,
      },
      {
        after: '\tapi.Generated.Handle("POST /auth/login", routes.login)',
        add: `\tenv.ServeAccounts(api, env.Config.ServiceKeysDirectory${names})`,
      },
    ],
  }
}

/** What the templates of the authentication service contain besides what they always do, by file. */
export function authenticationAdditions(platform: Platform, authentication: Authentication): Additions {
  const { calls, readers } = authentication
  const all = [
    ...(calls.length === 0 ? [] : [callAdditions(platform, authentication)]),
    ...(readers.length === 0 ? [] : [readerAdditions(readers)]),
  ]
  const names = new Set(all.flatMap((additions) => Object.keys(additions)))
  return Object.fromEntries(
    Array.from(names, (name) => [name, all.flatMap((additions) => additions[name] ?? [])]),
  )
}

/** `comm.go` of the authentication service: the clients of the services that it calls, and where those are. */
export function commFile(platform: Platform, authentication: Authentication): string {
  const file = goFile(platform.module, 'main')
  const shared = file.internal('platform')
  const clients = commClients(platform, authentication, file)
  const settings = callSettings(authentication)
  return file.text([
    `// commConfig has the addresses of the services that this one calls.\n${struct(
      'commConfig',
      settings.map(([name]) => ({ name, type: 'string' })),
    )}`,
    func(
      { name: 'readCommConfig', parameters: [`environment *${shared}.Environment`], result: 'commConfig' },
      [`return ${literal('commConfig', settings)}`],
    ),
    commType(clients),
    func({ name: 'newComm', parameters: ['config Config'], result: 'Comm' }, [
      `return ${commValue(clients)}`,
    ]),
  ])
}
