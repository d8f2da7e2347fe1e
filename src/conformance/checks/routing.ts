import { randomUUID } from 'node:crypto'
import type { Method } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import type { Exchange } from '../exchange.ts'
import { expectResponse, expectThat } from '../expect.ts'
import { collectionPath, itemPath, listPath, type Resource } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'
import { resourceCheck } from './resource-check.ts'
import { SERVICE_TEXTS } from '../../model/error-texts.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const

/** Checks which paths and methods a resource serves. */
export function routingChecks(resource: Resource): Check[] {
  return [
    resourceCheck(
      resource,
      `serves ${resource.entity.endpoints.map(({ operation }) => operation).join(', ') || 'nothing'}; other requests return 405 or 404`,
      { entities: 0 },
      async (context) => {
        const as = await context.user(resource)
        for (const { path, methods } of paths(resource))
          for (const method of METHODS) {
            if (methods.includes(method as Method)) continue
            const exchange = await context.send({
              method,
              path,
              as,
              body: method === 'GET' ? undefined : '{}',
            })
            // The user's own routes may serve more, and find nothing.
            const isOwn = exchange.response.status !== 405 || methods.length === 0
            if (isOwn && !context.test.isolated) continue
            if (methods.length === 0)
              expectResponse(exchange, { status: 404, error: SERVICE_TEXTS.pathNotFound })
            else expectNotAllowed(context, exchange, methods)
          }
      },
    ),
    resourceCheck(resource, 'unknown paths below it return 404', { entities: 0 }, async (context) => {
      const as = await context.user(resource)
      const item = itemPath(resource, randomUUID(), randomUUID())
      for (const path of [
        `${item}/no-such-thing`,
        `${item}/no/such/thing`,
        `${item}/no-such-thing/${randomUUID()}`,
      ])
        for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
          expectResponse(await context.send({ method, path, as }), {
            status: 404,
            error: SERVICE_TEXTS.pathNotFound,
          })
    }),
  ]
}

interface Routed {
  readonly path: string
  readonly methods: readonly Method[]
}

/** Returns all forms of the resource's paths with their methods. The ids do not have to exist. */
function paths(resource: Resource): Routed[] {
  const parentId = randomUUID()
  const methodsAt = (pattern: RegExp): Method[] =>
    resource.entity.endpoints
      .filter((endpoint) => endpoint.paths.some((path) => pattern.test(path)))
      .map(({ method }) => method)
  const item = { path: itemPath(resource, parentId, randomUUID()), methods: methodsAt(/\/\{id\}$/) }
  const collection = { path: collectionPath(resource, parentId), methods: methodsAt(/^(?!.*\/all$).*[^}]$/) }
  const list = methodsAt(/\/all$/)
  if (list.length === 0) return [collection, item]
  const all = { path: listPath(resource, parentId), methods: list }
  if (!resource.struct) return [collection, item, all]
  return [
    collection,
    item,
    all,
    { path: `${collectionPath(resource, parentId)}/${randomUUID()}/all`, methods: list },
  ]
}

function expectNotAllowed(context: CheckContext, exchange: Exchange, methods: readonly Method[]): void {
  expectResponse(exchange, { status: 405, error: SERVICE_TEXTS.methodNotAllowed })
  const allowed = (exchange.response.headers['allow'] ?? '')
    .split(/ *, */)
    .filter((method) => method !== 'HEAD')
  // The user's own routes may allow more.
  const extra = context.test.isolated ? allowed.filter((method) => !methods.includes(method as Method)) : []
  const missing = methods.filter((method) => !allowed.includes(method))
  expectThat(extra.length === 0 && missing.length === 0, exchange, `405 allow: ${methods.join(', ')}`)
}
