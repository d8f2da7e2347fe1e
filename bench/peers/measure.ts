import { type ChildProcess, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figure } from '../figures.ts'
import { end, startProgram } from '../processes.ts'
import { freePort, listening, type MeasuredPlatform, measuredPlatform } from '../service/platform.ts'
import {
  type Call,
  compare,
  OTHER_CORE,
  put,
  type Requests,
  type Round,
  SERVICE_CORE,
  takeTurns,
  WARM_UP_CONNECTIONS,
} from '../service/throughput.ts'

const WARM_UP_MS = 20_000
const ROUNDS = 5
const ROUND_MS = 3000
const ROWS = 1000

/** A service that is measured. */
interface Peer {
  readonly pid: number
  readonly port: number
  readonly token: string
  readonly operations: Readonly<Record<(typeof OPERATIONS)[number], Requests>>
}

const OPERATIONS = ['read', 'list of 100', 'create'] as const
const PEERS = ['NestJS and Prisma', 'PocketBase'] as const
const LANGUAGES = ['TypeScript', 'Go'] as const
type Name = (typeof PEERS)[number] | (typeof LANGUAGES)[number]

const THING = {
  title: 'A thing to create',
  amount: 12,
  price: 3.5,
  due: '2026-05-04',
  startsAt: '2026-05-04T12:00:00+02:00',
  active: true,
}

/** Compares the generated service of one entity with the same one on NestJS and Prisma, and on PocketBase. */
export async function measurePeers(): Promise<Figure[]> {
  const nest = join(import.meta.dirname, 'nest')
  const binary = join(import.meta.dirname, 'pocketbase/dist/pocketbase')
  install(nest, binary)
  const platform = await measuredPlatform({ databaseCore: OTHER_CORE, go: true })
  const children: ChildProcess[] = []
  const data = mkdtempSync(join(tmpdir(), 'portico-pocketbase-'))
  /** Starts a program, to which it gives a free port. */
  async function start(program: string, args: (port: number) => string[], env: NodeJS.ProcessEnv = {}) {
    const port = await freePort()
    const child = startProgram(program, args(port), {
      core: SERVICE_CORE,
      stdout: 'ignore',
      env: { ...env, PORT: String(port) },
    })
    children.push(child)
    await listening(port, child)
    return { pid: child.pid ?? 0, port }
  }

  try {
    const { id: owner, token } = await platform.token()
    const operations = await operationsOnPostgres(platform, owner)
    const onPostgres = async (started: Promise<{ pid: number; port: number }>): Promise<Peer> => ({
      ...(await started),
      token,
      operations,
    })
    const peers: Readonly<Record<Name, Peer>> = {
      TypeScript: await onPostgres(platform.start('thing', { core: SERVICE_CORE, variant: 'typescript' })),
      Go: await onPostgres(platform.start('thing', { core: SERVICE_CORE, variant: 'go' })),
      'NestJS and Prisma': await onPostgres(
        start(process.execPath, () => [join(nest, 'dist/main.js')], {
          NODE_ENV: 'production',
          DATABASE_URL: platform.url('thing'),
          JWT_SECRET: platform.secret,
        }),
      ),
      PocketBase: await pocketBase(
        await start(binary, (port) => ['serve', '--dir', data, '--http', `127.0.0.1:${port}`]),
      ),
    }
    const figures: Figure[] = []
    for (const what of OPERATIONS) {
      const names = Object.keys(peers) as Name[]
      const measure = (name: Name, milliseconds: number, connections?: number) => {
        const peer = peers[name]
        return put(peer, peer.operations[what], peer.token, milliseconds, connections)
      }
      await Promise.all(names.map((name) => measure(name, WARM_UP_MS, WARM_UP_CONNECTIONS)))
      const turns = await takeTurns(names, ROUNDS, (name) => measure(name, ROUND_MS))
      for (const peer of PEERS)
        for (const language of LANGUAGES)
          figures.push(
            {
              what: `${what} in ${language}, requests per second relative to ${peer}`,
              must: undefined,
              ...compare(turns, language, peer, ({ perSecond }: Round) => perSecond, 'per second'),
            },
            {
              what: `${what} in ${language}, CPU time per request relative to ${peer}`,
              must: undefined,
              ...compare(turns, language, peer, ({ processorMs }: Round) => processorMs * 1000, 'µs'),
            },
          )
      console.error(`  ${what}: measured`)
    }
    return figures
  } finally {
    await Promise.all(children.map(end))
    rmSync(data, { recursive: true, force: true })
    await platform.stop()
  }
}

/** Installs and builds both. The engine that Prisma would download is for migrations, which Portico's replace here. */
function install(nest: string, binary: string): void {
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CGO_ENABLED: '0' }
  const run = (program: string, args: string[], cwd: string) =>
    execFileSync(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (!existsSync(join(nest, 'node_modules')))
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], nest)
  run('npm', ['run', 'build'], nest)
  run('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', binary, '.'], join(nest, '../pocketbase'))
}

async function operationsOnPostgres(platform: MeasuredPlatform, owner: string): Promise<Peer['operations']> {
  const rows = await platform.database('thing')<{ id: string }[]>`
    INSERT INTO thing (id, _owner, title, amount, price, due, starts_at, active)
    SELECT uuidv7(), ${owner}, 'Thing number ' || n, n, n * 1.25, '2026-05-04', '2026-05-04T10:00:00Z', n % 2 = 0
    FROM generate_series(1, ${ROWS}::int) n RETURNING id`
  return operationsOf(
    rows.map(({ id }) => `/thing/${id}`),
    '/thing/all?limit=100',
    { method: 'POST', path: '/thing', body: THING },
    201,
  )
}

/** Logs in as the user of the migration, and creates the records. */
async function pocketBase({ pid, port }: { pid: number; port: number }): Promise<Peer> {
  const request = async (path: string, body: object, token = '') => {
    const response = await fetch(`http://127.0.0.1:${port}/api/collections/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: token },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`PocketBase: ${path} returned ${response.status}`)
    return (await response.json()) as { id: string; token: string; record: { id: string } }
  }
  const credentials = { identity: 'one@example.com', password: 'long enough' }
  const { token, record } = await request('users/auth-with-password', credentials)
  const body = { ...THING, owner: record.id }
  const path = '/api/collections/thing/records'
  const reads: string[] = []
  for (let number = 0; number < ROWS; number++)
    reads.push(`${path}/${(await request('thing/records', body, token)).id}`)
  const list = `${path}?perPage=100&sort=id&skipTotal=1`
  return { pid, port, token, operations: operationsOf(reads, list, { method: 'POST', path, body }, 200) }
}

function operationsOf(
  reads: readonly string[],
  list: string,
  create: Call,
  created: number,
): Peer['operations'] {
  return {
    read: { requests: reads.map((path) => ({ method: 'GET', path })), status: 200 },
    'list of 100': { requests: [{ method: 'GET', path: list }], status: 200 },
    create: { requests: [create], status: created },
  }
}
