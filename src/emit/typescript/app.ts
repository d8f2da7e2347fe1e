import { servesReadMany, storedAttributes } from '../../model/entities.ts'
import type { Platform, Service } from '../../model/platform.ts'
import { constraintName } from '../database/identifiers.ts'
import { columnsOf } from '../database/service-tables.ts'
import { type CodeFile, codeFile } from '../codegen/code-file.ts'
import { braces, call, type Code, chain, code, hanging, join, moving, object } from '../codegen/layout.ts'
import { hasQueue } from '../database/jobs.ts'
import { JOBS_MODULE } from './jobs.ts'
import { honoPath } from './routes.ts'
import { type EntityScope, mainEntity, type ServiceScope } from './scope.ts'
import { duplicateText } from '../../model/error-texts.ts'

/** `app.ts`: assembles the service: the user's setup, then the routes. */
export function appFile(scope: ServiceScope): string {
  const { platform, service, entities, authenticated } = scope
  const file = codeFile('app.ts')
  const value = (module: string, name: string) => file.value(module, name)
  const type = (module: string, name: string) => file.type(module, name)
  const called = service.referenced
  const queued = hasQueue(service)
  /** Whether main.ts needs the environment besides the API. */
  const hasEnv = called || queued
  const hasOpen = service.customEndpoints.some(({ isPublic }) => isPublic)
  const hasEndpoints = service.customEndpoints.length > 0
  const calls = service.calls.length > 0
  const measured = platform.metrics !== undefined
  const routed = entities.filter(({ entity }) => entity.endpoints.length > 0)
  const members = [
    `readonly config: ${type('config.ts', 'Config')}`,
    `readonly settings: ${type('settings.ts', 'Settings')}`,
    `readonly log: ${type('#lib/log.ts', 'Log')}`,
    `readonly database: ReturnType<typeof ${type('#lib/database.ts', 'connect')}<typeof schema>>`,
    ...(calls
      ? [
          `/** Replaces the clients of the services that this one calls. */\n  readonly comm?: ${type('comm.ts', 'Comm')}`,
        ]
      : []),
    ...(authenticated ? [`readonly identify: ${type('#lib/tokens.ts', 'Identify')}`] : []),
    `readonly onStop: ${type('#lib/server.ts', 'OnStop')}`,
    ...(measured
      ? [
          `/** What \`/metrics\` reports. Default: a new registry, which nothing reports. */`,
          `readonly metrics?: ${type('prom-client', 'Registry')}`,
        ]
      : []),
    `readonly setup: (env: ${type('hooks.ts', 'Env')}, router: ${type('hooks.ts', 'Router')}) => unknown`,
  ]
  const before = [
    ...(authenticated ? [authenticationCall(service, file)] : []),
    `${value('#lib/requests.ts', 'limitBodies')}(dependencies.config)`,
  ]
  const endpoints = hasEndpoints ? [`.route('/', ${value('endpoint-routes.ts', 'endpointRoutes')}(env))`] : []
  const routes: Code[] = [
    call('.use', ...before),
    `.route('/', router)`,
    ...(hasOpen ? endpoints : []),
    ...(service.publicPaths.length === 0 && !hasOpen
      ? []
      : [`.use(${value('#lib/public.ts', 'requireCaller')})`]),
    ...(hasOpen ? [] : endpoints),
    ...routed.map(
      ({ entity, names }) => `.route('/', ${value(`routes/${entity.names.kebab}.ts`, names.routes)}(env))`,
    ),
  ]
  const conflicts = object(entities.flatMap((entityScope) => conflictsOf(scope, entityScope)))
  const hono = value('hono', 'Hono')
  const registry = measured ? [`metrics = new ${value('prom-client', 'Registry')}()`] : []
  const clients = calls ? [`comm = ${value('comm.ts', 'createComm')}(config)`] : []
  const parts = ['config', 'settings', 'log', 'database', ...clients, ...registry, 'onStop']
  file.namespace('schema.ts', 'schema', 'type')
  return file.text(code`/** The parts that the service is assembled from. */
export interface Dependencies {
  ${members.join('\n  ')}
}

/** Creates the API. Runs setup.ts, whose routes come before the generated ones. */
export async function createApp(dependencies: Dependencies${hasEnv ? ', env = createEnv(dependencies)' : ''}) {
${hasEnv ? '' : '  const env = createEnv(dependencies)\n'}  const router: Router = new ${hono}()
  await dependencies.setup(env, router)
${hasEndpoints ? `  ${value('#lib/endpoints.ts', 'requireHandlers')}(env.endpoints)\n` : ''}${queued ? `  ${value('#lib/jobs.ts', 'requireJobHandlers')}(env.jobs)\n` : ''}  return ${value('#lib/api.ts', 'createApi')}({ service: '${service.names.declared}', conflicts: env.conflicts, log: env.log })
    ${join(routes, '\n    ')}
}

/** For Hono's typed client: \`hc<Api>(url)\`. */
export type Api = Awaited<ReturnType<typeof createApp>>
${called ? internalFunction(scope, file) : ''}
${hasEnv ? '/** Creates what hooks and routes work with. */\nexport ' : ''}function createEnv(${braces(parts)}: Dependencies): Env {
  const { db, transaction, outside, afterCommit } = database
  const shared = ${object(['config', 'settings', 'log', ...(calls ? ['comm'] : []), `hooks: ${value('hooks.ts', 'createHooks')}()`, ...(hasEndpoints ? [`endpoints: ${value('hooks.ts', 'createEndpoints')}()`] : []), ...(queued ? [`jobs: ${value(JOBS_MODULE, 'createJobs')}(database)`] : []), code`conflicts: ${conflicts}`, ...(measured ? ['metrics'] : []), 'onStop'])}
  const outer: Env = {
    ...shared,
    outside: (work) => outside(() => work(outer)),
    datastore: ${value('hooks.ts', 'createDatastore')}(db),
    access: ${value('hooks.ts', 'createAccess')}(db),
    afterCommit,
    transaction: (work) =>
      transaction((tx, afterThis) => {
        const env: Env = {
          ...outer,
          datastore: createDatastore(tx),
          access: createAccess(tx),
          afterCommit: afterThis,
          transaction: (inner) => inner(env),
        }
        return work(env)
      }),
  }
  return outer
}`)
}

const textList = (texts: readonly string[]) => `[${texts.map((text) => `'${text}'`).join(', ')}]`

/** The middleware that identifies callers. */
function authenticationCall({ publicPaths, customEndpoints }: Service, file: CodeFile): string {
  const open = customEndpoints.filter(({ isPublic }) => isPublic)
  if (publicPaths.length === 0 && open.length === 0)
    return `${file.value('#lib/tokens.ts', 'authenticate')}(dependencies.identify)`
  const paths = textList(publicPaths.map((path) => path.slice('/api'.length)))
  const endpoints = open.map((endpoint) => `${endpoint.method} ${honoPath(undefined, endpoint.path)}`)
  const except = open.length === 0 ? paths : `${paths}, ${textList(endpoints)}, router`
  return `${file.value('#lib/public.ts', 'authenticateExcept')}(dependencies.identify, ${except})`
}

function internalFunction(scope: ServiceScope, file: CodeFile): Code {
  const { service, authenticated } = scope
  const parameters = ['config', 'log', ...(authenticated ? ['identify'] : [])].join(', ')
  const before = [
    ...(authenticated ? [`${file.value('#lib/tokens.ts', 'authenticate')}(identify)`] : []),
    `${file.value('#lib/requests.ts', 'limitBodies')}(config)`,
  ]
  const references = `${file.value('#lib/references.ts', 'referenceRoutes')}(env.access)`
  // The formatter breaks a call with a function in a nested call.
  const readMany = servesReadMany(service)
    ? [{ ...call('.route', "'/'", readManyRoutes(scope, file)), expanded: true }]
    : []
  return code`
/** Creates what only other services call. */
export function createInternalApi({ ${parameters} }: Dependencies, env: Env) {
  return ${chain(`createApi({ service: '${service.names.declared}', log })`, `.use(${before.join(', ')})`, `.route('/', ${references})`, ...readMany)}
}
`
}

/** The endpoint with which other services read several entities. */
function readManyRoutes(scope: ServiceScope, file: CodeFile): Code {
  const { readers } = scope
  const { entity, names } = mainEntity(scope)
  const datastore = readers === undefined ? 'env.datastore' : 'env.datastore.as(caller)'
  const find = call(`${datastore}.batchesOf${entity.names.declared}`, "{ 'id[in]': ids }")
  return call(
    file.value('#lib/read-many.ts', 'readManyRoutes'),
    'env',
    moving(readers === undefined ? '(ids) =>' : '(ids, caller) =>', find),
    file.value('entities.ts', names.toPublic),
  )
}

/** The message for each constraint that a request can violate. */
function conflictsOf({ service }: ServiceScope, { entity, struct }: EntityScope): Code[] {
  const message = `'${duplicateText(entity.names.declared)}'`
  const keys = [
    ...(service.storesUsers && struct === undefined ? [constraintName(entity.table, [], 'pkey')] : []),
    ...storedAttributes(entity)
      .filter(({ unique }) => unique)
      .map(({ names }) => constraintName(entity.table, [names.snake], 'key')),
    ...entity.combinations.map((combination) => constraintName(entity.table, columnsOf(combination), 'key')),
  ]
  return keys.map((key) => hanging(`${key}:`, message))
}

/** `main.ts`: the entry point of the service. */
export function mainFile({ platform, service, authenticated }: ServiceScope): string {
  const file = codeFile('main.ts')
  const value = (module: string, name: string) => file.value(module, name)
  file.defaultImport('setup.ts', 'setup')
  file.namespace('schema.ts', 'schema')
  const metrics = platform.metrics === undefined ? '' : `  ${value('metrics.ts', 'metrics')},\n`
  const names = [
    'config',
    'settings',
    'log',
    'database',
    ...(authenticated ? ['identify'] : []),
    ...(platform.metrics === undefined ? [] : ['metrics: metrics.registry']),
    'onStop',
    'setup',
  ]
  const identify = authenticated
    ? `    const identify = await ${value('#lib/tokens.ts', 'createIdentify')}(config.GATEWAY_CREDENTIALS_FILE, log)\n`
    : ''
  const hasEnv = service.referenced || hasQueue(service)
  const parts = [
    'api',
    ...(service.referenced ? [`internal: ${value('app.ts', 'createInternalApi')}(dependencies, env)`] : []),
    ...(hasQueue(service) ? [code`stop: ${startQueue(platform, service, file)}`] : []),
  ]
  return file.text(code`await ${value('#lib/server.ts', 'run')}({
  service: '${service.directory}',
  ${value('config.ts', 'Config')},
  schema,
${metrics}  async start({ config, log, database, onStop }) {
    const settings = ${value('#lib/config.ts', 'readConfig')}(${value('settings.ts', 'Settings')}, process.env)
${identify}    const dependencies = ${braces(names)}
${hasEnv ? `    const env = ${value('app.ts', 'createEnv')}(dependencies)\n` : ''}    const api = await ${value('app.ts', 'createApp')}(dependencies${hasEnv ? ', env' : ''})
    return ${braces(parts)}
  },
})`)
}

/** Begins to run jobs. */
function startQueue({ metrics }: Platform, { names }: Service, file: CodeFile): Code {
  const measure = () =>
    call(
      file.value('#lib/job-metrics.ts', 'measureJobs'),
      `'${names.snake}'`,
      'env.jobs',
      `${file.value('metrics.ts', 'metrics')}.registry`,
      'database.pool',
    )
  return call(
    file.value('#lib/run-jobs.ts', 'startQueue'),
    braces([
      'env',
      'config',
      'schema',
      'log',
      'database',
      ...(metrics === undefined ? [] : [code`onEnd: ${measure()}`]),
    ]),
  )
}
