import { randomUUID } from 'node:crypto'
import type { Platform, Service } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import type { Caller } from '../client.ts'
import { type Exchange, ShortfallError, SkipError } from '../exchange.ts'
import { expectAnswer, expectThat } from '../expect.ts'
import { collectionPath, itemPath, type Place, placeOf, placesOf } from '../place.ts'
import type { Scope } from '../scope.ts'
import { idOf, sign } from '../tokens.ts'
import { placeCheck, serves } from './build.ts'
import { notFound } from './entity.ts'
import { type Forgery, forgeries, malformedHeaders, namelessTokens, signedForgeries } from './tokens.ts'

const GROUP = 'Gateway'

const UNAUTHORIZED = { status: 401, message: 'Unauthorized', headers: { 'www-authenticate': /^Bearer\b/ } }

/** What the gateway has to do for paths that no service has. */
export function gatewayChecks(platform: Platform): Check[] {
  return [
    gatewayCheck('paths of no service are 404, with and without a token', async (scope) => {
      const [caller] = await scope.world.residents(1)
      const name = `no-such-service-${randomUUID()}`
      const paths = ['/', '/api', '/api/', `/api/${name}`, `/api/${name}/${randomUUID()}`, `/${name}`]
      for (const service of platform.services)
        paths.push(
          `${service.path}-${name}`,
          `${service.path}${name}/all`,
          service.path.replace('/api/', '/'),
        )
      const taken = new Set(platform.services.map(({ path }) => path))
      for (const path of paths)
        for (const as of [undefined, caller])
          for (const method of ['GET', 'POST'])
            if (!taken.has(path))
              expectAnswer(await scope.send({ method, path, as }), { status: 404, message: 'Not Found' })
    }),
    gatewayCheck('health, metrics and reference checks of services cannot be reached', async (scope) => {
      const [caller] = await scope.world.residents(1)
      for (const path of [
        '/health/live',
        '/health/ready',
        '/metrics',
        '/references',
        `/entities/${randomUUID()}`,
      ])
        for (const prefix of ['', '/api'])
          for (const as of [undefined, caller])
            expectAnswer(await scope.send({ method: 'GET', path: `${prefix}${path}`, as }), {
              status: 404,
              message: 'Not Found',
            })
    }),
    ...(platform.authentication
      ? []
      : [gatewayCheck('tokens are ignored', (scope) => ignoresTokens(scope, platform))]),
  ]
}

function gatewayCheck(sentence: string, run: (scope: Scope) => Promise<void>): Check {
  return { group: GROUP, sequence: GROUP, sentence, skip: undefined, run }
}

async function ignoresTokens(scope: Scope, platform: Platform): Promise<void> {
  for (const service of platform.services) {
    const place = placeOf(service)
    if (!serves(place, 'read')) continue
    const id = randomUUID()
    for (const { header } of malformedHeaders()) {
      if (header === undefined) continue
      const path = itemPath(place, undefined, id)
      const exchange = await scope.send({ method: 'GET', path, headers: { authorization: header } })
      expectAnswer(exchange, { status: 404, error: notFound(place, id) })
    }
  }
}

/** What keeps strangers out of a service. */
export function tokenChecks(platform: Platform, service: Service): Check[] {
  if (!platform.authentication) return []
  const place = placeOf(service)
  const check = (sentence: string, run: (scope: Scope) => Promise<void>) =>
    placeCheck(platform, place, sentence, { entities: 0 }, run)
  const checks = [
    check('without a token every endpoint is 401, and what is no endpoint too', async (scope) => {
      const paths = placesOf(service).flatMap(requestsOf)
      const others = [
        { method: 'GET', path: service.path },
        { method: 'DELETE', path: `${service.path}/${randomUUID()}/no/such/thing` },
        { method: 'PATCH', path: `${service.path}/x` },
        { method: 'OPTIONS', path: service.path },
        { method: 'GET', path: `${service.path}?access_token=x` },
      ]
      for (const { method, path } of [...paths, ...others])
        expectAnswer(await scope.send({ method, path }), UNAUTHORIZED)
      const head = await scope.send({ method: 'HEAD', path: service.path })
      expectAnswer(head, { status: 401 })
    }),
    check('a token that is malformed or forged is 401, in the query it does not count', async (scope) => {
      const [caller] = await scope.world.residents(1)
      const token = caller?.token ?? ''
      const anywhere = { method: 'GET', path: `${service.path}/${randomUUID()}` }
      await refusesAll(scope, anywhere, [...malformedHeaders(), ...forgeries(token)], UNAUTHORIZED)
      for (const query of ['access_token', 'token', 'jwt', 'authorization'])
        expectAnswer(
          await scope.send({ method: 'GET', path: `${service.path}?${query}=${token}` }),
          UNAUTHORIZED,
        )
      const cookie = { cookie: `access_token=${token}; token=${token}; Authorization=Bearer ${token}` }
      expectAnswer(await scope.send({ method: 'GET', path: service.path, headers: cookie }), UNAUTHORIZED)
    }),
    credentialCheck(platform, service),
    check('no spelling of a path gets by without a token', (scope) => noWayAround(scope, service)),
  ]
  return [...checks, ...identityHeaders(platform, service)]
}

/** A request for each endpoint and path of a place, with ids of nothing. */
function requestsOf({ entity }: Place): { method: string; path: string }[] {
  return entity.endpoints.flatMap(({ method, paths }) =>
    paths.map((path) => ({ method, path: path.replaceAll(/\{[^}]*\}/g, () => randomUUID()) })),
  )
}

/** The gateway asks for a token on any path of a service, the service on its endpoints. */
async function refusesAll(
  scope: Scope,
  { method, path }: { readonly method: string; readonly path: string },
  refused: readonly Forgery[],
  expectation: Parameters<typeof expectAnswer>[1],
): Promise<void> {
  for (const { what, header } of refused) {
    const headers = header === undefined ? {} : { authorization: header }
    const exchange = await scope.send({ method, path, headers })
    try {
      expectAnswer(exchange, expectation)
    } catch (error) {
      if (error instanceof ShortfallError) throw new ShortfallError(exchange, `${error.message} (${what})`)
      throw error
    }
  }
}

function credentialCheck(platform: Platform, service: Service): Check {
  const place = placeOf(service)
  const sentence = 'a token that is expired, never expires, or has another issuer or algorithm is 401'
  return placeCheck(platform, place, sentence, { entities: 0 }, async (scope) => {
    const { credential } = scope.world
    if (!credential)
      throw new SkipError('it takes the credential of the gateway to sign such tokens (--credentials)')
    const [caller] = await scope.world.residents(1)
    const token = caller?.token ?? ''
    const anywhere = { method: 'GET', path: `${service.path}/${randomUUID()}` }
    await refusesAll(scope, anywhere, signedForgeries(token, credential), UNAUTHORIZED)
    // The gateway looks at issuer, signature and expiry, the service at the rest.
    const nameless = { status: 401, headers: { 'www-authenticate': /^Bearer\b/ } }
    for (const endpoint of requestsOf(place).slice(0, 1))
      await refusesAll(scope, endpoint, namelessTokens(token, credential), nameless)
    const now = Math.floor(Date.now() / 1000)
    const key = Buffer.from(credential.secret, 'base64url')
    const valid = sign({ id: idOf(token), iss: credential.id, iat: now, exp: now + 600 }, key)
    const headers = { authorization: `Bearer ${valid}` }
    const exchange = await scope.send({ method: 'GET', path: `${service.path}/${randomUUID()}`, headers })
    expectThat(
      exchange.answer.status !== 401,
      exchange,
      'a token with the right issuer, key and expiry counts',
    )
  })
}

/** Whatever a proxy makes of such paths, nobody gets in on them. */
async function noWayAround(scope: Scope, service: Service): Promise<void> {
  const { path } = service
  const id = randomUUID()
  const name = path.slice('/api/'.length)
  const ways = [
    `/api//${name}/${id}`,
    `//api/${name}/${id}`,
    `/api/./${name}/${id}`,
    `/api/auth/../${name}/${id}`,
    `/api/auth/..%2f${name}/${id}`,
    `/api/auth/%2e%2e/${name}/${id}`,
    `/api/auth/.%2E/${name}/all`,
    `/api/auth/..;/${name}/${id}`,
    `/api/auth\\..\\${name}\\${id}`,
    `/api/%2e/${name}/${id}`,
    `/api/${encodeFirst(name)}/${id}`,
    `/api%2f${name}/${id}`,
    `/api/${name.toUpperCase()}/${id}`,
    `${path};x/${id}`,
    `${path}/../${name}/all`,
    `${path}%00/${id}`,
  ]
  for (const way of ways)
    for (const method of ['GET', 'DELETE']) {
      const exchange = await scope.send({ method, path: way })
      expectThat([400, 401, 404].includes(exchange.answer.status), exchange, '401 (or 400 or 404)')
    }
}

function encodeFirst(name: string): string {
  return `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`
}

/** Headers in which proxies pass on who somebody is. */
function identityHeaders(platform: Platform, service: Service): Check[] {
  const place = placeOf(service)
  if (!serves(place, 'create', 'read') || service.readable === 'all') return []
  const sentence = 'headers that claim to be another user are ignored (2 users)'
  return [
    placeCheck(platform, place, sentence, { entities: 2 }, async (scope) => {
      const [owner, other = owner] = await scope.callers(place, 2)
      const made = await scope.make(place, { by: owner })
      const path = scope.pathOf(made)
      const read = async (as: Caller): Promise<Exchange> =>
        scope.send({ method: 'GET', path, as, headers: claimsToBe(owner) })
      expectAnswer(await read(other), { status: 404, error: notFound(place, made.id) })
      const mine = await scope.make(place, { by: other, headers: claimsToBe(owner) })
      expectAnswer(await scope.send({ method: 'GET', path: scope.pathOf(mine), as: other }), { status: 200 })
      expectAnswer(await scope.send({ method: 'GET', path: scope.pathOf(mine), as: owner }), {
        status: 404,
        error: notFound(place, mine.id),
      })
      expectAnswer(
        await scope.send({
          method: 'GET',
          path: collectionPath(place, undefined),
          headers: claimsToBe(owner),
        }),
        {
          status: 401,
        },
      )
    }),
  ]
}

function claimsToBe({ id, token = '' }: Caller): Record<string, string> {
  const payload = token.split('.')[1] ?? ''
  return {
    'x-user-id': id,
    'x-jwt-payload': payload,
    'x-consumer-id': id,
    'x-consumer-custom-id': id,
    'x-authenticated-userid': id,
    'x-forwarded-user': id,
    'x-auth-request-user': id,
    'x-forwarded-authorization': `Bearer ${token}`,
    x_user_id: id,
    // A gateway has no reason to remove this one (RFC 9110, 10.1.2); a service must not believe it all the same.
    from: id,
  }
}
