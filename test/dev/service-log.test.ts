import { expect, test } from 'vitest'
import { readServiceLine } from '../../src/dev/service-log.ts'

test('a line of the log is its message and what is new in its fields', () => {
  const line = JSON.stringify({
    time: 'T',
    level: 'warn',
    message: 'slow',
    service: 'home',
    ms: 3,
    by: 'x',
    all: [1],
  })
  expect(readServiceLine(line, 'info')).toEqual({
    level: 'warn',
    message: 'slow',
    fields: [
      ['ms', '3'],
      ['by', 'x'],
      ['all', '[1]'],
    ],
    places: [],
  })
})

test.each(['plain text', '{broken', '{"no": "text"}', '[1]', '"text"', '{"message"'])(
  '%s is shown as it is',
  (line) => {
    expect(readServiceLine(line, 'error')).toEqual({ level: 'error', message: line, fields: [], places: [] })
  },
)

test.each(['', '  ', '{"level":"info","message":"request"}', '{"level":"info","message":"ready","port":1}'])(
  '%j is not shown',
  (line) => {
    expect(readServiceLine(line, 'info')).toBeUndefined()
  },
)

test('an error is its name and message, and the places in the files of the service', () => {
  const line = JSON.stringify({
    level: 'error',
    message: 'A request failed',
    requestId: '8bbe',
    error: 'RangeError',
    stack: [
      'at file:///home/ada/src/shop/order/src/setup.ts:5:40',
      'at runHooks (file:///home/ada/src/shop/order/src/hook-lists.ts:33:26)',
      'at process.processTicksAndRejections (node:internal/process/task_queues:104:5)',
      'at async file:///home/ada/portico/dist/dependencies/@hono/node-server.mjs:2:33502',
      'at parse (file:///home/ada/src/shop/order/node_modules/left/src/pad.js:1:1)',
    ],
    reason: 'thirteen!',
  })
  expect(readServiceLine(line, 'info')).toEqual({
    level: 'error',
    message: 'A request failed: RangeError: thirteen!',
    fields: [['requestId', '8bbe']],
    places: ['at src/setup.ts:5:40', 'at runHooks (src/hook-lists.ts:33:26)'],
  })
})

test('a request that went wrong is shown', () => {
  expect(readServiceLine('{"level":"error","message":"request"}', 'info')).toMatchObject({
    message: 'request',
  })
})
