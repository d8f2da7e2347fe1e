import { randomUUID } from 'node:crypto'
import { MIN_BODY_BYTES } from '../../model/limits.ts'
import type { Platform } from '../../model/platform.ts'
import { bodyOf, bodyWith, requestedOf } from '../body.ts'
import type { Check } from '../check.ts'
import { expectAnswer, expectThat, stringOf } from '../expect.ts'
import { collectionPath, itemPath, type Place } from '../place.ts'
import type { Scope } from '../scope.ts'
import { refusedCases } from '../values/refused.ts'
import { placeCheck, serves } from './build.ts'
import { expectEntityAnswer } from './entity.ts'
import { invalid } from './missing.ts'

/** Levels of nesting that no recursive reader survives. */
const DEEP = 10_000

/** Bodies that are no JSON object. */
const NO_OBJECTS: readonly (string | Uint8Array)[] = [
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

/** Every so many of them are tried on update too, where create has shown that they are refused. */
const UPDATED = 5

/** What an operation with a body has to make of any bytes. */
export function bodyChecks(platform: Platform, place: Place): Check[] {
  const checks: Check[] = []
  const writes = (['create', 'update'] as const).filter((operation) => serves(place, operation))
  for (const operation of writes) {
    const bodies =
      operation === 'create' ? NO_OBJECTS : NO_OBJECTS.filter((_, index) => index % UPDATED === 0)
    checks.push(
      placeCheck(
        platform,
        place,
        `${operation} refuses bodies that are no JSON object (${bodies.length} bodies)`,
        { entities: 0 },
        (scope) => refuseBodies(scope, place, operation, bodies),
      ),
      placeCheck(
        platform,
        place,
        `${operation} refuses a body of more than ${place.service.maxBodyBytes} bytes with 413`,
        { entities: 0 },
        async (scope) => {
          const as = await scope.caller(place)
          const ask = {
            method: operation === 'create' ? 'POST' : 'PUT',
            path: somewhere(place, operation),
            as,
          }
          for (const chunked of [false, true]) {
            const exchange = await scope.world.client.sendOversize(
              ask,
              place.service.maxBodyBytes + 1,
              chunked,
            )
            expectAnswer(exchange, { status: 413, error: 'Request body too large' })
          }
        },
      ),
    )
  }
  if (serves(place, 'create')) checks.push(oddBodies(platform, place), contentTypes(platform, place))
  return checks
}

/** A path that the operation is served at. Bodies come before access, so nothing has to be there. */
function somewhere(place: Place, operation: 'create' | 'update'): string {
  return operation === 'create'
    ? collectionPath(place, randomUUID())
    : itemPath(place, randomUUID(), randomUUID())
}

async function refuseBodies(
  scope: Scope,
  place: Place,
  operation: 'create' | 'update',
  bodies: typeof NO_OBJECTS,
): Promise<void> {
  const as = await scope.caller(place)
  const ask = { method: operation === 'create' ? 'POST' : 'PUT', path: somewhere(place, operation), as }
  const error = /^Invalid request body: /
  for (const body of bodies) expectAnswer(await scope.send({ ...ask, body }), { status: 400, error })
  for (const open of ['[', '{"a":']) {
    const cut = await scope.send({ ...ask, body: open.repeat(DEEP) })
    expectAnswer(cut, { status: 400, error })
  }
  const array = await scope.send({ ...ask, body: '['.repeat(DEEP) + ']'.repeat(DEEP) })
  expectAnswer(array, { status: 400, error })
  const [attribute] = requestedOf(place)
  if (!attribute) return
  const name = attribute.names.declared
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = `${open.repeat(DEEP)}1${close.repeat(DEEP)}`
    const exchange = await scope.send({ ...ask, body: bodyWith(scope.emptyDraft(place), { [name]: deep }) })
    expectThat(exchange.answer.status === 400, exchange, '400')
  }
  for (const body of [undefined, '', ' ']) {
    const exchange = await scope.send({ ...ask, body })
    expectAnswer(exchange, { status: 400, error: /^(Invalid request body: |Missing request parameter)/ })
  }
}

function oddBodies(platform: Platform, place: Place): Check {
  return placeCheck(
    platform,
    place,
    'of a key that is there twice the last counts; `__proto__` and `constructor` do no harm',
    { entities: 1 },
    async (scope) => {
      const by = await scope.caller(place)
      const parent = await scope.parentFor(place, by)
      const values = await scope.draft(place, by, parent)
      const path = collectionPath(place, parent?.id)
      const body = bodyOf(values)
      const [attribute] = requestedOf(place)
      if (attribute) {
        const name = attribute.names.declared
        const wrong = refusedCases(attribute.type)[0]?.json ?? '{}'
        const last = `${body.slice(0, -1)},${JSON.stringify(name)}:${wrong}}`
        const exchange = await scope.send({ method: 'POST', path, as: by, body: last })
        expectAnswer(exchange, { status: 400, error: invalid(name) })
      }
      const twice = attribute ? `${JSON.stringify(attribute.names.declared)}:{},` : ''
      const odd = `{${twice}"__proto__":{"a":1},"__proto__":null,"hasOwnProperty":1,"toString":{},${body.slice(1)}`
      const own = requestedOf(place).some(({ names }) => names.declared === 'constructor')
      const sent = (own ? odd : odd.replace('{', '{"constructor":{"prototype":{"a":1}},')).replace(',}', '}')
      const exchange = await scope.send({ method: 'POST', path, as: by, body: sent })
      expectAnswer(exchange, { status: 201 })
      const id = stringOf(exchange, 'id')
      scope.adopt({ place, parent, id, values, by })
      expectEntityAnswer(exchange, 201, { place, id, values, pristine: scope.world.pristine })
    },
  )
}

function contentTypes(platform: Platform, place: Place): Check {
  return placeCheck(
    platform,
    place,
    'create reads JSON whatever its content type, also of 1 MiB',
    { entities: 1 },
    async (scope) => {
      const by = await scope.caller(place)
      const parent = await scope.parentFor(place, by)
      const path = collectionPath(place, parent?.id)
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/json; charset=utf-16',
        'x',
      ]
      // A refused body shows that it was read as JSON, and stores nothing.
      if (requestedOf(place).length > 0)
        for (const type of types) {
          const ask = { method: 'POST', path, as: by, headers: { 'content-type': type }, body: '{}' }
          expectAnswer(await scope.send(ask), { status: 400, error: /^Missing request parameter\(s\): / })
        }
      const values = await scope.draft(place, by, parent)
      const body = bodyOf(values)
      const padded = `\t\r\n ${body}${' '.repeat(Math.max(0, MIN_BODY_BYTES - Buffer.byteLength(body) - 4))}`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const exchange = await scope.send({ method: 'POST', path, as: by, headers, body: padded })
      expectAnswer(exchange, { status: 201 })
      scope.adopt({ place, parent, id: stringOf(exchange, 'id'), values, by })
    },
  )
}
