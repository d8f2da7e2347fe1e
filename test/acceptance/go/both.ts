import { request } from 'node:http'
import { SignJWT } from 'jose'
import { expect } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { freePort } from '../../free-port.ts'
import { parse, send as sendBytes } from '../../gateway/raw.ts'
import { platformOf } from '../../emit/platform.ts'
import {
  type ServiceProcess,
  startService,
  temporaryDirectory,
  type TestCredentials,
  writeCredentials,
} from '../../emit/service-process.ts'
import { freshDatabase, type TestDatabase } from '../../postgres.ts'
import type { Sent } from './requests.ts'

const LANGUAGES = ['go', 'typescript'] as const
/** Of the connection, and what differs between two responses in the same language. */
const NOT_COMPARED = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
])

interface Answer {
  readonly body: string
  /** What both languages have in common. */
  readonly common: readonly unknown[]
}

/** The same services in both languages. */
export interface Both {
  /** Signs a token. */
  readonly bearer: (claims: Record<string, unknown>, secret?: Uint8Array) => Promise<string>
  /** Sends a request to a service in both languages and compares the responses. */
  readonly both: (service: string, sent: Sent) => Promise<readonly Answer[]>
  /** The same for a request to which the responses have to differ. */
  readonly differ: (service: string, sent: Sent) => Promise<void>
  /** Creates an entity, whose id requests name by the key. */
  readonly create: (
    service: string,
    key: string,
    path: string,
    body: string,
    authorization?: string,
  ) => Promise<void>
  readonly stop: () => Promise<void>
  /** How many requests were sent to each. */
  readonly count: () => number
}

/** Starts services of a definition, which contains `#language(go)`, in both languages. */
export async function startBoth(text: string, directories: readonly string[]): Promise<Both> {
  const services: Map<string, ServiceProcess>[] = []
  const databases: TestDatabase[] = []
  let count = 0
  /** By key, in the order of the languages. */
  const ids = new Map<string, readonly string[]>()
  const credentials: TestCredentials = await writeCredentials(await temporaryDirectory())
  for (const language of LANGUAGES) {
    const files = emitProject(platformOf(text.replace('#language(go)', `#language(${language})`)))
    const running = new Map<string, ServiceProcess>()
    services.push(running)
    const ports = await Promise.all(directories.map(() => freePort()))
    const urls = directories.map((directory, index) => [
      `${directory.toUpperCase()}_INTERNAL_URL`,
      `http://127.0.0.1:${ports[index]}`,
    ])
    for (const [index, directory] of directories.entries()) {
      const database = await freshDatabase()
      databases.push(database)
      const service = await startService(files, directory, {
        ...Object.fromEntries(urls),
        DATABASE_URL: database.url,
        GATEWAY_CREDENTIALS_FILE: credentials.file,
        INTERNAL_PORT: String(ports[index]),
      })
      if (service.url === '') throw new Error(`${directory} in ${language}: ${service.output.text}`)
      running.set(directory, service)
    }
  }

  function send(index: number, name: string, sent: Sent): Promise<Answer> {
    const own = (content: string) =>
      content.replaceAll(/\{(\w\d)\}/g, (_, key: string) => ids.get(key)?.[index] ?? key)
    const service = services[index]?.get(name)
    const url = new URL((sent.internal === true ? service?.internalUrl : service?.url) ?? '')
    if (sent.raw !== undefined) return sendRaw(Number(url.port), own(sent.raw))
    const content = typeof sent.body === 'string' ? own(sent.body) : sent.body
    const length = content === undefined ? {} : { 'content-length': Buffer.byteLength(content) }
    const { hostname: host, port } = url
    const options = { host, port, method: sent.method, path: own(sent.path), agent: false }
    return new Promise((resolve, reject) => {
      request({ ...options, headers: { ...sent.headers, ...length } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const answered = Buffer.concat(chunks).toString()
          resolve({ body: answered, common: commonOf(response.statusCode, answered, response.headers) })
        })
      })
        .on('error', reject)
        .end(content)
    })
  }

  async function both(service: string, sent: Sent, compare = expect.soft): Promise<readonly Answer[]> {
    const answers = await Promise.all(LANGUAGES.map((_, index) => send(index, service, sent)))
    count++
    const [go, typescript] = answers
    compare(go?.common, JSON.stringify(sent).slice(0, 300)).toEqual(typescript?.common)
    return answers
  }

  return {
    both,
    async differ(service, sent) {
      const [go, typescript] = await Promise.all(LANGUAGES.map((_, index) => send(index, service, sent)))
      count++
      expect.soft(go?.common, JSON.stringify(sent).slice(0, 300)).not.toEqual(typescript?.common)
    },
    count: () => count,
    async stop() {
      const running = services.flatMap((each) => [...each.values()])
      await Promise.all(running.map((service) => service.discard()))
      await Promise.all(databases.map((database) => database.drop()))
    },
    async create(service, key, at, body, authorization = '') {
      const sent = { method: 'POST', path: at, body, headers: { authorization } }
      const answers = await both(service, sent, expect)
      const created = answers.map((answer) => (JSON.parse(answer.body) as { id: string }).id)
      ids.set(key, created)
    },
    async bearer(claims, secret = credentials.secret) {
      const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setIssuer(credentials.id)
      return `Bearer ${await token.setIssuedAt().setExpirationTime('1h').sign(secret)}`
    },
  }
}

async function sendRaw(port: number, bytes: string): Promise<Answer> {
  const text = await sendBytes(port, Buffer.from(bytes, 'latin1'), undefined, 10_000)
  const { status, headers, body } = parse(text)
  const isChunked = headers['transfer-encoding'] === 'chunked'
  const whole = isChunked ? body.replaceAll(/(?:^|\r\n)[\da-f]+\r\n/gi, '').replace(/\r\n$/, '') : body
  return { body: whole, common: commonOf(status, whole, headers) }
}

function commonOf(status: unknown, body: string, headers: Readonly<Record<string, unknown>>): unknown[] {
  const fields = Object.entries(headers)
    .filter(([name]) => !NOT_COMPARED.has(name))
    .map(([name, value]) => normal(`${name}: ${String(value)}`))
  return [status, normal(body), ...fields.toSorted()]
}

/** Without what differs between two runs in the same language. */
function normal(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[17][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/gi, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME')
    .replaceAll(/"opensAt":"(?!08:)[^"]+"/g, '"opensAt":NOW')
    .replaceAll(/after=[\w-]{20,}/g, 'after=CURSOR')
    .replaceAll(/"AccessToken":"[\w.-]+"/g, 'TOKEN')
}
