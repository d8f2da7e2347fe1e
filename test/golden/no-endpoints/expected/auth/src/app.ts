import { type Context, Hono } from 'hono'
import { answerError } from './answers.ts'
import { answerFailure, answerUnmatched } from './api.ts'
import type { Config } from './config.ts'
import type { Credentials } from './credentials.ts'
import type { Database } from './database.ts'
import { Datastore } from './datastore.ts'
import { registrar } from './hook-lists.ts'
import type { Env, HookLists, RouteContext, Router } from './hooks.ts'
import { createIdentify } from './identity.ts'
import type { Log } from './log.ts'
import { login } from './login.ts'
import type { Passwords } from './passwords.ts'
import { register } from './register.ts'
import setup from './setup.ts'
import { createIssueToken, type IssueToken } from './tokens.ts'

/** What the app is made of. */
export interface Parts {
  readonly config: Config
  readonly log: Log
  readonly database: Database
  readonly credentials: Credentials
  readonly passwords: Passwords
}

/** What the endpoints work with. */
export interface Dependencies {
  readonly env: Env
  readonly lists: HookLists
  readonly passwords: Passwords
  readonly issue: IssueToken
}

export type RequestContext = Context<RouteContext>

/** Runs setup.ts, then puts its routes before the generated ones. Throws what setup.ts throws. */
export async function createApp({ config, log, database, credentials, passwords }: Parts): Promise<Router> {
  const lists: HookLists = { beforeRegister: [], afterRegister: [], beforeLogin: [], afterLogin: [] }
  const datastore = new Datastore(database.drizzle)
  const env: Env = { config, datastore, hooks: registrar(lists), log, passwords }
  const dependencies: Dependencies = { env, lists, passwords, issue: createIssueToken(credentials) }
  const identify = createIdentify(credentials)

  const router: Router = new Hono<RouteContext>()
  // Whichever of the two it takes, at once or by and by.
  const prepare: (env: Env, router: Router) => unknown = setup
  await prepare(env, router)

  const app = new Hono<RouteContext>()
  app.use(async (c, next) => {
    c.set('caller', await identify(c.req.header('authorization')))
    c.set('fail', answerError)
    await next()
  })
  app.route('/', router)
  app.post('/auth/register', (c) => register(c, dependencies))
  app.post('/auth/login', (c) => login(c, dependencies))
  app.notFound(answerUnmatched(app))
  app.onError(answerFailure('Auth', log))
  return app
}
