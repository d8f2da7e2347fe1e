import { randomUUID } from 'node:crypto'
import type { Env, Router } from './hooks.ts'

/** Hooks and custom routes of Specimen. */
export default function setup(env: Env, _router: Router): void {
  env.hooks.beforeCreate((_env, request, input) => {
    input.stamp = new Date().toISOString()
    input.inner = request.secret.length
    input.serial = randomUUID()
  })
}
