import { Hono, type MiddlewareHandler } from 'hono'
import { Registry } from 'prom-client'
import { createApi } from '#lib/api.ts'
import type { connect } from '#lib/database.ts'
import type { Log } from '#lib/log.ts'
import { limitBodies } from '#lib/requests.ts'
import type { OnStop } from '#lib/server.ts'
import type { Identify } from '#lib/tokens.ts'
import { type Comm, createComm } from './comm.ts'
import type { Config } from './config.ts'
import { createDatastore, createHooks, type Env, type RouteEnv, type Router } from './hooks.ts'
import type { QueuedPasswords } from './passwords.ts'
import type { Auth } from './queries.ts'
import { rolesOf } from './roles.ts'
import { authRoutes } from './routes.ts'
import type * as schema from './schema.ts'
import type { Settings } from './settings.ts'
import type { IssueToken } from './tokens.ts'

/** What the service's API is made of. */
export interface Dependencies {
  readonly config: Config
  readonly settings: Settings
  readonly log: Log
  readonly database: ReturnType<typeof connect<typeof schema>>
  /** Replaces the clients of the services that this one calls. */
  readonly comm?: Comm
  readonly passwords: QueuedPasswords
  readonly identify: Identify
  readonly issueToken: IssueToken
  /** What `/metrics` reports. Default: a new registry, which nothing reports. */
  readonly metrics?: Registry
  readonly onStop: OnStop
  readonly setup: (env: Env, router: Router) => unknown
}

/** Creates the service's API. Runs setup.ts, whose routes come before the generated ones. */
export async function createApp(dependencies: Dependencies) {
  const { config, log, passwords, identify, setup } = dependencies
  const env = createEnv(dependencies)
  const router: Router = new Hono<RouteEnv>()
  await setup(env, router)
  return createApi({ service: 'Auth', conflicts: env.conflicts, log })
    .use(limitBodies(config))
    .use(recognize(identify))
    .route('/', router)
    .route('/', authRoutes(env, passwords))
}

/** Sets `c.var.caller` if the request has a valid token. No route of this service requires one. */
function recognize(identify: Identify): MiddlewareHandler<RouteEnv> {
  return async (c, next) => {
    const caller = await identify(c.req.header('authorization'))
    c.set('caller', caller && { roles: [], ...caller })
    await next()
  }
}

/** The type parameter of Hono's typed client: `hc<Api>(url)`. */
export type Api = Awaited<ReturnType<typeof createApp>>

function createEnv(dependencies: Dependencies): Env {
  const { comm = createComm(dependencies.config) } = dependencies
  const { metrics = new Registry() } = dependencies
  const { config, settings, log, database, passwords, onStop } = dependencies
  const shared = {
    config,
    settings,
    log,
    passwords,
    onStop,
    issueToken: (account: Auth) => dependencies.issueToken(account.id, rolesOf(account, config)),
    hooks: createHooks(),
    comm,
    metrics,
    conflicts: { auth__email__key: 'auth already exists' },
  }
  const outer: Env = {
    ...shared,
    outside: (work) => database.outside(() => work(outer)),
    datastore: createDatastore(database.db),
    afterCommit: database.afterCommit,
    transaction: (work) =>
      database.transaction((tx, afterCommit) => {
        const env: Env = {
          ...outer,
          datastore: createDatastore(tx),
          afterCommit,
          transaction: (inner) => inner(env),
        }
        return work(env)
      }),
  }
  return outer
}
