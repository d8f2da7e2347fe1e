import path from 'node:path'
import { expect, test } from 'vitest'
import { emit } from '../../../src/compile.ts'
import { platformOf } from '../platform.ts'
import { writeService } from '../service-process.ts'

const LONG = `Very${'Long'.repeat(11)}`
const DEFINITION = `
P: project { #authMethod(email); }
Member: service { #auth; }
HTTPProxy2: service { name: string; }
${LONG}: service { name: string; }
Home: service { owner: Member; image: data(5M); #uses[HTTPProxy2, ${LONG}]; }`

type Read = (env: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>>

async function configOf(definition: string, directory: string): Promise<Read> {
  const place = await writeService(emit(platformOf(definition)), directory)
  const { readConfig } = (await import(path.join(place, 'src/config.ts'))) as { readConfig: Read }
  return readConfig
}

test('without any variable: what a deployment has', async () => {
  const read = await configOf(DEFINITION, 'home')
  const long = `very${'-long'.repeat(11)}`
  expect(read({})).toEqual({
    service: 'home',
    host: '0.0.0.0',
    port: 8080,
    internalPort: 8081,
    database: {
      url: 'postgres://home@home-db:5432/home',
      socketDirectory: '',
      passwordFile: undefined,
      poolSize: 10,
    },
    credentialsFile: '/run/secrets/gateway-credentials',
    urls: {
      member: 'http://member:8081',
      httpProxy2: 'http://http-proxy2:8081',
      [`very${'Long'.repeat(11)}`]: `http://${long}:8081`,
    },
    maxBodyBytes: expect.any(Number),
    logLevel: 'info',
    shutdownTimeoutMs: 10_000,
  })
  expect(read({})['maxBodyBytes']).toBeGreaterThan(5_000_000 * (4 / 3))
})

test('all variables', async () => {
  const read = await configOf(DEFINITION, 'home')
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_PORT: '1',
    DATABASE_URL: 'postgresql://u:p@h/d',
    DATABASE_SOCKET_DIRECTORY: '/run/postgresql',
    DATABASE_PASSWORD_FILE: import.meta.filename,
    DATABASE_POOL_SIZE: '3',
    GATEWAY_CREDENTIALS_FILE: '/tmp/c',
    MEMBER_INTERNAL_URL: 'http://127.0.0.1:9',
    HTTP_PROXY2_INTERNAL_URL: 'https://x',
    [`VERY${'_LONG'.repeat(11)}_INTERNAL_URL`]: 'http://y',
    MAX_BODY_BYTES: '7',
    LOG_LEVEL: 'debug',
    SHUTDOWN_TIMEOUT_MS: '5',
  }
  expect(read(env)).toEqual({
    service: 'home',
    host: '127.0.0.1',
    port: 0,
    internalPort: 1,
    database: {
      url: 'postgresql://u:p@h/d',
      socketDirectory: '/run/postgresql',
      passwordFile: import.meta.filename,
      poolSize: 3,
    },
    credentialsFile: '/tmp/c',
    urls: { member: 'http://127.0.0.1:9', httpProxy2: 'https://x', [`very${'Long'.repeat(11)}`]: 'http://y' },
    maxBodyBytes: 7,
    logLevel: 'debug',
    shutdownTimeoutMs: 5,
  })
  expect(() => read({ MEMBER_INTERNAL_URL: 'member:8081' })).toThrow(
    'MEMBER_INTERNAL_URL must be a URL that begins with http:// or https://.',
  )
})

test('a service without authentication and calls has neither credentials nor addresses', async () => {
  const read = await configOf('P: project {} Home: service { name: string; }', 'home')
  expect(Object.keys(read({}))).toEqual([
    'service',
    'host',
    'port',
    'internalPort',
    'database',
    'maxBodyBytes',
    'logLevel',
    'shutdownTimeoutMs',
  ])
})
