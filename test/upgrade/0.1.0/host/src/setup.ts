import type { Env, Router } from './hooks.ts'

/**
 * Registers hooks (`env.hooks.beforeCreate(...)`) and further routes (`router.get('/host/...', ...)`). It runs once,
 * before the service listens. This file is yours: it is never written again.
 */
export default async function setup(_env: Env, _router: Router): Promise<void> {}
