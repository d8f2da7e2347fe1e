import { answer } from './answers.ts'
import type { Dependencies, RequestContext } from './app.ts'
import { readBody } from './body.ts'
import { readCredentialsRequest } from './credentials-request.ts'
import { ServiceError } from './errors.ts'
import { runHooks } from './hook-lists.ts'

/** `POST /auth/login`: answers with a new token. An unknown email looks, also by the clock, like a wrong password. */
export async function login(
  c: RequestContext,
  { env, lists, passwords, issue }: Dependencies,
): Promise<Response> {
  const request = readCredentialsRequest(await readBody(c, env.config.maxBodyBytes))
  const input = { ...request }
  await runHooks(lists.beforeLogin, env, request, input, undefined)

  const record = await env.datastore.findAuth(input)
  const matches = await passwords.matches(input.password, record?.passwordHash)
  if (record === undefined || !matches) {
    throw new ServiceError(401, 'Invalid email or password', { 'WWW-Authenticate': 'Bearer' })
  }

  const { id, email } = record
  const token = await issue(id)
  const loggedIn = { id, email, AccessToken: token }
  await runHooks(lists.afterLogin, env, loggedIn, { id, token })
  return answer(200, { AccessToken: loggedIn.AccessToken })
}
