import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { freePort } from '../../free-port.ts'
import { databaseDirectory, freshDatabase, setHostileSettings, type TestDatabase } from '../../postgres.ts'
import { inLanguage, platformOf, setupPath } from '../../emit/platform.ts'
import { type ServiceProcess, startService } from '../../emit/service-process.ts'

const FILES = emitProject(
  platformOf(`P: project {}
Home: service {
  name: string(80) @unique;
  rate: float;
  seen: datetime;
  plan: data(1K);
  #enumerable(filter: [rate], sort: [name]);
  Photo: struct { url: string; home: Home?; #enumerable; }
}`),
)
/** The hook makes a transaction of each create. */
const SETUP = inLanguage({
  typescript: `import type { Env } from './hooks.ts'
export default function setup(env: Env): void {
  env.hooks.beforeCreate(async (env) => void (await env.datastore.listHome({ limit: 1 })))
}`,
  go: `package main

import (
	"context"

	"example.com/p/internal/platform"
)

func setup(_ context.Context, env *Env, _ *platform.Router) error {
	env.Hooks.BeforeCreate.Add(
		func(ctx context.Context, env *Env, _ HomeRequest, _ *Home, _ platform.Caller) error {
			_, err := env.Datastore.ListHome(ctx, HomeQuery{ListQuery: platform.ListQuery{Limit: 1}})
			return err
		})
	return nil
}
`,
})

const discarded: (() => unknown)[] = []
let database: TestDatabase
let pooler: string

/** Debian's PgBouncer in transaction mode, with two connections to the server. */
async function startPooler({ url, name, password }: TestDatabase): Promise<string> {
  const directory = await databaseDirectory()
  const { port } = new URL(url)
  const listening = await freePort()
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: listening,
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: path.join(directory, 'users.txt'),
    pool_mode: 'transaction',
    default_pool_size: 2,
  }
  const lines = Object.entries(settings).map((setting) => setting.join(' = '))
  const file = path.join(directory, 'pgbouncer.ini')
  await writeFile(file, `[databases]\n* = host=127.0.0.1 port=${port}\n[pgbouncer]\n${lines.join('\n')}\n`)
  await writeFile(settings.auth_file, `"${name}" "${password}"\n`)
  await Promise.all([file, settings.auth_file].map((each) => chmod(each, 0o644)))
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' })
  discarded.push(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  await vi.waitUntil(async () => {
    const socket = connect(listening, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  }, 10_000)
  const pooled = new URL(url)
  pooled.host = `127.0.0.1:${listening}`
  return pooled.href
}

beforeAll(async () => {
  database = await freshDatabase()
  discarded.push(() => database.drop())
  await setHostileSettings(database)
  pooler = await startPooler(database)
})
afterAll(async () => {
  for (const discard of discarded.toReversed()) await discard()
})

test('a pooler that refuses parameters is named, with what to set', async () => {
  const env = { DATABASE_URL: pooler, DATABASE_DIRECT_URL: database.url }
  const service = await startService(FILES, 'home', env, {}, 'DATABASE_POOLER')
  expect(service.output.text).toContain('set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL')
  await service.discard()
})

test('a service works behind PgBouncer in transaction mode', async () => {
  const env = { DATABASE_URL: pooler, DATABASE_DIRECT_URL: database.url, DATABASE_POOLER: 'transaction' }
  const service: ServiceProcess = await startService(FILES, 'home', env, { [setupPath('home')]: SETUP })
  discarded.push(() => service.discard())
  const send = async (method: string, at: string, body?: object) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${service.url}${at}`, { method, ...init })
    return [response.status, await response.json()] as [number, Record<string, unknown>]
  }
  const values = { rate: 0.1, seen: '2026-11-28T01:02:03.000004Z', plan: 'AAEC/w==' }
  // More at a time than the pooler has connections.
  const client = async (number: number) => {
    for (const index of [1, 2, 3]) {
      const home = { name: `home ${number} ${index}`, ...values }
      const [status, created] = await send('POST', '/home', home)
      expect([status, created]).toEqual([201, { id: created['id'], ...home }])
      const at = `/home/${String(created['id'])}`
      expect(await send('GET', at)).toEqual([200, created])
      expect((await send('PUT', at, { ...home, rate: 2 }))[0]).toBe(200)
      expect((await send('PATCH', at, { rate: 3 }))[1]).toEqual({ ...created, rate: 3 })
      expect((await send('POST', `${at}/photo`, { url: 'u', home: null }))[0]).toBe(201)
      expect((await send('GET', `${at}/photo/all`))[1]['PhotoList']).toHaveLength(1)
    }
  }
  await Promise.all([1, 2, 3, 4, 5, 6].map(client))
  const lists = ['/home/all', '/home/all?rate=3', '/home/all?sort=-name']
  for (const [status, list] of await Promise.all(lists.map((at) => send('GET', at))))
    expect([status, (list['HomeList'] as unknown[]).length]).toEqual([200, 18])
  const settings = await database.sql<{ setting: string }[]>`
    SELECT unnest(setconfig) AS setting FROM pg_db_role_setting WHERE setrole = current_user::regrole`
  expect(settings.map(({ setting }) => setting)).toEqual(
    expect.arrayContaining(['TimeZone=UTC', 'statement_timeout=4000', 'extra_float_digits=1']),
  )
})

test('DATABASE_POOLER requires DATABASE_DIRECT_URL', async () => {
  const env = { DATABASE_POOLER: 'transaction' }
  const start = startService(FILES, 'home', env)
  await expect(start).rejects.toThrow('DATABASE_DIRECT_URL')
})
