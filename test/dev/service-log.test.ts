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
  })
})

test.each(['plain text', '{broken', '{"no": "text"}', '[1]', '"text"', '{"message"'])(
  '%s is shown as it is',
  (line) => {
    expect(readServiceLine(line, 'error')).toEqual({ level: 'error', message: line, fields: [] })
  },
)

test.each(['', '  ', '{"level":"info","message":"request"}', '{"level":"info","message":"ready","port":1}'])(
  '%j is not shown',
  (line) => {
    expect(readServiceLine(line, 'info')).toBeUndefined()
  },
)

test('a request that went wrong is shown', () => {
  expect(readServiceLine('{"level":"error","message":"request"}', 'info')).toMatchObject({
    message: 'request',
  })
})
