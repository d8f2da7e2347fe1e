import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { emitCompose } from '../../../src/emit/compose/emit.ts'
import { intervals } from '../../../src/emit/compose/health.ts'
import { platformOf } from '../platform.ts'

type Service = Readonly<Record<string, unknown>>
interface Compose {
  readonly name: string
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const WITHOUT_USERS = 'MyShop: project {} Home: service { name: string; }'
const WITH_USERS =
  'MyShop: project { #authMethod(email); } Home: service { name: string(80); #auth; } Secrets: service { home: Home; picture: data(30M); }'

function compose(text: string): Compose {
  const file = emitCompose(platformOf(text)).find(({ path }) => path === 'compose.yaml')
  return parse(file?.content ?? '') as Compose
}

test('what runs is called after the project and its directories', () => {
  const { name, services, volumes } = compose(WITHOUT_USERS)
  expect(name).toBe('my-shop')
  expect(Object.keys(services)).toEqual(['gateway', 'home', 'home-db', 'portico.secrets'])
  expect(Object.keys(volumes)).toEqual(['home-db-data', 'home-db-secrets', 'home-db-socket', 'home-secrets'])
})

test('a service may have the name of anything that deployment needs', () => {
  const { services } = compose(WITH_USERS)
  expect(Object.keys(services)).toEqual([
    'gateway',
    'auth',
    'auth-db',
    'home',
    'home-db',
    'secrets',
    'secrets-db',
    'portico.secrets',
  ])
  expect(services['secrets']).toMatchObject({ build: './secrets' })
})

test('what starts waits for what it needs, and nothing waits for itself', () => {
  const { services } = compose(WITH_USERS)
  const healthy = { condition: 'service_healthy' }
  expect(services['secrets']?.['depends_on']).toEqual({ 'secrets-db': healthy })
  expect(services['gateway']?.['depends_on']).toEqual({ auth: healthy, home: healthy, secrets: healthy })
})

test('the gateway has secrets where there are users', () => {
  expect(compose(WITHOUT_USERS).services['gateway']?.['volumes']).toBeUndefined()
  expect(compose(WITH_USERS).services['gateway']?.['volumes']).toEqual([
    'gateway-secrets:/etc/envoy/secrets:ro',
  ])
})

test('memory grows with the bodies that a service takes', () => {
  const { services } = compose(WITH_USERS)
  expect([services['home']?.['mem_limit'], services['secrets']?.['mem_limit']]).toEqual(['512m', '1024m'])
})

test('checks of health are spread out where many containers run', () => {
  expect(intervals(9)).toEqual({ interval: 15, startInterval: 1 })
  expect(intervals(203)).toEqual({ interval: 41, startInterval: 5 })
})

test('another provider has no files of Compose', () => {
  expect(emitCompose(platformOf('P: project { #provider(kube); } Home: service { name: string; }'))).toEqual(
    [],
  )
})
