import { type Env, HookError, type Router } from './hooks.ts'

/**
 * Registers hooks (`env.hooks.beforeCreate(...)`) and routes (`router.get('/invoice/...', ...)`). It runs
 * once, before the service starts to listen. This file is yours: Portico never overwrites it.
 */
export default async function setup(env: Env, _router: Router): Promise<void> {
  env.endpoints.quote(() => {
    throw new HookError(501, 'Not implemented')
  })
  env.jobs.remind.run(() => {
    throw new Error('Not implemented')
  })
  env.jobs.recount.run(() => {
    throw new Error('Not implemented')
  })
  env.jobs.markOverdue.run(() => {
    throw new Error('Not implemented')
  })
}
