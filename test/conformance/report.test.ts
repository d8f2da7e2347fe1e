import { expect, test } from 'vitest'
import type { CheckResult } from '../../src/conformance/check.ts'
import type { Exchange } from '../../src/conformance/exchange.ts'
import { countLine, hookLines, resultJson, resultLines } from '../../src/conformance/report.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

const EXCHANGE: Exchange = {
  request: {
    method: 'PUT',
    path: '/api/home/1',
    headers: { 'x-user-id': '2' },
    body: '{"a":"\u001b[31m"}',
    as: 'Bob',
  },
  response: { status: 200, headers: { 'content-type': 'application/json', date: 'now' }, text: '{"id":"1"}' },
}

function result(outcome: CheckResult['outcome'], more: Partial<CheckResult> = {}): CheckResult {
  return {
    group: 'Home',
    title: `it ${outcome}`,
    outcome,
    reason: undefined,
    violation: undefined,
    ...more,
  }
}

const RESULTS = [
  result('passed'),
  result('skipped', { reason: 'Home has no create endpoint' }),
  result('failed', { violation: { exchange: EXCHANGE, expected: '404 {"error":"Home not found: 1"}' } }),
  result('failed', { group: 'Home.Photo', violation: { exchange: undefined, expected: 'ascending ids' } }),
]

test('results are grouped; violations show the request, the response and the expectation', () => {
  expect(resultLines(RESULTS, PAINT, false)).toEqual([
    'Home',
    '  ✔ it passed',
    '  - it skipped (skipped: Home has no create endpoint)',
    '  ✖ it failed',
    '      request:  PUT /api/home/1 as Bob x-user-id: 2 {"a":"\\u001b[31m"}',
    '      response: 200 content-type: application/json {"id":"1"}',
    '      expected: 404 {"error":"Home not found: 1"}',
    'Home.Photo',
    '  ✖ it failed',
    '      expected: ascending ids',
  ])
})

test('only failures are shown on request', () => {
  expect(resultLines(RESULTS.slice(0, 2), PAINT, true)).toEqual([])
  expect(resultLines(RESULTS, PAINT, true)[0]).toBe('Home')
})

test('the summary counts failed and skipped checks', () => {
  expect(countLine({ results: RESULTS, requests: 12 })).toBe(
    '4 checks: 1 passed, 2 failed, 1 skipped (12 requests)',
  )
  expect(countLine({ results: RESULTS.slice(0, 1), requests: 1 })).toBe('1 check: 1 passed (1 request)')
})

test('a result is one line of JSON', () => {
  expect(RESULTS.map((one) => JSON.parse(resultJson(one)) as unknown)).toEqual([
    { group: 'Home', check: 'it passed', outcome: 'passed' },
    { group: 'Home', check: 'it skipped', outcome: 'skipped', reason: 'Home has no create endpoint' },
    {
      group: 'Home',
      check: 'it failed',
      outcome: 'failed',
      expected: '404 {"error":"Home not found: 1"}',
      request: 'PUT /api/home/1 as Bob x-user-id: 2 {"a":"\\u001b[31m"}',
      response: '200 content-type: application/json {"id":"1"}',
    },
    { group: 'Home.Photo', check: 'it failed', outcome: 'failed', expected: 'ascending ids' },
  ])
})

test('checks that hooks made skip are grouped by request and status, the most first', () => {
  const by = (error: string, request = 'PUT /api/home/{id}'): CheckResult =>
    result('skipped', { reason: 'a hook', hook: { request, status: 400, error } })
  expect(
    hookLines(
      [...RESULTS, by('a', 'POST /api/home'), ...['b', 'c', 'b', 'd', 'e'].map((error) => by(error))],
      PAINT,
    ),
  ).toEqual([
    'Skipped because of hooks',
    '  - 5 checks: PUT /api/home/{id} responds with 400 "b", "c" or 2 other messages',
    '  - 1 check: POST /api/home responds with 400 "a"',
  ])
  expect(hookLines(RESULTS, PAINT)).toEqual([])
  expect(JSON.parse(resultJson(by('a')))).toMatchObject({
    reason: 'a hook',
    hook: { request: 'PUT /api/home/{id}', status: 400, error: 'a' },
  })
})
