import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { MIN_BODY_BYTES } from '../../limits.ts'
import { bodyOf, bodyWith, requestAttributes, requiredAttributes } from '../body.ts'
import type { Check } from '../check.ts'
import { expectResponse, expectThat, stringOf } from '../expect.ts'
import { collectionPath, itemPath, type Resource } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'
import { invalidValues } from '../values/invalid.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { expectEntityResponse } from './expect-entity.ts'
import { invalidAttributePattern } from './required-attributes.ts'
import { SERVICE_TEXTS } from '../../model/error-texts.ts'
import { unlinkedValues } from '../entity-values.ts'

/** Nesting depth that overflows the stack of a recursive parser. */
const DEEP = 10_000

/** Bodies that are not JSON objects. */
const NOT_OBJECTS: readonly (string | Uint8Array)[] = [
  '[]',
  '[{}]',
  '"a"',
  '1',
  'null',
  'true',
  '{',
  '}',
  '{"a":1',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{,}',
  "{'a':1}",
  '{a:1}',
  '{"a":1}x',
  '{}{}',
  '{"a":01}',
  '{"a":+1}',
  '{"a":.5}',
  '{"a":1.}',
  '{"a":1e}',
  '{"a":NaN}',
  '{"a":Infinity}',
  '{"a":undefined}',
  '{"a":tru}',
  '{"a":"\\x"}',
  '{"a":"\\u12g4"}',
  '{"a":"\\u12"}',
  '{"a":"line\nbreak"}',
  '{"a":"tab\t"}',
  '{"a":"open}',
  '// c\n{}',
  '{"a":1/**/}',
  '\u00a0{}',
  '\u0000{}',
  '{}\u0000',
  'a=1&b=2',
  '<a/>',
  Buffer.from('7b2261223a22ff227d', 'hex'),
  Buffer.from('7b2261223a22c0af227d', 'hex'),
  Buffer.from('7b2261223a22eda080227d', 'hex'),
  Buffer.from('7b2261223a22f0288cbc227d', 'hex'),
  Buffer.from('7b2261223a22e282', 'hex'),
  Buffer.from('fffe7b007d00', 'hex'),
]

/** Update is tested with every fifth body, because create was tested with all. */
const UPDATE_SAMPLE = 5

/** Checks how operations with a body handle arbitrary bytes. */
export function bodyChecks(resource: Resource): Check[] {
  const checks: Check[] = []
  const writes = (['create', 'update'] as const).filter((operation) => hasEndpoints(resource, operation))
  for (const operation of writes) {
    const bodies =
      operation === 'create' ? NOT_OBJECTS : NOT_OBJECTS.filter((_, index) => index % UPDATE_SAMPLE === 0)
    checks.push(
      resourceCheck(
        resource,
        `${operation} rejects bodies that are not JSON objects (${bodies.length} bodies)`,
        { entities: 0 },
        (context) => expectBodiesRejected(context, resource, operation, bodies),
      ),
      resourceCheck(
        resource,
        `${operation} rejects a body of more than ${resource.service.maxBodyBytes} bytes with 413`,
        { entities: 0 },
        async (context) => {
          const as = await context.user(resource)
          const request = {
            method: operation === 'create' ? 'POST' : 'PUT',
            path: somewhere(resource, operation),
            as,
          }
          for (const chunked of [false, true]) {
            const exchange = await context.test.client.sendOversize(
              request,
              resource.service.maxBodyBytes + 1,
              chunked,
            )
            expectResponse(exchange, { status: 413, error: SERVICE_TEXTS.tooLarge })
          }
        },
      ),
    )
  }
  if (hasEndpoints(resource, 'create')) checks.push(oddBodies(resource), contentTypes(resource))
  return checks
}

/** Returns a path of the operation. The body is validated before access is checked, so no entity has to exist. */
function somewhere(resource: Resource, operation: 'create' | 'update'): string {
  return operation === 'create'
    ? collectionPath(resource, randomUUID())
    : itemPath(resource, randomUUID(), randomUUID())
}

async function expectBodiesRejected(
  context: CheckContext,
  resource: Resource,
  operation: 'create' | 'update',
  bodies: typeof NOT_OBJECTS,
): Promise<void> {
  const as = await context.user(resource)
  const request = {
    method: operation === 'create' ? 'POST' : 'PUT',
    path: somewhere(resource, operation),
    as,
  }
  const error = /^Invalid request body: /
  for (const body of bodies) expectResponse(await context.send({ ...request, body }), { status: 400, error })
  for (const open of ['[', '{"":']) {
    const cut = await context.send({ ...request, body: open.repeat(DEEP) })
    expectResponse(cut, { status: 400, error })
  }
  const array = await context.send({ ...request, body: '['.repeat(DEEP) + ']'.repeat(DEEP) })
  expectResponse(array, { status: 400, error })
  const [attribute] = requestAttributes(resource)
  if (!attribute) return
  const name = attribute.names.declared
  for (const [open, close] of [
    ['[', ']'],
    ['{"":', '}'],
  ] as const) {
    const deep = `${open.repeat(DEEP)}1${close.repeat(DEEP)}`
    const exchange = await context.send({
      ...request,
      body: bodyWith(unlinkedValues(resource), { [name]: deep }),
    })
    expectThat(exchange.response.status === 400, exchange, '400')
  }
  if (requiredAttributes(resource).length === 0) return
  for (const body of [undefined, '', ' ']) {
    const exchange = await context.send({ ...request, body })
    expectResponse(exchange, { status: 400, error: /^(Invalid request body: |Missing request parameter)/ })
  }
}

function oddBodies(resource: Resource): Check {
  return resourceCheck(
    resource,
    'the last of two duplicate keys wins; `__proto__` and `constructor` are harmless',
    { entities: 1 },
    async (context) => {
      const user = await context.user(resource)
      const parent = await context.parentFor(resource, user)
      const values = await context.values.generate(resource, user, parent)
      const path = collectionPath(resource, parent?.id)
      const body = bodyOf(values)
      const [attribute] = requestAttributes(resource)
      if (attribute) {
        const name = attribute.names.declared
        const wrong = invalidValues(attribute.type)[0]?.json ?? '{}'
        const last = `${body.slice(0, -1)},${JSON.stringify(name)}:${wrong}}`
        const exchange = await context.send({ method: 'POST', path, as: user, body: last })
        expectResponse(exchange, { status: 400, error: invalidAttributePattern(name) })
      }
      const twice = attribute ? `${JSON.stringify(attribute.names.declared)}:{},` : ''
      const odd = `{${twice}"__proto__":{"a":1},"__proto__":null,"hasOwnProperty":1,"toString":{},${body.slice(1)}`
      const own = requestAttributes(resource).some(({ names }) => names.declared === 'constructor')
      const sent = (own ? odd : odd.replace('{', '{"constructor":{"prototype":{"a":1}},')).replace(',}', '}')
      const exchange = await context.send({ method: 'POST', path, as: user, body: sent })
      expectResponse(exchange, { status: 201 })
      const id = stringOf(exchange, 'id')
      context.track({ resource, parent, id, values, user })
      expectEntityResponse(exchange, 201, { resource, id, values, isolated: context.test.isolated })
    },
  )
}

function contentTypes(resource: Resource): Check {
  return resourceCheck(
    resource,
    'create accepts JSON with any content type, but not compressed, and bodies of at least 64 KiB',
    { entities: 1 },
    async (context) => {
      const user = await context.user(resource)
      const parent = await context.parentFor(resource, user)
      const path = collectionPath(resource, parent?.id)
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/json; charset=utf-16',
        'x',
      ]
      // A rejected body shows that it was parsed as JSON, and stores nothing.
      if (requiredAttributes(resource).length > 0)
        for (const type of types) {
          const request = { method: 'POST', path, as: user, headers: { 'content-type': type }, body: '{}' }
          expectResponse(await context.send(request), {
            status: 400,
            error: /^Missing request parameter\(s\): /,
          })
        }
      const values = await context.values.generate(resource, user, parent)
      const body = bodyOf(values)
      const compressed = await context.send({
        method: 'POST',
        path,
        as: user,
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(body),
      })
      expectResponse(compressed, { status: 415, error: SERVICE_TEXTS.unsupportedEncoding })
      expectThat(
        compressed.response.headers['accept-encoding'] === 'identity',
        compressed,
        '`Accept-Encoding: identity`',
      )
      const padded = `\t\r\n ${body}${' '.repeat(Math.max(0, MIN_BODY_BYTES - Buffer.byteLength(body) - 4))}`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const exchange = await context.send({ method: 'POST', path, as: user, headers, body: padded })
      expectResponse(exchange, { status: 201 })
      context.track({ resource, parent, id: stringOf(exchange, 'id'), values, user })
    },
  )
}
