import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '../../src/conformance/client.ts'
import { bodyWith, requestAttributes } from '../../src/conformance/body.ts'
import { collectionPath, itemPath, type Resource, resourcesOf } from '../../src/conformance/resource.ts'
import { CheckContext } from '../../src/conformance/check-context.ts'
import { TestContext } from '../../src/conformance/test-context.ts'
import { NO_SAMPLES } from '../../src/conformance/samples.ts'
import { startTestPlatform, type TestPlatform } from './platform.ts'
import { unlinkedValues } from '../../src/conformance/entity-values.ts'

const DEFINITION = `
Fuzzed: project {}
Everything: service {
  flag: bool; text: string(40, 2); free: string; count: int(40, 1); big: int(precision: 8); ratio: float(10, -10, 4);
  number: float; day: date; hour: time; moment: datetime; bytes: data(300); name: string @unique;
  constructor: string(9); Part: struct { everything: Everything; note: string(10) @unique; #enumerable; }
  #enumerable;
}`

/** JSON texts that are hard to parse. */
const TEXTS = [
  'null',
  'true',
  '-0',
  '1e400',
  '-1e-400',
  '9007199254740993',
  '1e99999',
  '0.1e1',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '{}',
  '"\\udc00\\ud800"',
  '"2024-02-30"',
  '"24:00:00"',
  '"infinity"',
  '"now"',
  '"NaN"',
  '[[[[[]]]]]',
  '{"__proto__":{}}',
  '"0001-01-01T00:00:00+14:00"',
  '"018f6d1e-0000-7000-8000-000000000000"',
  `"'; DROP TABLE everything; --"`,
  '"$1"',
  `"${'a'.repeat(5000)}"`,
  `"${'A'.repeat(5000)}="`,
  '1'.repeat(5000),
  `${'['.repeat(3000)}${']'.repeat(3000)}`,
]

const mutations = fc.record({
  attribute: fc.nat(),
  text: fc.oneof(
    fc.constantFrom(...TEXTS),
    fc.json(),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  ),
  cut: fc.option(fc.nat(), { nil: undefined, freq: 3 }),
  flipped: fc.option(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { nil: undefined, freq: 3 }),
  update: fc.boolean(),
})

let platform: TestPlatform
let client: Client

beforeAll(async () => {
  platform = await startTestPlatform(DEFINITION)
  client = new Client(platform.target.gateway, 8)
})

afterAll(async () => {
  await client?.close()
  await platform?.stop()
})

test('no body causes a status of 500 or above', async () => {
  const context = new CheckContext(new TestContext(platform.platform, client, platform.target))
  const [service] = platform.platform.services
  const resources = service ? resourcesOf({ platform: platform.platform, service, samples: NO_SAMPLES }) : []
  const entities = await Promise.all(
    resources.map(async (resource) => ({
      resource,
      created: await context.create(resource, { user: await context.user(resource) }),
    })),
  )
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...entities), mutations, async ({ resource, created }, mutation) => {
      const update = mutation.update
      const exchange = await client.send({
        method: update ? 'PUT' : 'POST',
        path: update
          ? itemPath(resource, created.parent?.id, created.id)
          : collectionPath(resource, created.parent?.id),
        body: mutated(resource, mutation),
      })
      statuses.add(exchange.response.status)
    }),
    { numRuns: 1500 },
  )
  // Some of the bodies are valid, and two of these may have the same unique value.
  statuses.delete(409)
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 201, 400])
  expect(platform.errors).toEqual([])
})

function mutated(
  resource: Resource,
  { attribute, text, cut, flipped }: typeof mutations extends fc.Arbitrary<infer T> ? T : never,
): Uint8Array {
  const attributes = requestAttributes(resource)
  const name = attributes[attribute % attributes.length]?.names.declared ?? ''
  const bytes = Buffer.from(bodyWith(unlinkedValues(resource), { [name]: text }))
  if (flipped && bytes.length > 0) bytes[flipped[0] % bytes.length] = flipped[1]
  return cut === undefined ? bytes : bytes.subarray(0, cut % (bytes.length + 1))
}
