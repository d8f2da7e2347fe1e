import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Sql } from 'postgres'
import { freePort } from '../../free-port.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { freshDatabase, setHostileSettings } from '../../postgres.ts'
import { platformOf, setupPath } from '../platform.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
  writeCredentials,
} from '../service-process.ts'

/** An answer with its body read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The body as it came. */
  readonly text: string
  /** The body as JSON; `undefined` where it is none. */
  readonly json: unknown
}

/** What a request carries. */
export interface Sent {
  /** The id of the user who asks; without it there is no token. */
  readonly as?: string
  /** The roles in the token. */
  readonly roles?: readonly string[]
  /** JSON as text, bytes, or a value to be written as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** All services of a definition but that of authentication, each a process with a database of its own. */
export interface RunningPlatform {
  /** Asks a service by its path below the gateway's `/api`: `call('POST', '/home', ...)`. */
  call(method: string, path: string, sent?: Sent): Promise<Answer>
  /** The header of a user's token. */
  authorization(user: string, roles?: readonly string[]): Promise<string>
  readonly services: ReadonlyMap<string, ServiceProcess>
  /** Ends a service with SIGKILL, and starts it again. */
  crash(directory: string): Promise<void>
  /** A client of the database of a directory's service. */
  sql(directory: string): Sql
  stop(): Promise<void>
}

/** What to run a platform with, by directory of the service. */
export interface RunOptions {
  /** Texts of `setup.ts` or `setup.go`. */
  readonly setup?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

/** Generates a platform and starts it. */
export async function runPlatform(definition: string, options: RunOptions = {}): Promise<RunningPlatform> {
  const platform = platformOf(definition)
  const files = emitProject(platform)
  const credentials = await writeCredentials(await temporaryDirectory())
  const ports = new Map<string, number>()
  for (const { directory } of platform.services) ports.set(directory, await freePort())
  const urls = Object.fromEntries(
    platform.services.map(({ names, directory }) => [
      `${names.snake.toUpperCase()}_INTERNAL_URL`,
      `http://127.0.0.1:${ports.get(directory)}`,
    ]),
  )

  const changes = Object.fromEntries(
    Object.entries(options.setup ?? {}).map(([directory, text]) => [setupPath(directory), text]),
  )
  const services = new Map<string, ServiceProcess>()
  const databases = new Map<string, Awaited<ReturnType<typeof freshDatabase>>>()
  async function start(directory: string): Promise<void> {
    const env = {
      DATABASE_URL: databases.get(directory)?.url ?? '',
      GATEWAY_CREDENTIALS_FILE: credentials.file,
      INTERNAL_PORT: String(ports.get(directory)),
      ...urls,
      ...options.env,
    }
    const service = await startService(files, directory, env, changes)
    if (service.url === '') throw new Error(`${directory} did not start:\n${service.output.text}`)
    services.set(directory, service)
  }
  await Promise.all(
    platform.services.map(async ({ directory }) => {
      const database = await freshDatabase()
      await setHostileSettings(database)
      databases.set(directory, database)
      await start(directory)
    }),
  )

  /** One of each user: the time is in them, in seconds. */
  const tokens = new Map<string, Promise<string>>()
  async function authorization(user: string, roles: readonly string[] = []): Promise<string> {
    const key = [user, ...roles].join(' ')
    const token = tokens.get(key) ?? sign(user, roles)
    tokens.set(key, token)
    return `Bearer ${await token}`
  }

  function sign(user: string, roles: readonly string[]): Promise<string> {
    return new SignJWT({ id: user, ...(roles.length === 0 ? {} : { roles }) })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(credentials.id)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(credentials.secret)
  }

  return {
    services,
    async crash(directory) {
      services.get(directory)?.signal('SIGKILL')
      await services.get(directory)?.ended
      await start(directory)
    },
    sql(directory) {
      const database = databases.get(directory)
      if (database === undefined) throw new Error(`No database of ${directory}`)
      return database.sql
    },
    authorization,
    async call(method, path, { as, roles, body, headers } = {}) {
      const [directory = ''] = path.slice(1).split(/[/?]/)
      const response = await fetch(`${services.get(directory)?.url}${path}`, {
        method,
        headers: {
          ...(as === undefined ? {} : { authorization: await authorization(as, roles) }),
          ...headers,
        },
        redirect: 'manual',
        ...(body === undefined ? {} : { body: encode(body), duplex: 'half' }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, json: parse(text) }
    },
    async stop() {
      await Promise.all([...services.values()].map((service) => service.discard()))
      await Promise.all([...databases.values()].map((database) => database.drop()))
    },
  }
}

/** A new user: the id that a token carries. */
export function newUser(): string {
  return randomUUID()
}

/** The `id` of an answer. */
export function idOf({ json, status, text }: Answer): string {
  if (typeof json === 'object' && json !== null && 'id' in json && typeof json.id === 'string') return json.id
  throw new Error(`No id in ${status} ${text}`)
}

function encode(body: unknown): string | Uint8Array<ArrayBuffer> | ReadableStream {
  if (typeof body === 'string' || body instanceof ReadableStream) return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
