import type { Env, Router } from './hooks.ts'

/**
 * Registers hooks (`env.hooks.beforeRegister(...)`) and routes (`router.get('/auth/...', ...)`). It runs
 * once, before the service starts to listen. This file is yours: Portico never overwrites it.
 */
export default async function setup(_env: Env, _router: Router): Promise<void> {}
