import { Hono, type HonoRequest } from 'hono'
import { createAccess } from './access.ts'
import { answerError } from './answers.ts'
import { answerFailure, answerUnmatched } from './api.ts'
import { createComm } from './comm.ts'
import type { Config } from './config.ts'
import type { ServiceContext } from './context.ts'
import type { Database } from './database.ts'
import { Datastore } from './datastore.ts'
import { unauthorized } from './errors.ts'
import { registrar } from './hook-lists.ts'
import { type ApiEnv, createHookLists, type Env, type Router } from './hooks.ts'
import type { Caller, Identify } from './identity.ts'
import type { Log } from './log.ts'
import { requestIds } from './request-ids.ts'
import { addHomeRoutes } from './routes/home.ts'
import { addPhotoRoutes } from './routes/photo.ts'
import type { Bindings } from './server.ts'
import setup from './setup.ts'
import { prepareStatements } from './statements.ts'

/** What the service is made of. */
export interface Parts {
  readonly config: Config
  readonly log: Log
  readonly database: Database
  readonly identify: Identify
}

/** Answers requests. */
export interface App {
  readonly api: { readonly fetch: (request: Request, bindings: Bindings) => Response | Promise<Response> }
  /** What other services ask on the second port. */
  readonly internal: undefined
}

/** Runs setup.ts, then puts its routes before the generated ones. Throws what setup.ts throws. */
export async function createApp({ config, log, database, identify }: Parts): Promise<App> {
  const statements = prepareStatements(database.drizzle)
  const hooks = createHookLists()
  const comm = createComm(config)
  const env: Env = {
    config,
    log,
    datastore: new Datastore(database.drizzle, statements),
    comm,
    hooks: {
      ...registrar(hooks.home),
      photo: registrar(hooks.photo),
    },
  }
  const router: Router = new Hono<ApiEnv>()
  // Whichever of the two it takes, at once or by and by.
  const prepare: (env: Env, router: Router) => unknown = setup
  await prepare(env, router)

  async function authenticate(request: HonoRequest): Promise<Caller> {
    const caller = await identify(request.header('authorization'))
    if (caller === undefined) throw unauthorized()
    return caller
  }

  const context: ServiceContext = {
    env,
    hooks,
    statements,
    access: createAccess(statements.home),
    authenticate,
  }
  const api = new Hono<ApiEnv>()
  api.onError(answerFailure('Home', log)).notFound(answerUnmatched(api))
  for (const { method, path } of router.routes) {
    api.on(method, path, async (c, next) => {
      c.set('caller', await authenticate(c.req))
      c.set('fail', answerError)
      await next()
    })
  }
  api.route('/', router)
  addHomeRoutes(api, context)
  addPhotoRoutes(api, context)

  return {
    api: {
      // Calls to other services carry the id of the request that they are made for.
      fetch: (request, bindings) => requestIds.run(bindings.requestId, () => api.fetch(request, bindings)),
    },
    internal: undefined,
  }
}
