import { changedText, SERVICE_TEXTS } from '../../model/error-texts.ts'
import { bodyOf, requestAttributes } from '../body.ts'
import type { Check } from '../check.ts'
import type { CheckContext } from '../check-context.ts'
import type { RequestOptions } from '../client.ts'
import { type Exchange, ViolationError } from '../exchange.ts'
import { expectResponse, expectThat } from '../expect.ts'
import { entityName, type Resource } from '../resource.ts'
import type { CreatedEntity } from '../test-context.ts'
import { CONCURRENT } from './concurrent.ts'
import { expectStored } from './expect-entity.ts'
import { hasEndpoints, resourceCheck } from './resource-check.ts'

/** No entity has this version. */
const OTHER = '"987654321"'

/** Checks the versions of entities (`#versioned`). */
export function versionChecks(resource: Resource): Check[] {
  const { version } = resource.entity
  if (version === undefined) return []
  const writes = writesOf(resource)
  return [
    ...(hasEndpoints(resource, 'update') ? [counted(resource)] : []),
    ...(hasEndpoints(resource, 'update') && stores(resource) ? [race(resource)] : []),
    ...(hasEndpoints(resource, 'read') ? [notModified(resource)] : []),
    ...(writes.length > 0 ? [refused(resource, writes)] : []),
    ...(writes.length > 0 && version === 'required' ? [required(resource, writes)] : []),
  ]
}

/** Whether an update stores anything. */
const stores = (resource: Resource): boolean => requestAttributes(resource).some(({ stored }) => stored)

/** The methods that can name a version. */
function writesOf(resource: Resource): string[] {
  return [
    ...(hasEndpoints(resource, 'update') ? ['PUT', 'PATCH'] : []),
    ...(hasEndpoints(resource, 'delete') ? ['DELETE'] : []),
  ]
}

function requestOf(context: CheckContext, created: CreatedEntity, method: string): RequestOptions {
  const path = context.pathOf(created)
  const body = method === 'DELETE' ? undefined : bodyOf(created.values)
  return { method, path, as: created.user, body }
}

/** The version in a response. */
function tagOf(exchange: Exchange): string {
  const tag = exchange.response.headers['etag'] ?? ''
  if (!/^"\d+"$/.test(tag)) throw new ViolationError(exchange, 'an ETag with a number, such as "1"')
  return tag
}

function counted(resource: Resource): Check {
  return resourceCheck(
    resource,
    'each change has another version, which responses contain',
    { entities: 1 },
    async (context) => {
      const created = await context.create(resource, { user: await context.user(resource) })
      const put = await context.send(requestOf(context, created, 'PUT'))
      expectResponse(put, { status: 200 })
      const patched = await context.send(requestOf(context, created, 'PATCH'))
      expectResponse(patched, { status: 200 })
      // Without attributes to store, nothing changes.
      expectThat(!stores(resource) || tagOf(put) !== tagOf(patched), patched, 'another ETag')
      if (!hasEndpoints(resource, 'read')) return
      const found = await context.send(requestOf(context, created, 'GET'))
      expectResponse(found, { status: 200, headers: { etag: tagOf(patched) } })
    },
  )
}

function notModified(resource: Resource): Check {
  return resourceCheck(
    resource,
    'If-None-Match returns 304 for the version, also as a weak tag or in a list',
    { entities: 1 },
    async (context) => {
      const created = await context.create(resource, { user: await context.user(resource) })
      const request = { method: 'GET', path: context.pathOf(created), as: created.user }
      const tag = tagOf(await context.send(request))
      for (const tags of [tag, `W/${tag}`, `${OTHER}, ${tag}`, '*']) {
        const exchange = await context.send({ ...request, headers: { 'if-none-match': tags } })
        expectResponse(exchange, { status: 304, headers: { etag: tag } })
        expectThat(exchange.response.text === '', exchange, 'no body')
      }
      const changed = await context.send({ ...request, headers: { 'if-none-match': OTHER } })
      expectResponse(changed, { status: 200, headers: { etag: tag } })
    },
  )
}

function refused(resource: Resource, writes: readonly string[]): Check {
  return resourceCheck(
    resource,
    'If-Match returns 412 for other versions and weak tags, and changes nothing',
    { entities: 1 },
    async (context) => {
      const created = await context.create(resource, { user: await context.user(resource) })
      const next = { ...created, values: await context.values.regenerate(created) }
      for (const method of writes)
        for (const tags of [OTHER, 'W/"1"', `W/"1", ${OTHER}`]) {
          const request = requestOf(context, next, method)
          const exchange = await context.send({ ...request, headers: { 'if-match': tags } })
          expectResponse(exchange, { status: 412, error: changedText(entityName(resource)) })
        }
      await expectStored(context, created, created.values, created.user)
    },
  )
}

function race(resource: Resource): Check {
  return resourceCheck(
    resource,
    `only 1 of ${CONCURRENT} concurrent updates of the same version succeeds`,
    { entities: 1 },
    async (context) => {
      const created = await context.create(resource, { user: await context.user(resource) })
      const request = requestOf(context, created, 'PUT')
      const tag = tagOf(await context.send(request))
      const exchanges = await Promise.all(
        Array.from({ length: CONCURRENT }, () => context.send({ ...request, headers: { 'if-match': tag } })),
      )
      const updated = exchanges.filter(({ response }) => response.status === 200)
      for (const exchange of exchanges)
        if (!updated.includes(exchange))
          expectResponse(exchange, { status: 412, error: changedText(entityName(resource)) })
      expectThat(
        updated.length === 1,
        updated[1] ?? exchanges[0],
        `1 of ${CONCURRENT} responses with 200, not ${updated.length}`,
      )
    },
  )
}

function required(resource: Resource, writes: readonly string[]): Check {
  return resourceCheck(resource, 'requests without If-Match return 428', { entities: 1 }, async (context) => {
    const created = await context.create(resource, { user: await context.user(resource) })
    for (const method of writes)
      expectResponse(await context.test.client.send(requestOf(context, created, method)), {
        status: 428,
        error: SERVICE_TEXTS.preconditionRequired,
      })
    await expectStored(context, created, created.values, created.user)
  })
}
