import type { Authentication, Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { type Addition, extended } from '../codegen/additions.ts'
import { readTemplate } from '../codegen/templates.ts'
import { authenticationMainFile } from './authentication-main.ts'
import { rolesFile, rolesSchemaFile } from './authentication-roles.ts'
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

/** What `#metrics` adds to templates. */
const METRICS: Readonly<Record<string, readonly Addition[]>> = {
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

/** The files of the authentication service, which `#roles` and `#metrics` change. */
export function authenticationFiles(platform: Platform, authentication: Authentication): GeneratedFile[] {
  const { metrics } = platform
  const { directory, roles } = authentication
  const varying: Readonly<Record<string, () => string>> = {
    'src/main.ts': () => authenticationMainFile(platform),
    'src/metrics.ts': () => metricsFile(authentication),
    ...(roles.length > 0 && {
      'src/roles.ts': () => rolesFile(authentication),
      'src/schema.ts': () => rolesSchemaFile(authentication),
    }),
  }
  const file = (path: string, owner: GeneratedFile['owner']): GeneratedFile => ({
    path: `${directory}/${path}`,
    content:
      varying[path]?.() ??
      extended(readTemplate(`typescript/auth/${path}`), metrics === undefined ? [] : (METRICS[path] ?? [])),
    owner,
  })
  return [
    ...[...GENERATED, ...(metrics === undefined ? [] : ['metrics.ts'])].map((name) =>
      file(`src/${name}`, 'generated'),
    ),
    file('src/datastore.ts', 'user'),
    file('src/settings.ts', 'user'),
    file('src/setup.ts', 'user'),
    { ...file('test/auth.test.ts', 'user'), optional: true },
  ]
}
