import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import { applyMigrations } from '../../templates/typescript/lib/migrate.ts'

/** A line of a service's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly level: string; readonly message: string }

/** A generated service that runs as in a deployment: `node --import ./lib/imports.ts home/src/main.ts`. */
export interface ServiceProcess {
  /** `http://127.0.0.1:...` of the API, without a slash at the end; empty while it does not listen. */
  readonly url: string
  /** The same of the second port. */
  readonly internalUrl: string
  /** Where it serves `/metrics`; empty without `#metrics`. */
  readonly metricsUrl: string
  readonly pid: number
  /** All that it wrote, which changes while it runs. */
  readonly output: { text: string }
  /** The lines of its log so far. */
  readonly log: () => LogLine[]
  /** Resolves with the exit status, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>
  readonly signal: (name: NodeJS.Signals) => void
  /** Ends the process for sure; its files go with the test file. */
  discard(): Promise<void>
}

/** The gateway's credential of the tests, as the credentials file holds it. */
export interface TestCredentials {
  readonly file: string
  readonly id: string
  readonly secret: Uint8Array
}

/** Writes a new credentials file into a directory. */
export async function writeCredentials(directory: string): Promise<TestCredentials> {
  const id = `iss-${randomBytes(4).toString('hex')}`
  const secret = randomBytes(32)
  const file = path.join(directory, 'gateway-credentials.json')
  const credentials = [{ id, secret: secret.toString('base64url') }]
  await writeFile(file, JSON.stringify({ consumer: 'auth-service', credentials }))
  return { file, id, secret }
}

const temporary: string[] = []
afterAll(async () => {
  for (const directory of temporary.splice(0)) await rm(directory, { recursive: true, force: true })
})

/** A directory that is removed after the tests of the file. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  temporary.push(directory)
  return directory
}

/**
 * Starts the service of a directory of the project, on free ports, with the dependencies of this repository or, in Go,
 * after building it, and after its migrations. `changes` replaces files by their path (`home/src/setup.ts`). Resolves when its output holds `until` or
 * it has ended.
 */
export async function startService(
  files: readonly GeneratedFile[],
  directory: string,
  env: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>> = {},
  until = '"message":"ready"',
): Promise<ServiceProcess> {
  const place = await writeFiles(files, changes)
  const database = env['DATABASE_DIRECT_URL'] ?? env['DATABASE_URL']
  if (database !== undefined && env['DATABASE_POOLER'] === undefined)
    await applyMigrations({
      connection: { connectionString: database },
      directory: path.join(place, `${directory}-db/migrations`),
    })
  const isGo = files.some((file) => file.path === `${directory}/main.go`)
  const compiled = isGo ? {} : { NODE_COMPILE_CACHE: await compileCache() }
  const [command, parameters] = isGo
    ? [await binaryOf(files, directory, changes, place), []]
    : [process.execPath, ['--import', './lib/imports.ts', `${directory}/src/main.ts`]]
  // With a pooler, it also changes the role.
  if (env['DATABASE_POOLER'] !== undefined)
    await promisify(execFile)(command, isGo ? ['migrate', directory] : ['lib/migrate.ts', directory], {
      cwd: place,
      env: { ...env },
    })
  const child = spawn(command, parameters, {
    cwd: place,
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      INTERNAL_PORT: '0',
      METRICS_PORT: '0',
      DRAIN_MS: '0',
      ...compiled,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { text: '' }
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  const log = () => parseLines(output.text)
  await saidOrEnded(child, output, ended, until)
  const ready = log().find(({ message }) => message === 'ready')
  const address = (port: unknown) => (typeof port === 'number' ? `http://127.0.0.1:${port}` : '')
  return {
    url: address(ready?.['port']),
    internalUrl: address(ready?.['internalPort']),
    metricsUrl: address(ready?.['metricsPort']),
    pid: child.pid ?? 0,
    output,
    log,
    ended,
    signal: (name) => void child.kill(name),
    async discard() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The larger packages that services import. */
const COMPILED = [
  '@hono/node-server',
  'drizzle-orm/node-postgres',
  'drizzle-orm/pg-core',
  'hono',
  'jose',
  'pino',
  'undici',
  'zod',
]

let cache: Promise<string> | undefined

/**
 * A directory with the compiled code of the packages that services import, which takes a third of the start of a service.
 * It is filled once, because Node does not write what a process has compiled if the process is killed.
 */
function compileCache(): Promise<string> {
  cache ??= (async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
    const root = path.join(import.meta.dirname, '../..')
    const imports = COMPILED.map((specifier) => `import '${specifier}'`).join('\n')
    await promisify(execFile)(
      process.execPath,
      [
        '--import',
        path.join(root, 'templates/typescript/lib/imports.ts'),
        '--input-type=module',
        '--eval',
        imports,
      ],
      { cwd: root, env: { NODE_COMPILE_CACHE: directory } },
    )
    return directory
  })()
  return cache
}

/** Where the services in Go of a project have been built, by the changes. */
const builds = new WeakMap<readonly GeneratedFile[], Map<string, Promise<string>>>()

/** The binary of a service in Go. All of a project are built at once, so that what they share is compiled once. */
async function binaryOf(
  files: readonly GeneratedFile[],
  directory: string,
  changes: Readonly<Record<string, string>>,
  place: string,
): Promise<string> {
  const known = builds.get(files) ?? new Map<string, Promise<string>>()
  builds.set(files, known)
  const key = JSON.stringify(changes)
  const built = known.get(key) ?? buildServices(files, place)
  known.set(key, built)
  return path.join(await built, directory)
}

async function buildServices(files: readonly GeneratedFile[], place: string): Promise<string> {
  const services = files.flatMap((file) => /^[^/]+(?=\/main\.go$)/.exec(file.path) ?? [])
  // Without paths, packages that are in several tests are compiled once.
  const parameters = ['build', '-trimpath', '-o', 'bin/', ...services.map((each) => `./${each}`)]
  await promisify(execFile)('go', parameters, { cwd: place })
  return path.join(place, 'bin')
}

/** Writes a project into a new directory, with this repository's packages at hand unless told otherwise. */
export async function writeFiles(
  files: readonly GeneratedFile[],
  changes: Readonly<Record<string, string>> = {},
  withPackages = true,
): Promise<string> {
  const place = await temporaryDirectory()
  const all = files.map((file) => [file.path, file.content] as const)
  for (const [name, content] of [...all, ...Object.entries(changes)]) {
    const target = path.join(place, name)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, content)
  }
  if (withPackages)
    await symlink(path.resolve(import.meta.dirname, '../../node_modules'), path.join(place, 'node_modules'))
  return place
}

function saidOrEnded(
  child: ChildProcess,
  output: { text: string },
  ended: Promise<unknown>,
  until: string,
): Promise<unknown> {
  const said = new Promise<void>((resolve) => {
    const take = (text: string) => {
      output.text += text
      if (output.text.includes(until)) resolve()
    }
    child.stdout?.setEncoding('utf8').on('data', take)
    child.stderr?.setEncoding('utf8').on('data', take)
  })
  return Promise.race([said, ended])
}

function parseLines(text: string): LogLine[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine)
}
