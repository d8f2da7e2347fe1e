import { Hono } from 'hono'
import { createApi } from '#lib/api.ts'
import type { connect } from '#lib/database.ts'
import type { Log } from '#lib/log.ts'
import { limitBodies } from '#lib/requests.ts'
import type { OnStop } from '#lib/server.ts'
import { authenticate, type Identify } from '#lib/tokens.ts'
import { type Comm, createComm } from './comm.ts'
import type { Config } from './config.ts'
import { createAccess, createDatastore, createHooks, type Env, type Router } from './hooks.ts'
import { entryRoutes } from './routes/entry.ts'
import type * as schema from './schema.ts'
import type { Settings } from './settings.ts'

/** The parts that the service is assembled from. */
export interface Dependencies {
  readonly config: Config
  readonly settings: Settings
  readonly log: Log
  readonly database: ReturnType<typeof connect<typeof schema>>
  /** Replaces the clients of the services that this one calls. */
  readonly comm?: Comm
  readonly identify: Identify
  readonly onStop: OnStop
  readonly setup: (env: Env, router: Router) => unknown
}

/** Creates the API. Runs setup.ts, whose routes come before the generated ones. */
export async function createApp(dependencies: Dependencies) {
  const env = createEnv(dependencies)
  const router: Router = new Hono()
  await dependencies.setup(env, router)
  return createApi({ service: 'Entry', conflicts: env.conflicts, log: env.log })
    .use(authenticate(dependencies.identify), limitBodies(dependencies.config))
    .route('/', router)
    .route('/', entryRoutes(env))
}

/** For Hono's typed client: `hc<Api>(url)`. */
export type Api = Awaited<ReturnType<typeof createApp>>

function createEnv({
  config,
  settings,
  log,
  database,
  comm = createComm(config),
  onStop,
}: Dependencies): Env {
  const { db, transaction, outside, afterCommit } = database
  const shared = {
    config,
    settings,
    log,
    comm,
    hooks: createHooks(),
    conflicts: {},
    onStop,
  }
  const outer: Env = {
    ...shared,
    outside: (work) => outside(() => work(outer)),
    datastore: createDatastore(db),
    access: createAccess(db),
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
}
