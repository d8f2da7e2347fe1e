import { type Env, HookError, type Router } from './hooks.ts'

/**
 * Registers hooks (`env.hooks.beforeCreate(...)`) and routes (`router.get('/notice/...', ...)`). It runs
 * once, before the service starts to listen. This file is yours: Portico never overwrites it.
 */
export default async function setup(env: Env, _router: Router): Promise<void> {
  env.endpoints.printed(() => {
    throw new HookError(501, 'Not implemented')
  })
  env.endpoints.correct(() => {
    throw new HookError(501, 'Not implemented')
  })
}
