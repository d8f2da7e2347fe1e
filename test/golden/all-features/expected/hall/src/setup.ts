import { type Env, HookError, type Router } from './hooks.ts'

/**
 * Registers hooks (`env.hooks.beforeCreate(...)`) and routes (`router.get('/hall/...', ...)`). It runs
 * once, before the service starts to listen. This file is yours: Portico never overwrites it.
 */
export default async function setup(env: Env, _router: Router): Promise<void> {
  env.endpoints.price(() => {
    throw new HookError(501, 'Not implemented')
  })
  env.endpoints.search(() => {
    throw new HookError(501, 'Not implemented')
  })
}
