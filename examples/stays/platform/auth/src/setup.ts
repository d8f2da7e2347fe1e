import { HookError, type Env, type Router } from './hooks.ts'

const REFUSED = new Set(['password', '12345678', 'qwertyuiop', 'iloveyou'])

/** Hooks of the authentication service. */
export default function setup(env: Env, _router: Router): void {
  env.hooks.beforeRegister((_env, request) => {
    if (REFUSED.has(request.password))
      throw new HookError(400, 'That password is on every list; take another')
  })
}
