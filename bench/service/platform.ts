import type { ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SignJWT } from 'jose'
import postgres from 'postgres'
import { compile } from '../../src/compile.ts'
import type { Language, Platform } from '../../src/model/platform.ts'
import { applyMigrations } from '../../templates/typescript/lib/migrate.ts'
import { startPostgres } from '../../src/dev/postgres.ts'
import { CREDENTIAL_SLOTS } from '../../src/emit/gateway/token-filter.ts'
import { end, pin, PORTICO, runNode, startProgram, WORK } from '../processes.ts'
import { buildGo } from './go.ts'

/** One service that runs in a process of its own. */
export interface MeasuredService {
  readonly pid: number
  readonly port: number
  readonly internalPort: number
  /** Whether it has not ended by itself. */
  isRunning(): boolean
  stop(): Promise<void>
}

/** How a service is written: generated in a language, or the same endpoints by hand. */
export type Variant = 'typescript' | 'typescript by hand' | 'go' | 'go by hand'

/** The generated services of measured.portico and their hand-written twins, on one Postgres, without a gateway. */
export interface MeasuredPlatform {
  /** The secret of the gateway's credential. */
  readonly secret: string
  /** A token of a new caller. */
  token(): Promise<{ readonly id: string; readonly token: string }>
  /** The URL of a service's database. */
  url(name: string): string
  /** A client of a service's database. */
  database(name: string): postgres.Sql
  /** Starts a service by its directory. `references`, written by hand in Go, can take the place of those that are called. */
  start(service: string, options?: StartOptions): Promise<MeasuredService>
  /** Returns how long a generated service takes from the start of its process until it is ready, in ms. */
  startTime(service: string, variant: Variant): Promise<number>
  stop(): Promise<void>
}

export interface StartOptions {
  /** In TypeScript, if none is given. */
  readonly variant?: Variant
  /** Start the same service with `#metrics(prometheus)`. */
  readonly metrics?: boolean
  /** The core to run on. */
  readonly core?: number
  /** Services that it calls. */
  readonly calls?: Readonly<Record<string, MeasuredService>>
  /** Further environment variables. */
  readonly environment?: Readonly<Record<string, string>>
}

const DEFINITION = join(import.meta.dirname, 'measured.portico')
const DATABASES = ['account', 'place', 'thing', 'link', 'step', 'document', 'ticket', 'auth']
/** The hook of Step: a query in the transaction of each create. */
const STEP_SETUP = `import { type Env, HookError } from './hooks.ts'

export default function setup(env: Env) {
  env.hooks.beforeCreate(async ({ datastore }, { previous }) => {
    if ((await datastore.readStep({ id: previous })) === undefined)
      return new HookError(409, 'No such previous step')
  })
}
`

/** The hook of Thing, which uses no database, for those services whose environment wants it. */
const THING_SETUP = `import type { Env } from './hooks.ts'

export default function setup(env: Env) {
  if (process.env['HOOKED'] === undefined) return
  env.hooks.beforeCreate((_env, _request, input) => {
    input.title = input.title.trim()
    input.amount += 1
  })
}
`

/** Returns the definition with a declaration in its project. */
function definitionWith(metadata: string): string {
  return readFileSync(DEFINITION, 'utf8').replace(': project {', `: project { ${metadata};`)
}

/** Returns the model of the measured platform, with all services in one language. */
export function measuredModel(language: Language = 'typescript'): Platform {
  const { platform } = compile(definitionWith(`#language(${language})`))
  if (platform === undefined) throw new Error(`${DEFINITION} has errors`)
  return platform
}

/**
 * Generates the platform, starts Postgres, on a core if one is given, and makes the databases. With `go`, services in Go
 * can be started too.
 */
export async function measuredPlatform({
  databaseCore,
  go = false,
}: {
  readonly databaseCore?: number
  readonly go?: boolean
} = {}): Promise<MeasuredPlatform> {
  rmSync(WORK, { recursive: true, force: true })
  mkdirSync(WORK)
  const output = join(WORK, 'measured')
  await runNode([PORTICO, 'generate', DEFINITION, '--output', output, '--yes'])
  const outputWithMetrics = join(WORK, 'with-metrics')
  const withMetrics = join(WORK, 'with-metrics.portico')
  writeFileSync(withMetrics, definitionWith('#metrics(prometheus)'))
  await runNode([PORTICO, 'generate', withMetrics, '--output', outputWithMetrics, '--yes'])
  writeFileSync(join(output, 'step/src/setup.ts'), STEP_SETUP)
  writeFileSync(join(output, 'thing/src/setup.ts'), THING_SETUP)
  const binaries = go ? await buildGo(definitionWith('#language(go)'), WORK) : ''
  const server = await startPostgres({
    directory: join(WORK, 'database'),
    // What is compared are services, not how fast the disk confirms a commit.
    settings: { max_connections: '200', fsync: 'off', synchronous_commit: 'off' },
  })
  // Its first line is the id of the process from which those of connections are forked.
  const [postmaster] = readFileSync(join(server.directory, 'postmaster.pid'), 'utf8').split('\n')
  if (databaseCore !== undefined) pin(Number(postmaster), databaseCore)
  const urls = new Map<string, string>()
  const clients: postgres.Sql[] = []
  for (const name of DATABASES) {
    const { url } = await server.ensureDatabase(name)
    urls.set(name, url)
    await applyMigrations({
      connection: { connectionString: url },
      directory: join(output, `${name}-db/migrations`),
    })
  }
  // Under the name that the gateway of deployments takes.
  const credential = { id: CREDENTIAL_SLOTS[0], secret: randomBytes(32).toString('base64url') }
  const file = join(WORK, 'gateway-credentials.json')
  writeFileSync(file, JSON.stringify({ consumer: 'auth-service', credentials: [credential] }))
  const running = new Set<ChildProcess>()

  async function spawnService(service: string, options: StartOptions & { stdout: 'ignore' | 'pipe' }) {
    const { variant = 'typescript' } = options
    const port = await freePort()
    const internalPort = variant.endsWith('by hand') ? port : await freePort()
    const project = options.metrics ? outputWithMetrics : output
    const targets = Object.entries(options.calls ?? {}).map(([name, called]) => [
      `${name.toUpperCase()}_INTERNAL_URL`,
      `http://127.0.0.1:${called.internalPort}`,
    ])
    const programs: Readonly<Record<Variant, readonly [string, ...string[]]>> = {
      typescript: [
        process.execPath,
        '--import',
        join(project, 'lib/imports.ts'),
        join(project, service, 'src/main.ts'),
      ],
      'typescript by hand': [process.execPath, join(import.meta.dirname, `hand-written/${service}.ts`)],
      go: [join(binaries, service)],
      'go by hand': [join(binaries, 'hand-written-go'), service],
    }
    const [program, ...args] = programs[variant]
    const child = startProgram(program, args, {
      ...(options.core === undefined ? {} : { core: options.core }),
      stdout: options.stdout,
      env: {
        HOST: '127.0.0.1',
        PORT: String(port),
        INTERNAL_PORT: String(internalPort),
        METRICS_PORT: '0',
        DATABASE_URL: urls.get(service),
        GATEWAY_CREDENTIALS_FILE: file,
        DRAIN_MS: '0',
        // What generated services set themselves.
        ...(variant === 'go by hand' ? { GOGC: '400' } : {}),
        ...Object.fromEntries(targets),
        ...options.environment,
      },
    })
    running.add(child)
    const stop = async (): Promise<void> => {
      running.delete(child)
      await end(child)
    }
    const isRunning = () => child.exitCode === null && child.signalCode === null
    return { child, port, internalPort, isRunning, stop }
  }

  async function start(service: string, options: StartOptions = {}): Promise<MeasuredService> {
    const { child, ...started } = await spawnService(service, { ...options, stdout: 'ignore' })
    await listening(started.port, child)
    return { pid: child.pid ?? 0, ...started }
  }

  async function startTime(service: string, variant: Variant): Promise<number> {
    const begin = performance.now()
    const { child, stop } = await spawnService(service, { variant, stdout: 'pipe' })
    if (child.stdout === null) throw new Error('No output to read')
    let ms: number | undefined
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.includes('"message":"ready"')) continue
      ms = performance.now() - begin
      break
    }
    await stop()
    if (ms === undefined) throw new Error(`${service} did not start`)
    return ms
  }

  const urlOf = (name: string) => urls.get(name) ?? ''

  return {
    start,
    startTime,
    secret: credential.secret,
    token: async () => {
      const id = randomUUID()
      const jwt = new SignJWT({ id }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      const claims = jwt.setIssuer(credential.id).setIssuedAt().setExpirationTime('24h')
      return { id, token: await claims.sign(Buffer.from(credential.secret, 'base64url')) }
    },
    url: urlOf,
    database: (name) => {
      const sql = postgres(urlOf(name), { max: 1, onnotice: () => {} })
      clients.push(sql)
      return sql
    },
    stop: async () => {
      await Promise.all([...running].map(end))
      await Promise.all(clients.map((sql) => sql.end()))
      await server.stop()
      rmSync(server.directory, { recursive: true, force: true })
      rmSync(WORK, { recursive: true, force: true })
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port')
  return address.port
}

export async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}`)
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (response !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('The service does not listen')
}
