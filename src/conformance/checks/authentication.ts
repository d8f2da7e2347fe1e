import { randomUUID } from 'node:crypto'
import type { Authentication, Platform } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import type { Exchange } from '../exchange.ts'
import { expectAnswer, expectThat, objectOf, stringOf } from '../expect.ts'
import type { Scope } from '../scope.ts'
import { claimsOf, headerOf, idOf } from '../tokens.ts'
import { freshEmail, PASSWORD } from '../world.ts'
import { invalid } from './missing.ts'

/** Seconds that a token is valid. */
const LIFETIME_S = 24 * 60 * 60

/** How far the clocks of two machines may be apart in a check, in seconds. */
const CLOCK_SKEW_S = 120

/** How many registrations of one email race. */
const RACERS = 6

const UNKNOWN = { status: 401, error: 'Invalid email or password' }

/** What HTML's `type=email` refuses, and what is longer than an address can be. */
const BAD_EMAILS = [
  '',
  'a',
  'a@',
  '@b.example',
  'a b@c.example',
  'a@b c.example',
  'a@b..example',
  'a@-b.example',
  'a@b-.example',
  'a@b_c.example',
  'a@@b.example',
  'a@b.example ',
  ' a@b.example',
  'a@b.example\n',
  'é@b.example',
  'a@bé.example',
  'a@.b.example',
  'a@b.',
  '"a"@b.example',
  'a@[127.0.0.1]',
  `a@${'b'.repeat(64)}.example`,
  `${'a'.repeat(255 - '@example.com'.length)}@example.com`,
]

/** What the authentication service has to do. */
export function authenticationChecks({ authentication }: Platform): Check[] {
  if (!authentication) return []
  const auth = new Endpoints(authentication)
  const check = (sentence: string, run: (scope: Scope) => Promise<void>): Check => ({
    group: authentication.names.declared,
    sequence: authentication.names.declared,
    sentence,
    skip: undefined,
    run,
  })
  return [
    check('register answers 201, login 200, with a token and nothing else', (scope) => tokens(scope, auth)),
    check('an email can be registered once, whatever its case', async (scope) => {
      const email = freshEmail()
      expectAnswer(await auth.register(scope, { email, password: PASSWORD }), { status: 201 })
      const known = { status: 409, error: 'auth already exists' }
      for (const same of [email, email.toUpperCase(), email.replace('e', 'E')])
        expectAnswer(await auth.register(scope, { email: same, password: `${PASSWORD}!` }), known)
      const upper = await auth.login(scope, { email: email.toUpperCase(), password: PASSWORD })
      expectAnswer(upper, { status: 200 })
    }),
    check(`of ${RACERS} registrations of one email at the same time one succeeds`, async (scope) => {
      const body = { email: freshEmail(), password: PASSWORD }
      const exchanges = await Promise.all(Array.from({ length: RACERS }, () => auth.register(scope, body)))
      const created = exchanges.filter(({ answer }) => answer.status === 201)
      for (const exchange of exchanges)
        if (exchange.answer.status !== 201)
          expectAnswer(exchange, { status: 409, error: 'auth already exists' })
      expectThat(
        created.length === 1,
        created[1] ?? exchanges[0],
        `one 201 of ${RACERS}, not ${created.length}`,
      )
    }),
    check('login tells nothing of whether an email is known', async (scope) => {
      const email = freshEmail()
      expectAnswer(await auth.register(scope, { email, password: PASSWORD }), { status: 201 })
      for (const body of [
        { email, password: `${PASSWORD}x` },
        { email, password: PASSWORD.toUpperCase() },
        { email, password: `${PASSWORD} ` },
        { email: freshEmail(), password: PASSWORD },
      ])
        expectAnswer(await auth.login(scope, body), UNKNOWN)
    }),
    check('passwords have 8 characters or more, and 72 bytes at most', (scope) => passwords(scope, auth)),
    check(`emails are addresses (${BAD_EMAILS.length} that are none)`, (scope) => emails(scope, auth)),
    check('register and login ask for `email` and `password`', (scope) => bodies(scope, auth)),
    check('no other path or method is served', (scope) => routes(scope, authentication)),
    check('ids of users are UUIDs of version 1 with a random node', async (scope) => {
      for (const { id } of await scope.world.residents(2)) {
        const form = /^[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
        expectThat(form.test(id), undefined, `a UUID of version 1 as the id of a token, not ${id}`)
        // RFC 9562, section 6.10: a node that is no address of a card has the multicast bit set.
        const node = Number.parseInt(id.slice(24, 26), 16)
        expectThat((node & 1) === 1, undefined, `a random node (multicast bit set) in ${id}`)
      }
    }),
  ]
}

/** Asks for the two endpoints. */
class Endpoints {
  readonly #path: string
  constructor({ path }: Authentication) {
    this.#path = path
  }
  register(scope: Scope, body: unknown): Promise<Exchange> {
    return this.raw(scope, 'register', JSON.stringify(body))
  }
  login(scope: Scope, body: unknown): Promise<Exchange> {
    return this.raw(scope, 'login', JSON.stringify(body))
  }
  raw(scope: Scope, endpoint: 'register' | 'login', body: string): Promise<Exchange> {
    return scope.world.client.sendPatiently({ method: 'POST', path: `${this.#path}/${endpoint}`, body })
  }
}

async function tokens(scope: Scope, auth: Endpoints): Promise<void> {
  const body = { email: freshEmail(), password: PASSWORD, id: randomUUID(), role: 'admin' }
  const registered = await auth.register(scope, body)
  const again = await auth.login(scope, body)
  for (const [exchange, status] of [
    [registered, 201],
    [again, 200],
  ] as const) {
    expectAnswer(exchange, { status, headers: { 'cache-control': 'no-store' } })
    expectThat(
      Object.keys(objectOf(exchange)).join() === 'AccessToken',
      exchange,
      '{"AccessToken": "..."} alone',
    )
    const token = stringOf(exchange, 'AccessToken')
    const { iss, iat, exp, id } = claimsOf(token)
    expectThat(headerOf(token)['alg'] === 'HS256', exchange, 'a token signed with HS256')
    expectThat(typeof iss === 'string' && iss !== '', exchange, 'an `iss` in the token')
    const now = Date.now() / 1000
    const issued = typeof iat === 'number' && Math.abs(iat - now) < CLOCK_SKEW_S
    expectThat(issued, exchange, 'an `iat` of now in the token')
    expectThat(
      typeof iat === 'number' && exp === iat + LIFETIME_S,
      exchange,
      'an `exp` 24 hours after its `iat`',
    )
    expectThat(typeof id === 'string' && id !== body.id, exchange, 'an `id` that the service has made')
  }
  const [first, second] = [registered, again].map((exchange) => idOf(stringOf(exchange, 'AccessToken')))
  expectThat(first === second, again, `the id ${first}, as at the registration`)
}

async function passwords(scope: Scope, auth: Endpoints): Promise<void> {
  const refused = ['', '1234567', '😀'.repeat(7), 'x'.repeat(73), '😀'.repeat(19), 'é'.repeat(37)]
  for (const password of refused)
    for (const endpoint of ['register', 'login'] as const) {
      const exchange = await auth[endpoint](scope, { email: freshEmail(), password })
      expectAnswer(exchange, { status: 400, error: invalid('password') })
    }
  for (const password of ['12345678', '😀'.repeat(8), 'x'.repeat(72), '😀'.repeat(18)]) {
    const body = { email: freshEmail(), password }
    expectAnswer(await auth.register(scope, body), { status: 201 })
    expectAnswer(await auth.login(scope, body), { status: 200 })
  }
}

async function emails(scope: Scope, auth: Endpoints): Promise<void> {
  for (const email of BAD_EMAILS)
    for (const endpoint of ['register', 'login'] as const) {
      const exchange = await auth[endpoint](scope, { email, password: PASSWORD })
      expectAnswer(exchange, { status: 400, error: invalid('email') })
    }
  const [name = ''] = freshEmail().split('@')
  const long = `${name}${'a'.repeat(254 - name.length - '@example.com'.length)}@example.com`
  for (const email of [
    `${name}@b`,
    `${name}+tag@b.example`,
    `.${name}.@b-c.example`,
    `${name}!#$%&'*/=?^_\`{|}~@b`,
    long,
  ]) {
    const exchange = await auth.register(scope, { email, password: PASSWORD })
    expectAnswer(exchange, { status: 201 })
  }
}

async function bodies(scope: Scope, auth: Endpoints): Promise<void> {
  const email = freshEmail()
  const cases: readonly (readonly [string, string | RegExp])[] = [
    ['{}', 'Missing request parameter(s): email, password'],
    ['{"email":null,"password":null}', 'Missing request parameter(s): email, password'],
    [`{"password":"${PASSWORD}"}`, 'Missing request parameter(s): email'],
    ['{"email":1}', 'Missing request parameter(s): password'],
    [`{"email":1,"password":1}`, invalid('email')],
    [`{"email":"${email}","password":12345678}`, invalid('password')],
    [`{"email":"${email}","password":["${PASSWORD}"]}`, invalid('password')],
    [`{"email":["${email}"],"password":"${PASSWORD}"}`, invalid('email')],
    [`{"email":"${email}","password":"${PASSWORD}\\u0000"}`, invalid('password')],
    [`{"email":"${email}","password":"${PASSWORD}\\ud800"}`, invalid('password')],
    [`{"email":"\\u0000${email}","password":"${PASSWORD}"}`, invalid('email')],
    [
      `{"__proto__":{"email":"${email}","password":"${PASSWORD}"}}`,
      'Missing request parameter(s): email, password',
    ],
    ['[]', /^Invalid request body: /],
    ['{"email":', /^Invalid request body: /],
    ['null', /^Invalid request body: /],
    ['['.repeat(10_000), /^Invalid request body: /],
  ]
  for (const [body, error] of cases)
    for (const endpoint of ['register', 'login'] as const)
      expectAnswer(await auth.raw(scope, endpoint, body), { status: 400, error })
}

async function routes(scope: Scope, { path }: Authentication): Promise<void> {
  for (const endpoint of ['register', 'login'])
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const exchange = await scope.send({ method, path: `${path}/${endpoint}` })
      expectAnswer(exchange, { status: 405, error: 'Method not allowed', headers: { allow: /\bPOST\b/ } })
    }
  for (const other of [path, `${path}/all`, `${path}/${randomUUID()}`, `${path}/register/x`])
    for (const method of ['GET', 'POST', 'DELETE'])
      expectAnswer(await scope.send({ method, path: other }), { status: 404, error: 'Not found' })
}
