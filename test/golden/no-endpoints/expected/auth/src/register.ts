import { v1 as newTimeBasedId } from 'uuid'
import { answer } from './answers.ts'
import { readBody } from './body.ts'
import type { Dependencies, RequestContext } from './app.ts'
import { readCredentialsRequest } from './credentials-request.ts'
import { classify } from './database-errors.ts'
import { ServiceError } from './errors.ts'
import { runHooks } from './hook-lists.ts'

/** `POST /auth/register`: makes a record and answers with its first token. */
export async function register(
  c: RequestContext,
  { env, lists, passwords, issue }: Dependencies,
): Promise<Response> {
  const request = readCredentialsRequest(await readBody(c, env.config.maxBodyBytes))
  const input = { ...request }
  await runHooks(lists.beforeRegister, env, request, input, undefined)
  // Hashing is dear; the constraint of the database has the last word.
  if ((await env.datastore.findAuth(input)) !== undefined) throw alreadyExists()

  const id = newTimeBasedId()
  const { email, password } = input
  const record = { id, email, passwordHash: await passwords.hash(password) }
  await env.datastore.createAuth(record).catch((error: unknown) => {
    throw classify(error).kind === 'unique' ? alreadyExists() : error
  })

  const token = await issue(id)
  const registered = { id, email, AccessToken: token }
  await runHooks(lists.afterRegister, env, registered, { id, token })
  return answer(201, { AccessToken: registered.AccessToken })
}

function alreadyExists(): ServiceError {
  return new ServiceError(409, 'auth already exists')
}
