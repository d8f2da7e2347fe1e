import { randomUUID } from 'node:crypto'
import type { Authentication, Platform } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import type { Exchange } from '../exchange.ts'
import { expectResponse, expectThat, objectOf, stringOf } from '../expect.ts'
import type { CheckContext } from '../check-context.ts'
import { claimsOf, headerOf, idOf } from '../jwt.ts'
import { CONCURRENT, expectOneCreated } from './concurrent.ts'
import { invalidAttributePattern } from './required-attributes.ts'
import { missingText, SERVICE_TEXTS } from '../../model/error-texts.ts'

/** How long a token is valid, in seconds. */

/** How far the clocks of two machines may differ, in seconds. */
const CLOCK_SKEW_S = 120

const UNKNOWN = { status: 401, error: SERVICE_TEXTS.invalidCredentials }

/** Addresses that HTML's `type=email` rejects, and one that is too long. */
const INVALID_EMAILS = [
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

/** Checks the authentication service. */
export function authenticationChecks({ authentication }: Platform): Check[] {
  if (!authentication) return []
  const auth = new Endpoints(authentication)
  const check = (title: string, run: (context: CheckContext) => Promise<void>): Check => ({
    group: authentication.names.declared,
    sequence: authentication.names.declared,
    title,
    skip: undefined,
    run,
  })
  return [
    check('register returns 201 and login 200, both with only a token', (context) => tokens(context, auth)),
    check('an email can be registered once, regardless of case', async (context) => {
      const email = context.test.newEmail()
      expectResponse(await auth.register(context, { email, password: context.test.password }), {
        status: 201,
      })
      const known = { status: 409, error: SERVICE_TEXTS.userExists }
      for (const same of [email, email.toUpperCase(), email.replace('e', 'E')])
        expectResponse(
          await auth.register(context, { email: same, password: `${context.test.password}!` }),
          known,
        )
      const upper = await auth.login(context, { email: email.toUpperCase(), password: context.test.password })
      expectResponse(upper, { status: 200 })
    }),
    check(`only 1 of ${CONCURRENT} concurrent registrations of one email succeeds`, async (context) => {
      const body = { email: context.test.newEmail(), password: context.test.password }
      const exchanges = await Promise.all(
        Array.from({ length: CONCURRENT }, () => auth.register(context, body)),
      )
      expectOneCreated(exchanges, SERVICE_TEXTS.userExists)
    }),
    check('login does not reveal whether an email is registered', async (context) => {
      const email = context.test.newEmail()
      expectResponse(await auth.register(context, { email, password: context.test.password }), {
        status: 201,
      })
      for (const body of [
        { email, password: `${context.test.password}x` },
        { email, password: swapCase(context.test.password) },
        { email, password: `${context.test.password} ` },
        { email: context.test.newEmail(), password: context.test.password },
      ])
        expectResponse(await auth.login(context, body), UNKNOWN)
    }),
    check('passwords have at least 8 characters and at most 72 bytes', (context) => passwords(context, auth)),
    check(`emails must be valid addresses (${INVALID_EMAILS.length} invalid ones)`, (context) =>
      emails(context, auth),
    ),
    check('register and login require `email` and `password`', (context) => bodies(context, auth)),
    check('other paths return 404, other methods 405', (context) => routes(context, authentication)),
    check('user ids are version 1 UUIDs with a random node', async (context) => {
      for (const { id } of await context.test.sharedUsers(2)) {
        const form = /^[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
        expectThat(form.test(id), undefined, `a version 1 UUID as the id of a token, not ${id}`)
        // A node that is not a network address has the multicast bit set (RFC 9562, section 6.10).
        const node = Number.parseInt(id.slice(24, 26), 16)
        expectThat((node & 1) === 1, undefined, `a random node (multicast bit set) in ${id}`)
      }
    }),
  ]
}

/** Sends requests to the two endpoints. */
class Endpoints {
  readonly #path: string
  constructor({ path }: Authentication) {
    this.#path = path
  }
  register(context: CheckContext, body: unknown): Promise<Exchange> {
    return this.raw(context, 'register', JSON.stringify(body))
  }
  login(context: CheckContext, body: unknown): Promise<Exchange> {
    return this.raw(context, 'login', JSON.stringify(body))
  }
  raw(context: CheckContext, endpoint: 'register' | 'login', body: string): Promise<Exchange> {
    return context.test.client.sendWithRetry({ method: 'POST', path: `${this.#path}/${endpoint}`, body })
  }
}

/** Another password of the same length, which differs at least in case. */
function swapCase(password: string): string {
  const swapped = password === password.toUpperCase() ? password.toLowerCase() : password.toUpperCase()
  return swapped === password ? `${password}x` : swapped
}

async function tokens(context: CheckContext, auth: Endpoints): Promise<void> {
  const body = {
    email: context.test.newEmail(),
    password: context.test.password,
    id: randomUUID(),
    role: 'admin',
  }
  const registered = await auth.register(context, body)
  const again = await auth.login(context, body)
  for (const [exchange, status] of [
    [registered, 201],
    [again, 200],
  ] as const) {
    expectResponse(exchange, { status, headers: { 'cache-control': 'no-store' } })
    expectThat(
      Object.keys(objectOf(exchange)).join() === 'AccessToken',
      exchange,
      'only {"AccessToken": "..."}',
    )
    const token = stringOf(exchange, 'AccessToken')
    const { iss, iat, exp, id } = claimsOf(token)
    expectThat(headerOf(token)['alg'] === 'HS256', exchange, 'a token signed with HS256')
    expectThat(typeof iss === 'string' && iss !== '', exchange, 'an `iss` in the token')
    const now = Date.now() / 1000
    const issued = typeof iat === 'number' && Math.abs(iat - now) < CLOCK_SKEW_S
    expectThat(issued, exchange, 'an `iat` of now in the token')
    expectThat(
      typeof iat === 'number' && Number.isInteger(exp) && Number(exp) > iat,
      exchange,
      'an `exp` after its `iat`',
    )
    expectThat(typeof id === 'string' && id !== body.id, exchange, 'an `id` generated by the service')
  }
  const [first, second] = [registered, again].map((exchange) => idOf(stringOf(exchange, 'AccessToken')))
  expectThat(first === second, again, `the id ${first} from the registration`)
}

async function passwords(context: CheckContext, auth: Endpoints): Promise<void> {
  const refused = ['', '1234567', '😀'.repeat(7), 'x'.repeat(73), '😀'.repeat(19), 'é'.repeat(37)]
  for (const password of refused)
    for (const endpoint of ['register', 'login'] as const) {
      const exchange = await auth[endpoint](context, { email: context.test.newEmail(), password })
      expectResponse(exchange, { status: 400, error: invalidAttributePattern('password') })
    }
  for (const password of ['12345678', '😀'.repeat(8), 'x'.repeat(72), '😀'.repeat(18)]) {
    const body = { email: context.test.newEmail(), password }
    expectResponse(await auth.register(context, body), { status: 201 })
    expectResponse(await auth.login(context, body), { status: 200 })
  }
}

async function emails(context: CheckContext, auth: Endpoints): Promise<void> {
  for (const email of INVALID_EMAILS)
    for (const endpoint of ['register', 'login'] as const) {
      const exchange = await auth[endpoint](context, { email, password: context.test.password })
      expectResponse(exchange, { status: 400, error: invalidAttributePattern('email') })
    }
  const [name = ''] = context.test.newEmail().split('@')
  const long = `${name}${'a'.repeat(254 - name.length - '@example.com'.length)}@example.com`
  for (const email of [
    `${name}@b`,
    `${name}+tag@b.example`,
    `.${name}.@b-c.example`,
    `${name}!#$%&'*/=?^_\`{|}~@b`,
    long,
  ]) {
    const exchange = await auth.register(context, { email, password: context.test.password })
    expectResponse(exchange, { status: 201 })
  }
}

/** A text as it is within quotes in JSON. */
const inText = (text: string): string => JSON.stringify(text).slice(1, -1)

async function bodies(context: CheckContext, auth: Endpoints): Promise<void> {
  const email = inText(context.test.newEmail())
  const password = inText(context.test.password)
  const cases: readonly (readonly [string, string | RegExp])[] = [
    ['{}', missingText(['email', 'password'])],
    ['{"email":null,"password":null}', missingText(['email', 'password'])],
    [`{"password":"${password}"}`, missingText(['email'])],
    ['{"email":1}', missingText(['password'])],
    [`{"email":1,"password":1}`, invalidAttributePattern('email')],
    [`{"email":"${email}","password":12345678}`, invalidAttributePattern('password')],
    [`{"email":"${email}","password":["${password}"]}`, invalidAttributePattern('password')],
    [`{"email":["${email}"],"password":"${password}"}`, invalidAttributePattern('email')],
    [`{"email":"${email}","password":"${password}\\u0000"}`, invalidAttributePattern('password')],
    [`{"email":"${email}","password":"${password}\\ud800"}`, invalidAttributePattern('password')],
    [`{"email":"\\u0000${email}","password":"${password}"}`, invalidAttributePattern('email')],
    [`{"__proto__":{"email":"${email}","password":"${password}"}}`, missingText(['email', 'password'])],
    ['[]', /^Invalid request body: /],
    ['{"email":', /^Invalid request body: /],
    ['null', /^Invalid request body: /],
    ['['.repeat(10_000), /^Invalid request body: /],
  ]
  for (const [body, error] of cases)
    for (const endpoint of ['register', 'login'] as const)
      expectResponse(await auth.raw(context, endpoint, body), { status: 400, error })
}

async function routes(context: CheckContext, { path }: Authentication): Promise<void> {
  for (const endpoint of ['register', 'login'])
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const exchange = await context.send({ method, path: `${path}/${endpoint}` })
      expectResponse(exchange, {
        status: 405,
        error: SERVICE_TEXTS.methodNotAllowed,
        headers: { allow: /\bPOST\b/ },
      })
    }
  for (const other of [path, `${path}/all`, `${path}/${randomUUID()}`, `${path}/register/x`])
    for (const method of ['GET', 'POST', 'DELETE'])
      expectResponse(await context.send({ method, path: other }), {
        status: 404,
        error: SERVICE_TEXTS.pathNotFound,
      })
}
