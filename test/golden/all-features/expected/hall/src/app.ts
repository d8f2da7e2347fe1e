import { Hono } from 'hono'
import { Registry } from 'prom-client'
import { createApi } from '#lib/api.ts'
import type { connect } from '#lib/database.ts'
import { requireHandlers } from '#lib/endpoints.ts'
import type { Log } from '#lib/log.ts'
import { readManyRoutes } from '#lib/read-many.ts'
import { referenceRoutes } from '#lib/references.ts'
import { limitBodies } from '#lib/requests.ts'
import type { OnStop } from '#lib/server.ts'
import { authenticate, type Identify } from '#lib/tokens.ts'
import type { Config } from './config.ts'
import { endpointRoutes } from './endpoint-routes.ts'
import { publicHall } from './entities.ts'
import {
  createAccess,
  createDatastore,
  createEndpoints,
  createHooks,
  type Env,
  type Router,
} from './hooks.ts'
import { aisleRoutes } from './routes/aisle.ts'
import { boothRoutes } from './routes/booth.ts'
import { hallRoutes } from './routes/hall.ts'
import type * as schema from './schema.ts'
import type { Settings } from './settings.ts'

/** The parts that the service is assembled from. */
export interface Dependencies {
  readonly config: Config
  readonly settings: Settings
  readonly log: Log
  readonly database: ReturnType<typeof connect<typeof schema>>
  readonly identify: Identify
  readonly onStop: OnStop
  /** What `/metrics` reports. Default: a new registry, which nothing reports. */
  readonly metrics?: Registry
  readonly setup: (env: Env, router: Router) => unknown
}

/** Creates the API. Runs setup.ts, whose routes come before the generated ones. */
export async function createApp(dependencies: Dependencies, env = createEnv(dependencies)) {
  const router: Router = new Hono()
  await dependencies.setup(env, router)
  requireHandlers(env.endpoints)
  return createApi({ service: 'Hall', conflicts: env.conflicts, log: env.log })
    .use(authenticate(dependencies.identify), limitBodies(dependencies.config))
    .route('/', router)
    .route('/', endpointRoutes(env))
    .route('/', hallRoutes(env))
    .route('/', boothRoutes(env))
    .route('/', aisleRoutes(env))
}

/** For Hono's typed client: `hc<Api>(url)`. */
export type Api = Awaited<ReturnType<typeof createApp>>

/** Creates what only other services call. */
export function createInternalApi({ config, log, identify }: Dependencies, env: Env) {
  return createApi({ service: 'Hall', log })
    .use(authenticate(identify), limitBodies(config))
    .route('/', referenceRoutes(env.access))
    .route(
      '/',
      readManyRoutes(env, (ids) => env.datastore.batchesOfHall({ 'id[in]': ids }), publicHall),
    )
}

/** Creates what hooks and routes work with. */
export function createEnv({
  config,
  settings,
  log,
  database,
  metrics = new Registry(),
  onStop,
}: Dependencies): Env {
  const { db, transaction, outside, afterCommit } = database
  const shared = {
    config,
    settings,
    log,
    hooks: createHooks(),
    endpoints: createEndpoints(),
    conflicts: {
      booth__number__key: 'Duplicate Booth found',
      aisle__from__to__key: 'Duplicate Aisle found',
      aisle___parent__metres__key: 'Duplicate Aisle found',
    },
    metrics,
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
