import type { Authentication, Platform } from '../../model/platform.ts'
import type { Addition } from '../codegen/additions.ts'
import { print } from '../codegen/layout.ts'
import { fakesOf } from './user-files.ts'

type Additions = Readonly<Record<string, readonly Addition[]>>

/** What `#metrics` adds. */
const METRICS: Additions = {
  'src/app.ts': [
    {
      after: "import { Hono, type MiddlewareHandler } from 'hono'",
      add: "import { Registry } from 'prom-client'",
    },
    {
      after: '  readonly issueToken: IssueToken',
      add: '  /** What `/metrics` reports. Default: a new registry, which nothing reports. */\n  readonly metrics?: Registry',
    },
    {
      after: 'function createEnv(dependencies: Dependencies): Env {',
      add: '  const { metrics = new Registry() } = dependencies',
    },
    { after: '    hooks: createHooks(),', add: '    metrics,' },
  ],
  'src/hooks.ts': [
    { after: "import type { Hono } from 'hono'", add: "import type { Registry } from 'prom-client'" },
    {
      after: '  readonly passwords: Passwords',
      add: '  /** The registry of what `/metrics` reports. */\n  readonly metrics: Registry',
    },
  ],
}

/** What `#uses` in the project adds. */
function callAdditions(platform: Platform, { calls }: Authentication): Additions {
  const urls = calls.map(({ urlVariable, url }) => `  ${urlVariable}: httpUrl.default('${url}'),`)
  return {
    'src/app.ts': [
      {
        after: "import type { Identify } from '#lib/tokens.ts'",
        add: "import { type Comm, createComm } from './comm.ts'",
      },
      {
        after: '  readonly database: ReturnType<typeof connect<typeof schema>>',
        add: '  /** Replaces the clients of the services that this one calls. */\n  readonly comm?: Comm',
      },
      {
        after: 'function createEnv(dependencies: Dependencies): Env {',
        add: '  const { comm = createComm(dependencies.config) } = dependencies',
      },
      { after: '    hooks: createHooks(),', add: '    comm,' },
    ],
    'src/config.ts': [
      {
        replace: "import { baseConfig, byteCount, credentialsPath, integer } from '#lib/config.ts'",
        by: "import { baseConfig, byteCount, credentialsPath, httpUrl, integer } from '#lib/config.ts'",
      },
      { after: '  GATEWAY_CREDENTIALS_FILE: credentialsPath,', add: urls.join('\n') },
    ],
    'src/hooks.ts': [
      { after: "import type { Caller } from '#lib/tokens.ts'", add: "import type { Comm } from './comm.ts'" },
      { after: '  readonly passwords: Passwords', add: '  readonly comm: Comm' },
    ],
    'test/auth.test.ts': [
      {
        after: "import { createLog } from '#lib/log.ts'",
        add: "import { fake } from '#lib/testing-fakes.ts'",
      },
      {
        after: 'const passwords = createPasswords(config)',
        add: print(fakesOf(platform, calls)).trimEnd(),
      },
      { after: '  passwords,', add: '  comm,' },
    ],
  }
}

/** What `#uses[Auth]` adds. */
const READERS: Additions = {
  'src/config.ts': [
    {
      replace: "import { rolesConfig } from './roles.ts'",
      by: "import { keysDirectory } from '#lib/service-keys.ts'\nimport { rolesConfig } from './roles.ts'",
    },
    {
      after: '  GATEWAY_CREDENTIALS_FILE: credentialsPath,',
      add: '  SERVICE_KEYS_DIRECTORY: keysDirectory,',
    },
  ],
}

/** What the templates of the authentication service contain besides what they always do, by file. */
export function authenticationAdditions(platform: Platform, authentication: Authentication): Additions {
  const all = [
    ...(platform.metrics === undefined ? [] : [METRICS]),
    ...(authentication.calls.length === 0 ? [] : [callAdditions(platform, authentication)]),
    ...(authentication.readers.length === 0 ? [] : [READERS]),
  ]
  const paths = new Set(all.flatMap((additions) => Object.keys(additions)))
  return Object.fromEntries(
    Array.from(paths, (path) => [path, all.flatMap((additions) => additions[path] ?? [])]),
  )
}
