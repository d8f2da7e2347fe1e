import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type ApiEnv, type Conflicts, violation } from './api.ts'
import type { DatabaseOf } from './database.ts'
import { badRequest, conflict } from './errors.ts'
import { beforeLastStatement } from './hooks.ts'
import { NIL_UUID } from './values.ts'

type Database = DatabaseOf<Record<string, unknown>>

/** The part of the environment that requests with a key need. */
interface KeyEnv<Env> {
  readonly datastore: { readonly db: Database }
  readonly conflicts: Conflicts
  transaction<Result>(work: (env: Env) => Promise<Result>): Promise<Result>
}

/** A request that runs. After 30 s, another one with the same key may take its place. */
interface Claim {
  readonly caller: string
  readonly key: string
  readonly hash: Buffer
  readonly claim: string
}

interface StoredResponse extends Record<string, unknown> {
  readonly claimed: boolean
  readonly same: boolean | null
  readonly status: number | null
  readonly headers: string | null
  readonly body: string | null
}

/** The headers that belong to a stored response. */
const STORED = ['content-type', 'location', 'etag']

const KEY = /^[\x21-\x7e]{1,255}$/

/**
 * Runs a create. With an `Idempotency-Key`, it runs once: its response is stored in its transaction, or after it failed
 * because of a rule, and is returned again for 24 hours.
 */
export async function withKey<E extends ApiEnv, Env extends KeyEnv<Env>>(
  c: Context<E>,
  env: Env,
  create: (env: Env) => Promise<Response>,
): Promise<Response> {
  const key = c.req.header('idempotency-key')
  if (key === undefined) return create(env)
  if (!KEY.test(key)) throw badRequest('Idempotency-Key must have 1 to 255 visible characters')
  const { db } = env.datastore
  const body = Buffer.from(await c.req.arrayBuffer())
  const hash = createHash('sha256').update(`${c.req.path}\n`).update(body).digest()
  const request = { caller: c.var.caller?.id ?? NIL_UUID, key, hash, claim: randomUUID() }
  const earlier = await claim(c, db, request)
  if (earlier !== undefined) return earlier
  try {
    return await env.transaction(async (inner) => {
      const response = await beforeLastStatement(() => create(inner))
      if (!(await store(inner.datastore.db, request, response)))
        throw conflict('A request with this Idempotency-Key is still running')
      return response
    })
  } catch (error) {
    const rejection = rejectionOf(error, env.conflicts)
    if (rejection === undefined) await release(db, request).catch(() => {})
    else await store(db, request, rejection)
    throw error
  }
}

/** Claims a key, and removes some that have expired. Returns the response of an earlier request. */
async function claim(c: Context, db: Database, request: Claim): Promise<Response | undefined> {
  const { caller, key, hash, claim: id } = request
  const { rows } = await db.execute<StoredResponse>(sql`
    with claimed as (
      insert into _keys as k (caller, key, hash, claim, expires)
      values (${caller}, ${key}, ${hash}, ${id}, now() + interval '30 s')
      on conflict (caller, key) do update
      set hash = excluded.hash, claim = excluded.claim, expires = excluded.expires,
        status = null, headers = null, body = null
      where k.expires < now()
      returning 1
    ), removed as (
      delete from _keys where (caller, key) in (
        select caller, key from _keys
        where expires < now() and (caller, key) <> (${caller}, ${key})
        order by expires limit 10 for update skip locked
      )
    )
    select exists (select from claimed) as claimed, hash = ${hash} as same, status, headers, body
    from (select) as one left join _keys on caller = ${caller} and key = ${key}`)
  const [found] = rows
  if (found === undefined || found.claimed) return undefined
  // The other request was stored after the statement began.
  if (found.same === null) return claim(c, db, request)
  if (!found.same) throw new HTTPException(422, { message: 'Idempotency-Key was used for another request' })
  if (found.status === null) throw conflict('A request with this Idempotency-Key is still running')
  const headers: Record<string, string> = JSON.parse(found.headers ?? '{}')
  return c.body(found.body ?? '', found.status as ContentfulStatusCode, headers)
}

/** Stores the response. Returns false if another request has taken the place of this one. */
async function store(db: Database, { caller, key, claim: id }: Claim, response: Response): Promise<boolean> {
  const { status } = response
  const headers = JSON.stringify(
    Object.fromEntries(
      STORED.flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    ),
  )
  const body = await response.clone().text()
  const { rowCount } = await db.execute(sql`
    update _keys set status = ${status}, headers = ${headers}, body = ${body}, expires = now() + interval '24 hours'
    where caller = ${caller} and key = ${key} and claim = ${id}`)
  return rowCount === 1
}

/** Lets the request be sent again at once. */
const release = (db: Database, { caller, key, claim: id }: Claim) =>
  db.execute(sql`delete from _keys where caller = ${caller} and key = ${key} and claim = ${id}`)

/** The response for a request that a rule of the service refuses; `undefined` for failures. */
function rejectionOf(error: unknown, conflicts: Conflicts): Response | undefined {
  const violated = violation(error, conflicts)
  if (violated !== undefined) return Response.json(violated[0], { status: violated[1] })
  if (!(error instanceof HTTPException) || error.status < 400 || error.status > 499) return undefined
  return error.res === undefined
    ? Response.json({ error: error.message }, { status: error.status })
    : error.getResponse()
}
