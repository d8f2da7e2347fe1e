import { Hono } from 'hono'
import { createApi } from '#lib/api.ts'
import type { connect } from '#lib/database.ts'
import { requireHandlers } from '#lib/endpoints.ts'
import { requireJobHandlers } from '#lib/jobs.ts'
import type { Log } from '#lib/log.ts'
import { limitBodies } from '#lib/requests.ts'
import type { OnStop } from '#lib/server.ts'
import type { Config } from './config.ts'
import { endpointRoutes } from './endpoint-routes.ts'
import {
  createAccess,
  createDatastore,
  createEndpoints,
  createHooks,
  type Env,
  type Router,
} from './hooks.ts'
import { createJobs } from './jobs.ts'
import { invoiceRoutes } from './routes/invoice.ts'
import type * as schema from './schema.ts'
import type { Settings } from './settings.ts'

/** The parts that the service is assembled from. */
export interface Dependencies {
  readonly config: Config
  readonly settings: Settings
  readonly log: Log
  readonly database: ReturnType<typeof connect<typeof schema>>
  readonly onStop: OnStop
  readonly setup: (env: Env, router: Router) => unknown
}

/** Creates the API. Runs setup.ts, whose routes come before the generated ones. */
export async function createApp(dependencies: Dependencies, env = createEnv(dependencies)) {
  const router: Router = new Hono()
  await dependencies.setup(env, router)
  requireHandlers(env.endpoints)
  requireJobHandlers(env.jobs)
  return createApi({ service: 'Invoice', conflicts: env.conflicts, log: env.log })
    .use(limitBodies(dependencies.config))
    .route('/', router)
    .route('/', endpointRoutes(env))
    .route('/', invoiceRoutes(env))
}

/** For Hono's typed client: `hc<Api>(url)`. */
export type Api = Awaited<ReturnType<typeof createApp>>

/** Creates what hooks and routes work with. */
export function createEnv({ config, settings, log, database, onStop }: Dependencies): Env {
  const { db, transaction, outside, afterCommit } = database
  const shared = {
    config,
    settings,
    log,
    hooks: createHooks(),
    endpoints: createEndpoints(),
    jobs: createJobs(database),
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
