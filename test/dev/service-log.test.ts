import { expect, test } from 'vitest'
import { parseOutputLine } from '../../src/dev/service-log.ts'

const ORDER = 'file:///home/ada/src/shop/order/'

const readLogLine = (text: string, fallback: 'info' | 'error') => {
  const output = parseOutputLine(text, fallback, ORDER)
  return output.kind === 'line' ? output.line : undefined
}

test('a log line has its message and its specific fields', () => {
  const line = JSON.stringify({
    time: 'T',
    level: 'warn',
    message: 'slow',
    service: 'home',
    ms: 3,
    by: 'x',
    all: [1],
  })
  expect(readLogLine(line, 'info')).toEqual({
    level: 'warn',
    message: 'slow',
    fields: [
      ['ms', '3'],
      ['by', 'x'],
      ['all', '[1]'],
    ],
    frames: [],
  })
})

test.each(['plain text', '{broken', '{"no": "text"}', '[1]', '"text"', '{"message"'])(
  '%s is shown as it is',
  (line) => {
    expect(readLogLine(line, 'error')).toEqual({ level: 'error', message: line, fields: [], frames: [] })
  },
)

test.each(['', '  ', '{"level":"info","message":"request"}', '{"level":"info","message":"stopped"}'])(
  '%j is not shown',
  (line) => {
    expect(readLogLine(line, 'info')).toBeUndefined()
  },
)

test('an error has its name, its message and the frames in the files of the service', () => {
  const line = JSON.stringify({
    level: 'error',
    message: 'Request failed',
    requestId: '8bbe',
    err: {
      type: 'RangeError',
      message: 'thirteen!',
      code: 'E13',
      stack: [
        '    at file:///home/ada/src/shop/order/src/setup.ts:5:40',
        '    at run (file:///home/ada/src/shop/lib/hooks.ts:33:26)',
        '    at async withHooks (file:///home/ada/src/shop/order/src/routes/order.ts:33:26)',
        '    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)',
        '    at async file:///home/ada/portico/dist/dependencies/@hono/node-server.mjs:2:33502',
        '    at parse (file:///home/ada/src/shop/node_modules/left/src/pad.js:1:1)',
      ].join('\n'),
    },
  })
  expect(readLogLine(line, 'info')).toEqual({
    level: 'error',
    message: 'Request failed: RangeError: thirteen!',
    fields: [
      ['requestId', '8bbe'],
      ['code', 'E13'],
    ],
    frames: ['at src/setup.ts:5:40', 'at async withHooks (src/routes/order.ts:33:26)'],
  })
})

test('the error that ends a service is not shown as a line', () => {
  const fatal = {
    level: 'fatal',
    message: 'Could not start',
    err: { type: 'TypeError', message: 'no', stack: 'at x' },
  }
  expect(parseOutputLine(JSON.stringify(fatal), 'info', ORDER)).toEqual({
    kind: 'fatal',
    message: 'TypeError: no',
    stack: 'at x',
  })
})

test.each([
  [{ constraint: 'note_text_key', table: 'note' }, ', constraint note_text_key, table note'],
  [{ table: 'note', column: 'text' }, ', table note, column text'],
  [{}, ''],
])(
  'a database error without a message that ends a service has its SQLSTATE and names: %j',
  (names, shown) => {
    const err = { type: 'error', code: '23505', ...names, query: 'insert', stack: 'at x' }
    const line = JSON.stringify({ level: 'fatal', message: 'Could not start', err })
    expect(parseOutputLine(line, 'info', ORDER)).toEqual({
      kind: 'fatal',
      message: `Database error (SQLSTATE 23505${shown})`,
      stack: 'at x',
    })
  },
)

test('a failed request is shown', () => {
  expect(readLogLine('{"level":"error","message":"request"}', 'info')).toMatchObject({
    message: 'request',
  })
})
