import type { GeneratedFile } from '../contract.ts'
import { withArticle } from '../../naming.ts'
import { hasOperation, requestAttributes, requestReferences } from '../../model/entities.ts'
import type { Attribute, CustomEndpoint, Entity, Platform, ServiceTarget } from '../../model/platform.ts'
import { SAMPLE_ID, sampleValues } from '../../model/samples.ts'
import { block, braces, type Code, call, code, join, moving, object, print } from '../codegen/layout.ts'
import { memberKey } from './comm.ts'
import type { ServiceScope } from './scope.ts'

/** The files of a service that belong to the user once they are written. */
export function userFiles(scope: ServiceScope): GeneratedFile[] {
  const { directory } = scope.service
  const user = (path: string, content: string): GeneratedFile => ({
    path: `${directory}/${path}`,
    content,
    owner: 'user',
  })
  return [
    user('src/setup.ts', initialSetup(scope)),
    user('src/datastore.ts', initialDatastore),
    user('src/settings.ts', initialSettings),
    { ...user(`test/${directory}.test.ts`, initialTest(scope)), optional: true },
  ]
}

function initialSetup({ service }: ServiceScope): string {
  const endpoints = service.customEndpoints.map(
    ({ names }) =>
      `  env.endpoints.${names.camel}(() => {\n    throw new HookError(501, 'Not implemented')\n  })\n`,
  )
  const jobs = service.jobs.map(
    ({ names }) => `  env.jobs.${names.camel}.run(() => {\n    throw new Error('Not implemented')\n  })\n`,
  )
  const handlers = [...endpoints, ...jobs]
  const [first] = service.entity.endpoints
  const kind =
    first === undefined
      ? 'before...'
      : `before${first.operation.charAt(0).toUpperCase()}${first.operation.slice(1)}`
  return `${endpoints.length === 0 ? 'import type { Env, Router }' : 'import { type Env, HookError, type Router }'} from './hooks.ts'

/**
 * Registers hooks (\`env.hooks.${kind}(...)\`) and routes (\`router.get('/${service.names.kebab}/...', ...)\`). It runs
 * once, before the service starts to listen. This file is yours: Portico never overwrites it.
 */
export default async function setup(${handlers.length === 0 ? '_env' : 'env'}: Env, _router: Router): Promise<void> {${handlers.length === 0 ? '' : `\n${handlers.join('')}`}}
`
}

const initialDatastore = `import type { Database } from './schema.ts'

/** Queries that \`env.datastore\` has besides the generated ones. This file is yours: Portico never overwrites it. */
export const queries = (_db: Database) => ({})
`

const initialSettings = `import { z } from 'zod'

/** Environment variables of this service, as \`env.settings\`. This file is yours: Portico never overwrites it. */
export const Settings = z.object({})
export type Settings = z.infer<typeof Settings>
`

const request = (...options: readonly Code[]) =>
  code`const response = await ${call('app.request', ...options)}`
const status = (expected: number) => `assert.equal(response.status, ${expected})`
const oneTest = (title: string, ...statements: readonly Code[]) =>
  code`${call('test', `'${title}'`, block('async () =>', statements))}`

const literals = (attributes: readonly Attribute[]) =>
  sampleValues(attributes).map(
    ([{ names }, sample]) => `${names.declared}: ${typeof sample === 'string' ? `'${sample}'` : sample}`,
  )

const sampleEntity = ({ attributes }: Entity) =>
  braces([`id: '${SAMPLE_ID}'`, ...literals(attributes.filter(({ inResponse }) => inResponse))])

const fake = (entity: Entity) => call('fake', `'${entity.names.declared}'`, sampleEntity(entity))

/** The function that stands in for an endpoint with the user's own code. */
function fakeEndpoint({ names, response }: CustomEndpoint): Code {
  const one =
    response.kind === 'object' ? braces(literals(response.attributes)) : sampleEntity(response.entity)
  const head = `${names.camel}: async () =>`
  // The formatter begins a new line before an object with a suffix that has several lines.
  return response.kind === 'list' ? `${head} []` : moving(head, code`(${one}) as const`)
}

/** What stands in for the authentication service. */
const FAKE_ACCOUNTS = call('fake', "'Auth'", `{ id: '${SAMPLE_ID}', email: 'ada@example.org', roles: [] }`)

/** Stands in for the services that one calls. */
export function fakesOf({ services }: Platform, calls: readonly ServiceTarget[]): Code {
  const members = calls.flatMap(({ directory, names: { camel }, isAuthentication }) => {
    if (isAuthentication) return [code`${camel}: ${FAKE_ACCOUNTS}`]
    return services
      .filter((other) => other.directory === directory)
      .map(({ names, entity, structs, customEndpoints }) => {
        const entries = structs
          .filter(({ endpoints }) => endpoints.length > 0)
          .map((struct) => code`${memberKey(struct)}: ${fake(struct)}`)
        const whole = fake(entity)
        const more = [...customEndpoints.map(fakeEndpoint), ...entries]
        return code`${names.camel}: ${more.length === 0 ? whole : braces([code`...${whole}`, ...more])}`
      })
  })
  return code`// What the services that this one calls answer. All that is referred to exists.
const comm = ${object(members)}
`
}

/** A test that creates the app and calls it. */
function initialTest(scope: ServiceScope): string {
  const { platform, service, authenticated } = scope
  const { entity, directory, databaseDirectory } = service
  const roles = (platform.authentication?.roles ?? []).map((role) => `'${role}'`)
  const { kebab, declared } = service.names
  const reads = hasOperation(entity, 'read')
  const calls = service.calls.length > 0
  // Only other services have stand-ins.
  const creates =
    hasOperation(entity, 'create') &&
    requestReferences(entity).every(({ type }) => type.kind === 'reference' && !type.local)
  const headers = authenticated ? ['headers: user.headers'] : []
  const values = literals(requestAttributes(entity))
  const path = reads ? `\`/${kebab}/\${randomUUID()}\`` : `'/${kebab}/unknown/path'`
  const tests = [
    oneTest(
      `Unknown ${reads ? 'entities' : 'paths'} are not found`,
      request(path, ...(authenticated ? [braces(headers)] : [])),
      status(404),
    ),
    ...(authenticated
      ? [oneTest('Requests without a token are rejected', request(`'/${kebab}'`), status(401))]
      : []),
    ...(creates
      ? [
          oneTest(
            `${withArticle(declared).replace(/^a/, 'A')} is created`,
            code`const body = ${call('JSON.stringify', braces(values))}`,
            request(`'/${kebab}'`, braces(["method: 'POST'", 'body', ...headers])),
            status(201),
          ),
        ]
      : []),
  ]
  const imports = [
    "import assert from 'node:assert/strict'",
    ...(reads ? ["import { randomUUID } from 'node:crypto'"] : []),
    "import { after, test } from 'node:test'",
    "import { readConfig } from '#lib/config.ts'",
    "import { connect } from '#lib/database.ts'",
    "import { createLog } from '#lib/log.ts'",
    ...(authenticated ? ["import { createCaller, identify } from '#lib/testing-callers.ts'"] : []),
    ...(calls ? ["import { fake } from '#lib/testing-fakes.ts'"] : []),
    "import { createTestDatabase } from '#lib/testing.ts'",
    "import { createApp } from '../src/app.ts'",
    "import { Config } from '../src/config.ts'",
    "import * as schema from '../src/schema.ts'",
    "import { Settings } from '../src/settings.ts'",
    "import setup from '../src/setup.ts'",
  ]
  return print(code`${imports.join('\n')}

// This file is yours: Portico never overwrites it.

const testDatabase = await ${call('createTestDatabase', `'${databaseDirectory}/migrations'`)}
const config = readConfig(Config, { ...process.env, DATABASE_URL: testDatabase.url })
const log = createLog('${directory}', 'warn')
const database = connect(config, schema, log)
${authenticated ? code`${roles.length === 0 ? '' : '// Has all roles.\n'}const user = ${call('createCaller', ...roles)}\n` : ''}${calls ? fakesOf(platform, service.calls) : ''}const app = await createApp({
  config,
  settings: readConfig(Settings, process.env),
  log,
  database,
${calls ? '  comm,\n' : ''}${authenticated ? '  identify,\n' : ''}  onStop: after,
  setup,
})

after(async () => {
  await database.close()
  await testDatabase.drop()
})

${join(tests, '\n\n')}
`)
}
