import { randomUUID } from 'node:crypto'
import type { Platform, Service } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import type { User } from '../client.ts'
import { type Exchange, ViolationError, SkipError } from '../exchange.ts'
import { feasibility } from '../feasibility.ts'
import { expectResponse, expectThat } from '../expect.ts'
import { collectionPath, itemPath, type Resource, serviceResource, resourcesOf } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'
import { idOf, sign } from '../jwt.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { notFound } from './expect-entity.ts'
import {
  type InvalidToken,
  forgedTokens,
  malformedHeaders,
  tokensWithoutUser,
  signedInvalidTokens,
} from './invalid-tokens.ts'
import { GATEWAY_TEXTS } from '../../model/error-texts.ts'

const GROUP = 'Gateway'

const UNAUTHORIZED = {
  status: 401,
  message: GATEWAY_TEXTS[401],
  headers: { 'www-authenticate': /^Bearer\b/ },
}

/** Checks paths that do not belong to a service. */
export function gatewayChecks(platform: Platform): Check[] {
  return [
    gatewayCheck('unknown paths return 404, with and without a token', async (context) => {
      const [user] = await context.test.sharedUsers(1)
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
        for (const as of [undefined, user])
          for (const method of ['GET', 'POST'])
            if (!taken.has(path))
              expectResponse(await context.send({ method, path, as }), { status: 404, message: 'Not Found' })
    }),
    gatewayCheck('health, metrics and reference endpoints of services are not reachable', async (context) => {
      const [user] = await context.test.sharedUsers(1)
      for (const path of [
        '/health/live',
        '/health/ready',
        '/metrics',
        '/references',
        `/entities/${randomUUID()}`,
      ])
        for (const prefix of ['', '/api'])
          for (const as of [undefined, user])
            expectResponse(await context.send({ method: 'GET', path: `${prefix}${path}`, as }), {
              status: 404,
              message: 'Not Found',
            })
    }),
    ...(platform.authentication
      ? []
      : [gatewayCheck('tokens are ignored', (context) => ignoresTokens(context, platform))]),
  ]
}

function gatewayCheck(title: string, run: (context: CheckContext) => Promise<void>): Check {
  return { group: GROUP, sequence: GROUP, title, skip: undefined, run }
}

async function ignoresTokens(context: CheckContext, platform: Platform): Promise<void> {
  for (const service of platform.services) {
    const resource = serviceResource({ platform, service, samples: context.test.samples })
    if (!hasEndpoints(resource, 'read')) continue
    const id = randomUUID()
    for (const { header } of malformedHeaders()) {
      if (header === undefined) continue
      const path = itemPath(resource, undefined, id)
      const exchange = await context.send({ method: 'GET', path, headers: { authorization: header } })
      expectResponse(exchange, { status: 404, error: notFound(resource, id) })
    }
  }
}

/** Checks the authentication of a service's requests. */
export function tokenChecks(resource: Resource): Check[] {
  const { platform, service } = resource
  if (!platform.authentication) return []
  const check = (title: string, run: (context: CheckContext) => Promise<void>) =>
    resourceCheck(resource, title, { entities: 0 }, run)
  const checks = [
    check('requests without a token return 401, even to unknown paths', async (context) => {
      const paths = resourcesOf(resource).flatMap(requestsOf)
      const others = [
        { method: 'GET', path: service.path },
        { method: 'DELETE', path: `${service.path}/${randomUUID()}/no/such/thing` },
        { method: 'PATCH', path: `${service.path}/${randomUUID()}` },
        { method: 'OPTIONS', path: service.path },
        { method: 'GET', path: `${service.path}?access_token=x` },
      ]
      for (const { method, path } of [...paths, ...others])
        expectResponse(await context.send({ method, path }), UNAUTHORIZED)
      const head = await context.send({ method: 'HEAD', path: service.path })
      expectResponse(head, { status: 401 })
    }),
    check(
      'malformed and forged tokens return 401, tokens in the query or in cookies are ignored',
      async (context) => {
        const [user] = await context.test.sharedUsers(1)
        const token = user?.token ?? ''
        const anywhere = { method: 'GET', path: `${service.path}/${randomUUID()}` }
        await refusesAll(context, anywhere, [...malformedHeaders(), ...forgedTokens(token)], UNAUTHORIZED)
        for (const query of ['access_token', 'token', 'jwt', 'authorization'])
          expectResponse(
            await context.send({ method: 'GET', path: `${service.path}?${query}=${token}` }),
            UNAUTHORIZED,
          )
        const cookie = { cookie: `access_token=${token}; token=${token}; Authorization=Bearer ${token}` }
        expectResponse(
          await context.send({ method: 'GET', path: service.path, headers: cookie }),
          UNAUTHORIZED,
        )
      },
    ),
    credentialCheck(resource),
    check('no variant of a path bypasses authentication', (context) => noWayAround(context, service)),
  ]
  return [...checks, ...identityHeaders(resource)]
}

/** Returns a request for each endpoint and path of a resource, with random ids. */
function requestsOf({ entity }: Resource): { method: string; path: string }[] {
  return entity.endpoints.flatMap(({ method, paths }) =>
    paths.map((path) => ({ method, path: path.replaceAll(/\{[^}]*\}/g, () => randomUUID()) })),
  )
}

/**
 * Expects all these headers to be rejected. The gateway requires a token on all paths, the service on its endpoints.
 */
async function refusesAll(
  context: CheckContext,
  { method, path }: { readonly method: string; readonly path: string },
  refused: readonly InvalidToken[],
  expectation: Parameters<typeof expectResponse>[1],
): Promise<void> {
  for (const { description, header } of refused) {
    const headers = header === undefined ? {} : { authorization: header }
    const exchange = await context.send({ method, path, headers })
    try {
      expectResponse(exchange, expectation)
    } catch (error) {
      if (error instanceof ViolationError)
        throw new ViolationError(exchange, `${error.message} (${description})`)
      throw error
    }
  }
}

function credentialCheck(resource: Resource): Check {
  const { service } = resource
  const title = 'tokens that are expired, never expire, or have another issuer or algorithm return 401'
  return resourceCheck(resource, title, { entities: 0 }, async (context) => {
    const { credential } = context.test
    if (!credential) throw new SkipError('signing such tokens requires `--credentials`')
    const [user] = await context.test.sharedUsers(1)
    const token = user?.token ?? ''
    const anywhere = { method: 'GET', path: `${service.path}/${randomUUID()}` }
    await refusesAll(context, anywhere, signedInvalidTokens(token, credential), UNAUTHORIZED)
    // The gateway checks issuer, signature and expiry; the service checks the user.
    const nameless = { status: 401, headers: { 'www-authenticate': /^Bearer\b/ } }
    for (const endpoint of requestsOf(resource).slice(0, 1))
      await refusesAll(context, endpoint, tokensWithoutUser(token, credential), nameless)
    const now = Math.floor(Date.now() / 1000)
    const key = Buffer.from(credential.secret, 'base64url')
    const valid = sign({ id: idOf(token), iss: credential.id, iat: now, exp: now + 600 }, key)
    const headers = { authorization: `Bearer ${valid}` }
    const exchange = await context.send({ method: 'GET', path: `${service.path}/${randomUUID()}`, headers })
    expectThat(
      exchange.response.status !== 401,
      exchange,
      'a token with the right issuer, key and expiry to be accepted',
    )
  })
}

/** Expects variants of a path not to bypass authentication. */
async function noWayAround(context: CheckContext, service: Service): Promise<void> {
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
      const exchange = await context.send({ method, path: way })
      expectThat([400, 401, 404].includes(exchange.response.status), exchange, '401 (or 400 or 404)')
    }
}

function encodeFirst(name: string): string {
  return `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`
}

/** Checks headers that proxies use to pass a user's identity. */
function identityHeaders(resource: Resource): Check[] {
  const { service } = resource
  if (!hasEndpoints(resource, 'create', 'read') || service.readable === 'all') return []
  if (service.readable.roles.length > 0 && feasibility(resource).needsRole) return []
  const title = 'headers that claim to be another user are ignored (2 users)'
  return [
    resourceCheck(resource, title, { entities: 2 }, async (context) => {
      const [owner, other = owner] = await context.users(resource, 2)
      const created = await context.create(resource, { user: owner })
      const path = context.pathOf(created)
      const read = async (as: User): Promise<Exchange> =>
        context.send({ method: 'GET', path, as, headers: claimsToBe(owner) })
      expectResponse(await read(other), { status: 404, error: notFound(resource, created.id) })
      const mine = await context.create(resource, { user: other, headers: () => claimsToBe(owner) })
      expectResponse(await context.send({ method: 'GET', path: context.pathOf(mine), as: other }), {
        status: 200,
      })
      expectResponse(await context.send({ method: 'GET', path: context.pathOf(mine), as: owner }), {
        status: 404,
        error: notFound(resource, mine.id),
      })
      expectResponse(
        await context.send({
          method: 'GET',
          path: collectionPath(resource, undefined),
          headers: claimsToBe(owner),
        }),
        {
          status: 401,
        },
      )
    }),
  ]
}

function claimsToBe({ id, token = '' }: User): Record<string, string> {
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
    // Gateways do not remove this header (RFC 9110, 10.1.2), so services must ignore it.
    from: id,
  }
}
