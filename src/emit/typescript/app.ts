import type { Entity, Service } from '../../model/platform.ts'
import { codeFile } from '../kit/code-file.ts'
import { call, chain, type Code, code, hang, join, object, when } from '../kit/layout.ts'
import { accessFile } from './access-file.ts'
import type { ServiceScope } from './access.ts'
import { routesFunction } from './routes.ts'

/** `context.ts`: what all handlers work with; nothing where there are none. */
export function contextFile(scope: ServiceScope): string | undefined {
  if (routedEntities(scope.service).length === 0 && !scope.called) return undefined
  const file = codeFile('context.ts')
  const members = [
    `  readonly env: ${file.type('hooks.ts', 'Env')}`,
    `  readonly hooks: ${file.type('hooks.ts', 'HookLists')}`,
    `  readonly statements: ${file.type('statements.ts', 'Statements')}`,
    ...(accessFile(scope) === undefined ? [] : [`  readonly access: ${file.type('access.ts', 'Access')}`]),
    ...(scope.authenticated
      ? [
          `  /** Who sent a request. Throws 401 where its token is not valid. */
  readonly authenticate: (request: ${file.type('hono', 'HonoRequest')}) => Promise<${file.type('identity.ts', 'Caller')}>`,
        ]
      : []),
  ]
  return file.text(`/** What the endpoints work with. */
export interface ServiceContext {
${members.join('\n')}
}`)
}

/** `app.ts`: puts the service together: the user's setup, then the routes. */
export function appFile(scope: ServiceScope): string {
  const { service, authenticated, called } = scope
  const file = codeFile('app.ts')
  const value = (module: string, name: string) => file.value(module, name)
  const type = (module: string, name: string) => file.type(module, name)
  const hono = value('hono', 'Hono')
  const apiEnv = type('hooks.ts', 'ApiEnv')
  const name = service.names.declared
  const camel = service.names.camel
  const calls = service.calls.length > 0
  const registrar = routedEntities(service).length > 0 ? value('hook-lists.ts', 'registrar') : ''
  const routed = routedEntities(service)
  // Without endpoints there are no hooks; only what other services ask needs the context then.
  const hooked = routed.length > 0
  const needsContext = hooked || called
  const createHooks = `${value('hooks.ts', 'createHookLists')}()`
  const registrars = [
    ...(service.entity.endpoints.length > 0 ? [code`...${call(registrar, `hooks.${camel}`)}`] : []),
    ...routed
      .filter((entity) => entity !== service.entity)
      .map(({ names }) => hang(`${names.camel}:`, call(registrar, `hooks.${names.camel}`))),
  ]
  const hooksMember = (): Code => {
    if (!hooked) return needsContext ? 'hooks' : `hooks: ${createHooks}`
    return service.structs.length === 0
      ? `hooks: ${registrar}(hooks.${camel})`
      : code`hooks: ${object(registrars)}`
  }
  const env = [
    'config',
    'log',
    `datastore: new ${value('datastore.ts', 'Datastore')}(database.drizzle, statements)`,
    ...(calls ? ['comm'] : []),
    hooksMember(),
  ]
  const hasAccess = accessFile(scope) !== undefined
  const context = [
    'env',
    'hooks',
    'statements',
    ...(hasAccess ? [code`access: ${call(value('access.ts', 'createAccess'), `statements.${camel}`)}`] : []),
    ...(authenticated ? ['authenticate'] : []),
  ]
  const added = routed.map(
    (entity) => `  ${value(`routes/${entity.names.kebab}.ts`, routesFunction(entity))}(api, context)`,
  )
  const bindings = type('server.ts', 'Bindings')
  const parts = ['config', 'log', 'database', ...(authenticated ? ['identify'] : [])].join(', ')
  const fetch = calls
    ? `    // Calls to other services carry the id of the request that they are made for.
    fetch: (request, bindings) => ${value('request-ids.ts', 'requestIds')}.run(bindings.requestId, () => api.fetch(request, bindings)),`
    : '    fetch: (request, bindings) => api.fetch(request, bindings),'

  return file.text(code`/** What the service is made of. */
export interface Parts {
  readonly config: ${type('config.ts', 'Config')}
  readonly log: ${type('log.ts', 'Log')}
  readonly database: ${type('database.ts', 'Database')}
${authenticated ? `  readonly identify: ${type('identity.ts', 'Identify')}\n` : ''}}

/** Answers requests. */
export interface App {
  readonly api: { readonly fetch: (request: Request, bindings: ${bindings}) => Response | Promise<Response> }
  /** What other services ask on the second port. */
  readonly internal: ${called ? `${hono}<{ Bindings: ${bindings} }>` : 'undefined'}
}

/** Runs setup.ts, then puts its routes before the generated ones. Throws what setup.ts throws. */
export async function createApp({ ${parts} }: Parts): Promise<App> {
  const statements = ${value('statements.ts', 'prepareStatements')}(database.drizzle)
${needsContext ? `  const hooks = ${createHooks}\n` : ''}${calls ? `  const comm = ${value('comm.ts', 'createComm')}(config)\n` : ''}  const env: ${type('hooks.ts', 'Env')} = ${object(env)}
  const router: ${type('hooks.ts', 'Router')} = new ${hono}<${apiEnv}>()
  // Whichever of the two it takes, at once or by and by.
  const prepare: (env: Env, router: Router) => unknown = ${file.main('setup.ts', 'setup')}
  await prepare(env, router)

${authenticated ? authenticateFunction(value, type) : ''}${needsContext ? code`  const context: ${type('context.ts', 'ServiceContext')} = ${object(context)}\n` : ''}  const api = new ${hono}<${apiEnv}>()
  ${chain('api', `.onError(${value('api.ts', 'answerFailure')}('${name}', log))`, `.notFound(${value('api.ts', 'answerUnmatched')}(api))`)}
  for (const { method, path } of router.routes) {
    api.on(method, path, async (c, next) => {
${authenticated ? "      c.set('caller', await authenticate(c.req))\n" : ''}      c.set('fail', ${value('answers.ts', 'answerError')})
      await next()
    })
  }
  api.route('/', router)
${join(
  added.map((line) => `${line}\n`),
  '',
)}
  return {
    api: {
  ${fetch.replaceAll('\n', '\n  ')}
    },
    internal: ${called ? `${value('routes/internal.ts', 'createInternalRoutes')}(context)` : 'undefined'},
  }
}`)
}

function authenticateFunction(
  value: (module: string, name: string) => string,
  type: (module: string, name: string) => string,
): string {
  return `  async function authenticate(request: ${type('hono', 'HonoRequest')}): Promise<${type('identity.ts', 'Caller')}> {
    const caller = await identify(request.header('authorization'))
    if (caller === undefined) throw ${value('errors.ts', 'unauthorized')}()
    return caller
  }

`
}

function routedEntities({ entity, structs }: Service): Entity[] {
  return [entity, ...structs].filter(({ endpoints }) => endpoints.length > 0)
}

/** `routes/internal.ts`: what other services ask on the second port. Access applies, hooks do not. */
export function internalRoutesFile(scope: ServiceScope): string {
  const { service, authenticated, readLimited } = scope
  const { entity } = service
  const file = codeFile('routes/internal.ts')
  const camel = entity.names.camel
  const caller = readLimited
    ? '    const caller = await authenticate(c.req)\n'
    : authenticated
      ? '    await authenticate(c.req)\n'
      : ''
  const shown = `wire/${entity.names.kebab}.ts`
  const presents = isPresentedEntity(scope)
  const found = presents ? `${file.value(shown, 'present')}(found)` : 'found'
  const who = readLimited ? ', caller' : ''
  const answer = file.value('answers.ts', 'answer')
  const read = readLimited ? 'readOwn' : 'read'
  const missing = `throw ${file.value('errors.ts', 'notFound')}('${entity.names.declared}', id)`
  return file.text(code`/** What other services ask of ${entity.names.declared}: which references hold, and single entities. */
export function createInternalRoutes(context: ${file.type('context.ts', 'ServiceContext')}) {
  const { access, ${authenticated ? 'authenticate, ' : ''}env } = context
  const { ${read} } = context.statements.${camel}
  const internal = new ${file.value('hono', 'Hono')}<{ Bindings: ${file.type('server.ts', 'Bindings')} }>()
  internal.onError(${file.value('api.ts', 'answerFailure')}('${entity.names.declared}', env.log))

  internal.post('/references', async (c) => {
${caller}    const unknown = await access.unknown(await ${file.value('reference-ids.ts', 'readIds')}(c.req)${who})
    return ${answer}(200, { unknown: [...unknown] })
  })

  internal.get('/entities/:id', async (c) => {
${caller}    const id = ${file.value('ids.ts', 'pathId')}(c.req.param('id'))
    const [found] = await ${read}.execute({ id${readLimited ? ', _caller: caller.id' : ''} })
    ${when('found === undefined', missing)}
    return ${answer}(200, ${found})
  })

  return internal
}`)
}

function isPresentedEntity({ service }: ServiceScope): boolean {
  return service.entity.attributes.some(
    ({ stored, answered, type }) => stored && (!answered || type.kind === 'data'),
  )
}
