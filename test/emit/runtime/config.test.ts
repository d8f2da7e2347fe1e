import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../../templates/typescript/lib/config.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf } from '../platform.ts'
import { writeFiles } from '../service-process.ts'

const DEFINITION = `
P: project { #authMethod(email); }
Member: service { #auth; }
HTTPProxy2: service { name: string; }
Home: service { owner: Member; image: data(5M); #uses[HTTPProxy2]; }`

type Env = Readonly<Record<string, string>>

/** Reads the configuration of the service `home`. */
async function configOf(definition: string): Promise<(env: Env) => Readonly<Record<string, unknown>>> {
  const place = await writeFiles(emitProject(platformOf(definition)))
  const { Config } = (await import(path.join(place, 'home/src/config.ts'))) as {
    Config: Parameters<typeof readConfig>[0]
  }
  return (env) => readConfig(Config, env) as Readonly<Record<string, unknown>>
}

test('all variables have defaults that work in a deployment', async () => {
  const read = await configOf(DEFINITION)
  expect(read({})).toEqual({
    HOST: '0.0.0.0',
    PORT: 8080,
    INTERNAL_PORT: 8081,
    METRICS_PORT: 8082,
    DATABASE_URL: 'postgres://home@home-db:5432/home',
    DATABASE_POOL_SIZE: 10,
    DATABASE_CONNECT_TIMEOUT_MS: 2000,
    DATABASE_STATEMENT_TIMEOUT_MS: 4000,
    DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS: 10_000,
    DATABASE_IDLE_TIMEOUT_MS: 60_000,
    SERVICE_TIMEOUT_MS: 2000,
    GATEWAY_CREDENTIALS_FILE: '/run/secrets/gateway-credentials',
    MEMBER_INTERNAL_URL: 'http://member:8081',
    HTTP_PROXY2_INTERNAL_URL: 'http://http-proxy2:8081',
    MAX_BODY_BYTES: expect.any(Number),
    MAX_BODY_BYTES_IN_FLIGHT: expect.any(Number),
    MAX_UNSENT_BYTES: expect.any(Number),
    LOG_LEVEL: 'info',
    OTEL_TRACES_SAMPLER_ARG: 1,
    DRAIN_MS: 2000,
    SHUTDOWN_TIMEOUT_MS: 10_000,
  })
  expect(read({})['MAX_BODY_BYTES']).toBeGreaterThan(5_000_000 * (4 / 3))
})

test('without authentication and calls there are neither credentials nor addresses', async () => {
  const read = await configOf('P: project {}\nHome: service { name: string; }')
  expect(Object.keys(read({})).filter((name) => /CREDENTIALS|INTERNAL_URL/.test(name))).toEqual([])
})

test.each([
  [{ PORT: 'abc' }, 'PORT must be an integer'],
  [{ PORT: '65536' }, 'PORT must be at most 65535'],
  [{ DATABASE_URL: 'mysql://u:s3cret@h/d' }, 'DATABASE_URL must be a postgres or postgresql URL'],
  [{ DATABASE_URL: 's3cret' }, 'DATABASE_URL must be a postgres or postgresql URL'],
  [{ DATABASE_POOL_SIZE: '0' }, 'DATABASE_POOL_SIZE must be at least 1'],
  [{ MEMBER_INTERNAL_URL: 'member:8081' }, 'MEMBER_INTERNAL_URL must be an http or https URL'],
  [{ LOG_LEVEL: 'loud', DRAIN_MS: '-1' }, /LOG_LEVEL must be debug.*, DRAIN_MS must be at least 0/],
])('%j is refused with a sentence that contains no secret', async (env, sentence) => {
  const read = await configOf(DEFINITION)
  expect(() => read(env)).toThrow(sentence)
  expect(() => read(env)).not.toThrow(/s3cret/)
})
