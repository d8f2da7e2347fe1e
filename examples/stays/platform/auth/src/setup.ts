import { HookError, type Env, type Router } from './hooks.ts'

const COMMON_PASSWORDS = new Set(['password', '12345678', 'qwertyuiop', 'iloveyou'])

/** Hooks of the authentication service. */
export default function setup(env: Env, _router: Router): void {
  env.hooks.beforeRegister((_env, request) => {
    if (COMMON_PASSWORDS.has(request.password))
      throw new HookError(400, 'This password is too common. Choose another one')
  })
}
