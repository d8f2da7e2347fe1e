import { type Context, Hono } from 'hono'
import { v1 as newTimeBasedId } from 'uuid'
import { withHooks } from '#lib/hooks.ts'
import { body } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import type { AuthResult, Env, RouteEnv } from './hooks.ts'
import type { QueuedPasswords } from './passwords.ts'
import type { Auth } from './queries.ts'
import { Credentials, Login } from './requests.ts'
import { registration, rolesOf } from './roles.ts'

/** The endpoints to register and log in. */
export function authRoutes(env: Env, passwords: QueuedPasswords) {
  const { config, datastore, hooks } = env

  /** The address that the gateway or the last trusted proxy has added. */
  function addressOf(c: Context): string {
    const addresses = c.req.header('x-forwarded-for')?.split(',') ?? []
    return addresses.at(-1 - config.TRUSTED_PROXIES)?.trim() ?? ''
  }

  /** Issues a token. Returns what hooks get. */
  async function logIn(account: Auth): Promise<{ result: AuthResult; caller: Caller }> {
    const { id, email } = account
    const token = await env.issueToken(account)
    return {
      result: { id, email, AccessToken: token },
      caller: { id, roles: rolesOf(account, config), token },
    }
  }

  return new Hono<RouteEnv>()
    .post('/auth/register', body(Credentials), async (c) => {
      const request = c.req.valid('json')
      // Hashed before the transaction, which would otherwise wait for it.
      const requestedHash = await passwords.inTurn(addressOf(c), ({ hash }) => hash(request.password))
      const registered = await withHooks(env, [hooks.beforeRegister, hooks.afterRegister], async (tx) => {
        const input = registration(request)
        await hooks.beforeRegister.run(tx, request, input, undefined)
        const { password, ...attributes } = input
        const isRequested = password === request.password
        const passwordHash = isRequested ? requestedHash : await passwords.hash(password)
        const id = newTimeBasedId()
        const account = await tx.datastore.createAuth({ ...attributes, id, passwordHash })
        const { result, caller } = await logIn(account)
        await hooks.afterRegister.run(tx, result, caller)
        return result
      })
      return c.json({ AccessToken: registered.AccessToken }, 201)
    })
    .post('/auth/login', body(Login), async (c) => {
      const request = c.req.valid('json')
      const input = { ...request }
      await hooks.beforeLogin.run(env, request, input, undefined)
      const account = await passwords.inTurn(addressOf(c), async ({ matches }) => {
        const found = await datastore.findAuth(input)
        return (await matches(input.password, found?.passwordHash)) ? found : undefined
      })
      if (account === undefined)
        return c.json({ error: 'Invalid email or password' }, 401, { 'WWW-Authenticate': 'Bearer' })
      const { result, caller } = await logIn(account)
      await hooks.afterLogin.run(env, result, caller)
      return c.json({ AccessToken: result.AccessToken })
    })
}
