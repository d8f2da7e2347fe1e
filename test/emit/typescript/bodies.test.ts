import { gzipSync } from 'node:zlib'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testLanguage } from '../platform.ts'
import { idOf, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Bodies: project {}
Thing: service {
  flag: bool;
  text: string(20);
  long: string @unique;
  whole: int(100, -100);
  huge: int(precision: 8);
  single: float(precision: 4);
  day: date;
  clock: time;
  moment: datetime;
  bytes: data(100);
  constructor: string;
  Part: struct { code: int(precision: 8) @unique; twin: Other; }
  Other: struct { }
}
`
const NAMES = [
  ...'flag text long whole huge single day clock moment bytes'.split(' '),
  'constructor',
  '__proto__',
  'toString',
  'id',
]
const MAX_BODY_BYTES = 1024 * 1024

let platform: RunningPlatform
let thing: string
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { env: { MAX_BODY_BYTES: String(MAX_BODY_BYTES) } })
  thing = idOf(await platform.call('POST', '/thing', { body: VALID }))
})
afterAll(() => platform.stop())

const VALID = {
  flag: false,
  text: '',
  long: '',
  whole: 0,
  huge: 0,
  single: 0,
  day: '2000-01-01',
  clock: '00:00:00',
  moment: '2000-01-01T00:00:00Z',
  bytes: '',
  constructor: '',
}
const MISSING = `Missing request parameter(s): ${Object.keys(VALID).join(', ')}`

async function post(body: unknown, headers: Record<string, string> = {}) {
  const { status, json } = await platform.call('POST', '/thing', { body, headers })
  return [status, json]
}

describe('a body', () => {
  test.each([
    ['an array', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['a number', '1'],
    ['text after the object', '{} x'],
    ['two objects', '{}{}'],
    ['a trailing comma', '{"a":1,}'],
    ['a single quote', "{'a':1}"],
    ['no colon', '{"a" 1}'],
    ['a bare key', '{a:1}'],
    ['a leading zero', '{"a":01}'],
    ['a bare point', '{"a":1.}'],
    ['a plus sign', '{"a":+1}'],
    ['NaN', '{"a":NaN}'],
    ['a control character', '{"a":"\u0001"}'],
    ['a bad escape', '{"a":"\\x"}'],
    ['a half escape', '{"a":"\\u12"}'],
    ['an open string', '{"a":"b'],
    ['an escaped end', '{"a":"b\\"}'],
    ['an open object', '{"a":{"b":1}'],
    ['brackets that cross', '{"a":[{]}}'],
    ['a truncated literal', '{"a":tru}'],
    ['a comment', '{/**/}'],
    ['nesting without an end', `{"a":${'['.repeat(500_000)}`],
  ])('that is %s is 400', async (_what, body) => {
    const answer = await platform.call('POST', '/thing', { body })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error: expect.stringMatching(/^Invalid request body: /) })
  })

  test.each([
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['overlong UTF-8', Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['a surrogate in UTF-8', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
  ])('in %s is 400', async (_what, body) => {
    const answer = await platform.call('POST', '/thing', { body })
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: expect.stringMatching(/^Invalid request body: /) },
    ])
  })

  test('that is empty counts as an empty object', async () => {
    expect(await post('')).toEqual([400, { error: MISSING }])
  })

  test('may hold anything under keys that are not asked for', async () => {
    // encoding/json reads 10,000 levels, of which the body is one.
    const depth = testLanguage() === 'go' ? 9999 : 10_000
    for (const deep of [
      '['.repeat(depth) + ']'.repeat(depth),
      `${'{"b":'.repeat(depth)}1${'}'.repeat(depth)}`,
    ])
      expect(await post(`{"x":${deep}}`)).toEqual([400, { error: MISSING }])
    const body = `{"x":{"a":[1,{"b":"\\u0000\\ud800"},[],{}],"__proto__":{"text":1}},"__proto__":{"text":1},"id":5}`
    expect(await post(body)).toEqual([400, { error: MISSING }])
  })

  test.each([
    ['keys', `{${Array.from({ length: 80_000 }, (_, index) => `"${index.toString(36)}":0`).join()}}`],
    ['arrays', `{"x":[${'[],'.repeat(300_000)}0]}`],
    ['objects after a text that ends with a backslash', `{"x":"\\\\","y":[${'{},'.repeat(300_000)}0]}`],
  ])('with very many %s is refused before it is parsed', async (_what, body) => {
    expect(await post(body)).toEqual([400, { error: 'Invalid request body: has too many values' }])
  })

  test('may hold any characters in its texts', async () => {
    const text = '\\"\\\\,[{'.repeat(50_000)
    expect(await post(`{"long":"${text}"}`)).toEqual([400, { error: MISSING.replace(' long,', '') }])
  })

  test('counts the last of duplicate keys', async () => {
    const text = JSON.stringify({ ...VALID, long: 'duplicate' })
    const answer = await post(`{"text":1,"flag":"x",${text.slice(1, -1)},"whole":"x","whole":3}`)
    expect(answer).toEqual([201, expect.objectContaining({ whole: 3, text: '' })])
  })

  test('is JSON whatever its content type says', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      expect(await post('{}', { 'content-type': type })).toEqual([400, { error: MISSING }])
    }
  })

  test('is not compressed', async () => {
    const compressed = new Blob([gzipSync('{}')]).stream()
    expect(await post(compressed, { 'content-encoding': 'gzip' })).toEqual([
      415,
      { error: 'Unsupported content encoding' },
    ])
    expect(await post('{}', { 'content-encoding': 'Identity' })).toEqual([400, { error: MISSING }])
  })

  test('too large is 413 with and without Content-Length', async () => {
    const body = `{"x":"${'a'.repeat(MAX_BODY_BYTES)}"}`
    const tooLarge = [413, { error: 'Request body too large' }]
    expect(await post(body)).toEqual(tooLarge)
    const stream = new Blob([body]).stream()
    expect(await post(stream)).toEqual(tooLarge)
    const exact = `{"x":"${'a'.repeat(MAX_BODY_BYTES - 8)}"}`
    expect(await post(exact)).toEqual([400, { error: MISSING }])
    expect(await post(new Blob([exact]).stream())).toEqual([400, { error: MISSING }])
  })

  test('that is cut off harms nothing', async () => {
    const url = new URL(platform.services.get('thing')?.url ?? '')
    const before = await settled()
    for (const head of ['content-length: 100', 'content-length: 20000', 'transfer-encoding: chunked']) {
      const socket = connect(Number(url.port), url.hostname)
      await new Promise<void>((resolve) => {
        socket.write(`POST /thing HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n5\r\n{"x":`, () => resolve())
      })
      socket.destroy()
    }
    expect(await post('{}')).toEqual([400, { error: MISSING }])
    const logged = () => platform.services.get('thing')?.log() ?? []
    await expect
      .poll(() => logged().filter(({ status }) => status === 400).length, { timeout: 5000 })
      .toBe(before + 4)
    expect(logged().filter(({ level }) => level === 'error')).toEqual([])
  })
})

/** The number of requests that got 400, once the log is written. */
async function settled(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 400))
  return (platform.services.get('thing')?.log() ?? []).filter(({ status }) => status === 400).length
}

/** Texts that stand for a value, of every kind and just beside the right ones. */
const value = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '100.5',
    '1e2',
    '-0',
    '0.0',
    '101',
    '-101',
  ),
  fc.integer({ min: -200, max: 200 }).map(String),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc
    .string({ unit: fc.constantFrom('\\u0000', '\\ud800', '\\udc00', 'a', "'", ';--') })
    .map((text) => `"${text}"`),
  fc.constantFrom(
    '"2024-02-30"',
    '"2024-02-29"',
    '"25:00:00"',
    '"12:00:00.1234567"',
    '"2024-02-29T12:00:00Z"',
  ),
  fc.constantFrom('"0000-01-01T00:00:00+23:59"', '"AAAA"', '"AAA"', '"-_-_"', 'true', 'null', '{}', '[[]]'),
)
const entries = fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 14 })
const text = entries.map(
  (list) => `{${list.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`,
)
const valid = fc
  .tuple(fc.constantFrom(...Object.keys(VALID)), value, fc.uuid())
  .map(([name, json, long]) => JSON.stringify({ ...VALID, long, [name]: '@@' }).replace('"@@"', () => json))

// On a busy machine the second one may arrive before the first.
const ARRIVING = { retry: 3 }

test(
  'bodies that exceed the memory for all of them together are 503, but one is always accepted',
  ARRIVING,
  async () => {
    const env = { MAX_BODY_BYTES: String(MAX_BODY_BYTES), MAX_BODY_BYTES_IN_FLIGHT: String(64 * 1024) }
    const small = await runPlatform(DEFINITION, { env })
    const body = { ...VALID, ignored: 'x'.repeat(100_000) }
    try {
      expect((await small.call('POST', '/thing', { body })).status).toBe(201)
      const slow = connect(Number(new URL(small.services.get('thing')?.url ?? '').port), '127.0.0.1')
      const json = JSON.stringify(body)
      slow.on('error', () => {})
      slow.write(
        `POST /thing HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${json.length}\r\n\r\n`,
      )
      slow.write(json.slice(0, 80_000))
      const second = () => small.call('POST', '/thing', { body: { ...body, long: 'other' } })
      await expect.poll(async () => (await second()).status).toBe(503)
      expect((await second()).headers.get('retry-after')).toBe('1')
      slow.write(json.slice(80_000))
      expect(await readAll(slow)).toMatch(/^HTTP\/1\.1 (201|409) /)
      expect((await second()).status).toBe(201)
    } finally {
      await small.stop()
    }
  },
)

test('neither unfinished small bodies nor a body larger than that memory keep others out', async () => {
  const env = { MAX_BODY_BYTES: String(MAX_BODY_BYTES), MAX_BODY_BYTES_IN_FLIGHT: String(64 * 1024) }
  const small = await runPlatform(DEFINITION, { env })
  const port = Number(new URL(small.services.get('thing')?.url ?? '').port)
  const open = (size: number, begin: string) =>
    connect(port, '127.0.0.1').end(
      `POST /thing HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n${begin}`,
    )
  const sockets = [
    ...Array.from({ length: 20 }, () => open(16_000, '{"x":')),
    open(100_000, 'x'.repeat(80_000)),
  ]
  try {
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await small.call('POST', '/thing', { body: VALID })).status).toBe(201)
    expect((await small.call('GET', `/thing/${randomUUID()}`)).status).toBe(404)
  } finally {
    for (const socket of sockets) socket.destroy()
    await small.stop()
  }
})

describe('no body of a fuzzer', () => {
  test.each([
    ['with random attributes', text, [400]],
    ['with one random attribute', valid, [201, 400]],
    ['of random bytes', fc.uint8Array({ maxLength: 200 }), [400]],
    [
      'that is mutated',
      fc.tuple(valid, fc.nat(), fc.string({ unit: 'binary', maxLength: 3 })).map(mutate),
      [201, 400],
    ],
  ])('%s is answered by a 5xx', async (_what, bodies: fc.Arbitrary<string | Uint8Array>, expected) => {
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const path = `/thing/${thing}`
        const [created, updated, part] = await Promise.all([
          platform.call('POST', '/thing', { body }),
          platform.call('PUT', path, { body }),
          platform.call('POST', `${path}/part`, { body }),
        ])
        for (const { status, json } of [created, updated, part]) {
          // Which of the requests at the same time gets a unique value is a matter of luck.
          if (status !== 409) statuses.add(status === 200 ? 201 : status)
          expect(json).toHaveProperty(status < 300 ? 'id' : 'error')
        }
        // What was stored is answered alike.
        if (created.status === 201) {
          const read = await platform.call('GET', `/thing/${idOf(created)}`)
          expect(read.text).toBe(created.text)
        }
      }),
      { numRuns: 150, seed: 1 },
    )
    expect([...statuses].toSorted((a, b) => a - b)).toEqual(expected)
  })

  test('in paths and queries neither', async () => {
    const segment = fc
      .string({ unit: 'binary', minLength: 1 })
      .map((raw) => encodeURIComponent(raw.toWellFormed()))
    const raw = fc.constantFrom(
      '%',
      '%00',
      '%ff',
      '%2e%2e',
      '..%2f',
      '%E0%A4%A',
      '%c0%80',
      "'",
      'all',
      '*',
      ':id',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'PUT', 'DELETE', 'POST', 'HEAD', 'OPTIONS', 'PATCH'),
        fc.array(fc.oneof(segment, raw, fc.constant(thing)), { maxLength: 4 }),
        fc.oneof(segment, raw),
        async (method, segments, query) => {
          const path = ['/thing', ...segments].join('/')
          const { status } = await platform.call(method, `${path}?limit=${query}&after=${query}`)
          expect(status).toBeLessThan(500)
        },
      ),
      { numRuns: 200 },
    )
  })
})

function mutate([body, at, put]: [string, number, string]): string {
  const place = at % body.length
  return body.slice(0, place) + put.toWellFormed() + body.slice(place + put.length)
}

describe('many at once', () => {
  test.each([
    ['short', 'same'],
    ['longer than a row of an index', 'x'.repeat(5000)],
  ])('50 creates of one unique value that is %s leave one', async (_what, long) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => platform.call('POST', '/thing', { body: { ...VALID, long } })),
    )
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)])
    expect(await platform.sql('thing')`select from thing where long = ${long}`).toHaveLength(1)
  })

  test('updates to one unique value leave one', async () => {
    const long = 'y'.repeat(5000)
    const ids = await Promise.all(
      Array.from({ length: 40 }, async (_, index) =>
        idOf(await platform.call('POST', '/thing', { body: { ...VALID, long: `update ${index}` } })),
      ),
    )
    const answers = await Promise.all(
      ids.map((id) => platform.call('PUT', `/thing/${id}`, { body: { ...VALID, long } })),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 39 }, () => 409),
    ])
  })
})
