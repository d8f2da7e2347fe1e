import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmbeddedPlatform } from '../../../src/dev/platform.ts'
import type { ErrorKind, Result } from '../../../templates/client/typescript/src/result.ts'
import type { Pages } from '../../../templates/client/typescript/src/pages.ts'
import type { Session } from '../../../templates/client/typescript/src/session.ts'
import { createWorkplace, type Workplace } from '../../dev/run-platform.ts'
import { type GeneratedClient, generateClient } from '../../client/generated-client.ts'
import { runProgram } from '../../client/run-program.ts'

const DEFINITION = `Shop: project { #authMethod(email); }
Owner: service { name: string(9, 1) @unique; #auth; }
Visitor: service { name: string(9, 1); #auth; #omit[read]; }
Thing: service {
  owner: Owner; count: int(5, 1);
  Note: struct { text: string(9, 1); #enumerable; }
  #enumerable; #readable(by: all);
}
Part: service {
  kind: enum(small, large); weight: decimal(max: 99); due: date?; mark: string(9)?;
  #enumerable(filter: [kind, weight, due, mark], sort: [weight]); #readable(by: all); #versioned; #idempotent;
}`

interface Thing {
  readonly id: string
  readonly owner: string
  readonly count: number
}
interface Part {
  readonly id: string
  readonly kind: 'small' | 'large'
  readonly weight: string
  readonly due: string | null
}
interface Note {
  readonly id: string
  readonly text: string
}
interface Call {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}
interface Client extends Session {
  createOwner(request: { name: string }): Promise<Result<{ id: string }>>
  identifyOwner(): Promise<Result<{ id: string; name: string }>>
  createVisitor(request: { name: string }): Promise<Result<{ id: string }>>
  identifyVisitor(): Promise<Result<string>>
  createThing(request: { owner: string; count: number }, call?: Call): Promise<Result<Thing>>
  readThing(id: string, call?: Call): Promise<Result<Thing>>
  updateThing(id: string, request: { owner: string; count: number }): Promise<Result<Thing>>
  deleteThing(id: string): Promise<Result<void>>
  listThing(options?: Call & { pageSize?: number; after?: string; ids?: readonly string[] }): Pages<Thing>
  createPart(request: Omit<Part, 'id' | 'due'> & { due?: string; mark?: string }): Promise<Result<Part>>
  readPart(id: string): Promise<Result<Part>>
  patchPart(id: string | Part, changes: Partial<Part>): Promise<Result<Part>>
  deletePart(id: string | Part): Promise<Result<void>>
  listPart(options?: { pageSize?: number; filter?: object; sort?: string; total?: boolean }): Pages<Part>
  createNote(thingId: string, request: { text: string }): Promise<Result<Note>>
  readNote(thingId: string, id: string): Promise<Result<Note>>
  updateNote(thingId: string, id: string, request: { text: string }): Promise<Result<Note>>
  deleteNote(thingId: string, id: string): Promise<Result<void>>
  listNote(thingId: string): Pages<Note>
}
interface Options {
  readonly gateway: string
  readonly token?: string
  readonly credentials?: { readonly email: string; readonly password: string }
  readonly timeoutMs?: number
  readonly fetch?: typeof fetch
}

let workplace: Workplace
let platform: EmbeddedPlatform
let generated: GeneratedClient
let createClient: (options: Options) => Client
let users = 0

beforeAll(async () => {
  workplace = await createWorkplace(DEFINITION)
  platform = await workplace.start()
  generated = await generateClient(DEFINITION)
  createClient = (await generated.compile())['createClient'] as typeof createClient
})
afterAll(async () => {
  await workplace?.close()
  await generated?.discard()
})

function credentials() {
  users += 1
  return { email: `user${users}@example.com`, password: 'long enough' }
}

function client(options: Partial<Options> = {}): Client {
  return createClient({ gateway: `http://${platform.gateway}`, ...options })
}

function value<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.message}`)
  return result.value
}

function errorOf(result: Result<unknown>): [kind: ErrorKind, message: string, status: number | undefined] {
  if (result.ok) throw new Error('Expected an error')
  const { kind, message, status } = result.error
  return [kind, message, status]
}

/** A client that is signed in, with a Thing's owner. */
async function signedIn(): Promise<{ shop: Client; owner: string }> {
  const shop = client()
  value(await shop.register(credentials()))
  const { id } = value(await shop.createOwner({ name: `Owner ${users}` }))
  return { shop, owner: id }
}

/** `fetch` that notes the path of each request. */
function noting(): { readonly paths: string[]; readonly fetch: typeof fetch } {
  const paths: string[] = []
  return {
    paths,
    fetch: (input, init) => {
      const url = typeof input === 'string' || input instanceof URL ? input : input.url
      paths.push(`${init?.method} ${new URL(url).pathname}`)
      return fetch(input, init)
    },
  }
}

test('a create whose response is lost is repeated, and makes one entity', async () => {
  const token = (await signedIn()).shop.token()
  const keys: (string | null)[] = []
  const lossy: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (init?.method !== 'POST') return response
    keys.push(new Headers(init.headers).get('idempotency-key'))
    if (keys.length < 3) throw new TypeError('fetch failed')
    return response
  }
  const shop = client({ fetch: lossy, ...(token === undefined ? {} : { token }) })
  const { id } = value(await shop.createPart({ kind: 'small', weight: '7.77' }))
  expect(keys).toEqual([expect.stringMatching(/^[\d-]+$/), keys[0], keys[0]])
  const found = value(await shop.listPart({ filter: { weight: '7.77' } }).all())
  expect(found.map((part) => part.id)).toEqual([id])
  const other = value(await shop.createPart({ kind: 'small', weight: '7.77' }))
  expect(keys[3]).not.toBe(keys[0])
  for (const each of [id, other.id]) value(await shop.deletePart(each))
})

test('an entity that was read is changed only if nobody else has changed it', async () => {
  const { shop } = await signedIn()
  const created = value(await shop.createPart({ kind: 'small', weight: '1.00' }))
  const read = value(await shop.readPart(created.id))
  const first = value(await shop.patchPart(created, { kind: 'large' }))
  expect(errorOf(await shop.patchPart(read, { weight: '2.00' }))).toEqual([
    'changed',
    'Part has changed',
    412,
  ])
  expect(value(await shop.patchPart(first, { weight: '3.00' }))).toMatchObject({ weight: '3.00' })
  expect(errorOf(await shop.deletePart(first))).toEqual(['changed', 'Part has changed', 412])
  expect(errorOf(await shop.deletePart({ ...first }))[0]).toBe('invalid')
  value(await shop.deletePart(first.id))
})

test('an entity is created, read, updated and deleted', async () => {
  const { shop, owner } = await signedIn()
  const thing = value(await shop.createThing({ owner, count: 1 }))
  expect(thing).toEqual({ id: expect.any(String), owner, count: 1 })
  expect(value(await shop.readThing(thing.id))).toEqual(thing)
  expect(value(await shop.updateThing(thing.id, { owner, count: 2 }))).toEqual({ ...thing, count: 2 })
  value(await shop.deleteThing(thing.id))
  expect(errorOf(await shop.readThing(thing.id))).toEqual(['notFound', `Thing not found: ${thing.id}`, 404])
})

test('entries of a struct are created, read, updated and deleted', async () => {
  const { shop, owner } = await signedIn()
  const { id } = value(await shop.createThing({ owner, count: 1 }))
  const note = value(await shop.createNote(id, { text: 'One' }))
  expect(value(await shop.readNote(id, note.id))).toEqual(note)
  value(await shop.updateNote(id, note.id, { text: 'Two' }))
  expect(value(await shop.listNote(id).all())).toEqual([{ id: note.id, text: 'Two' }])
  value(await shop.deleteNote(id, note.id))
  expect(value(await shop.listNote(id).all())).toEqual([])
})

test("the caller's own entity is found, or its id if it cannot be read", async () => {
  const { shop, owner } = await signedIn()
  expect(value(await shop.identifyOwner()).id).toBe(owner)
  expect(errorOf(await shop.identifyVisitor())[0]).toBe('notFound')
  const visitor = value(await shop.createVisitor({ name: 'Ann' }))
  expect(value(await shop.identifyVisitor())).toBe(visitor.id)
})

describe('a list', () => {
  let shop: Client
  let things: Thing[]
  beforeAll(async () => {
    const { shop: signed, owner } = await signedIn()
    shop = signed
    for (const count of [1, 2, 3, 4, 5]) value(await shop.createThing({ owner, count }))
    things = value(await shop.listThing().all())
  })

  test.each([1, 2, 5, 100])('is read in pages of %i', async (pageSize) => {
    const read: Thing[] = []
    for await (const result of shop.listThing({ pageSize })) read.push(value(result))
    expect(read).toEqual(things)
  })

  test('begins after an entity', async () => {
    const page = value(await shop.listThing({ pageSize: 2, after: things[0]?.id ?? '' }).page())
    expect(page).toEqual({ entities: things.slice(1, 3), next: things[2]?.id })
  })

  test('has only the entities with some ids', async () => {
    const [first, second, third] = things
    const ids = [third?.id ?? '', 'f'.repeat(8) + (first?.id.slice(8) ?? ''), first?.id ?? '']
    const read: Thing[] = []
    for await (const result of shop.listThing({ ids, pageSize: 1 })) read.push(value(result))
    expect(read).toEqual([first, third])
    expect(value(await shop.listThing({ ids: [second?.id ?? ''] }).all())).toEqual([second])
    expect(value(await shop.listThing({ ids: [] }).all())).toEqual([])
    expect(await shop.listThing({ ids: ['x'] }).page()).toMatchObject({
      ok: false,
      error: { kind: 'invalid' },
    })
  })

  test('is filtered, sorted and counted', async () => {
    const weights = ['9.50', '10.00', '0.05', '7.25', '7.25']
    for (const [index, weight] of weights.entries()) {
      const kind = index < 4 ? 'large' : 'small'
      value(
        await shop.createPart({ kind, weight, ...(index === 0 ? { due: '2026-01-31', mark: 'null' } : {}) }),
      )
    }
    const weightsOf = async (options: Parameters<Client['listPart']>[0]): Promise<string[]> => {
      const read: string[] = []
      for await (const result of shop.listPart(options)) read.push(value(result).weight)
      return read
    }
    expect(await weightsOf({ sort: 'weight', pageSize: 2 })).toEqual([
      '0.05',
      '7.25',
      '7.25',
      '9.50',
      '10.00',
    ])
    expect(await weightsOf({ filter: { kind: 'large' }, sort: '-weight', pageSize: 1 })).toEqual([
      '10.00',
      '9.50',
      '7.25',
      '0.05',
    ])
    expect(await weightsOf({ filter: { 'kind[in]': ['small'] } })).toEqual(['7.25'])
    expect(await weightsOf({ filter: { 'weight[gt]': '7.25', due: null } })).toEqual(['10.00'])
    expect(await weightsOf({ filter: { 'due[lte]': '2026-02-01' } })).toEqual(['9.50'])
    expect(await weightsOf({ filter: { mark: 'null' } })).toEqual(['9.50'])
    const page = value(await shop.listPart({ filter: { kind: 'large' }, pageSize: 1, total: true }).page())
    expect(page.total).toBe(4)
  })

  test('ends with the error of a failed page', async () => {
    const results: string[] = []
    for await (const result of client().listThing()) results.push(result.ok ? 'ok' : result.error.kind)
    expect(results).toEqual(['unauthorized'])
  })
})

describe('errors are values', () => {
  test('of the service and of the gateway', async () => {
    const { shop, owner } = await signedIn()
    expect(errorOf(await shop.createThing({ owner, count: 6 }))).toEqual([
      'invalid',
      'Invalid request parameter count: must be an integer from 1 to 5',
      400,
    ])
    expect(errorOf(await shop.createOwner({ name: 'Another' }))).toEqual([
      'conflict',
      'Duplicate Owner found',
      409,
    ])
    const { id } = value(await shop.createThing({ owner, count: 1 }))
    const { shop: other } = await signedIn()
    expect(errorOf(await other.deleteThing(id))).toEqual(['forbidden', 'Forbidden', 403])
    expect(errorOf(await client().readThing(id))).toEqual(['unauthorized', 'Unauthorized', 401])
    expect(errorOf(await shop.readThing('a/../b'))[0]).toBe('invalid')
    const known = credentials()
    value(await shop.register(known))
    expect(errorOf(await client().register(known))).toEqual(['conflict', 'auth already exists', 409])
    expect(errorOf(await client().login({ ...known, password: 'something else' }))).toEqual([
      'unauthorized',
      'Invalid email or password',
      401,
    ])
  })

  test('of a platform that is unreachable or does not respond in time', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const gateway = `http://127.0.0.1:${port}`
    const unanswered = client({ gateway, timeoutMs: 50 })
    expect(errorOf(await unanswered.readThing('a'))).toEqual([
      'timeout',
      'No response within 50 ms',
      undefined,
    ])
    const controller = new AbortController()
    const waiting = client({ gateway }).readThing('a', { signal: controller.signal })
    controller.abort()
    expect(errorOf(await waiting)[0]).toBe('aborted')
    expect(errorOf(await client().readThing('a', { signal: AbortSignal.abort() }))[0]).toBe('aborted')
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => silent.close(resolve))
    expect(errorOf(await client({ gateway }).readThing('a'))[0]).toBe('unreachable')
  })
})

describe('a rejected token', () => {
  test('is renewed once for all requests, which are then repeated', async () => {
    const known = credentials()
    value(await client().register(known))
    const { paths, fetch: counted } = noting()
    const shop = client({ token: 'a.b.c', credentials: known, fetch: counted })
    const results = await Promise.all([1, 2, 3].map(() => shop.listThing().all()))
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(paths.filter((name) => name === 'POST /api/auth/login')).toHaveLength(1)
    expect(paths.filter((name) => name === 'GET /api/thing/all')).toHaveLength(6)
    expect(shop.token()?.split('.')).toHaveLength(3)
  })

  test('causes one attempt if signing in fails too', async () => {
    const { paths, fetch: counted } = noting()
    const shop = client({ token: 'a.b.c', credentials: credentials(), fetch: counted })
    expect(errorOf(await shop.readThing('a'))[0]).toBe('unauthorized')
    expect(paths).toEqual(['GET /api/thing/a', 'POST /api/auth/login'])
  })

  test('is final after signing out', async () => {
    const { paths, fetch: counted } = noting()
    const shop = client({ fetch: counted })
    value(await shop.register(credentials()))
    shop.signOut()
    expect(shop.token()).toBeUndefined()
    expect(errorOf(await shop.readThing('a'))[0]).toBe('unauthorized')
    expect(paths).toEqual(['POST /api/auth/register', 'GET /api/thing/a'])
  })
})

test('the example in the README of the package works', async () => {
  const text = await readFile(path.join(generated.directory, 'README.md'), 'utf8')
  const code = /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  const file = path.join(generated.directory, 'example.mts')
  await writeFile(
    file,
    code
      .replace("'shop-client'", "'./dist/index.js'")
      .replace('http://localhost:8080', `http://${platform.gateway}`),
  )
  expect(await runProgram(process.execPath, [file])).toMatch(/^[0-9a-f-]{36}\n/)
})
