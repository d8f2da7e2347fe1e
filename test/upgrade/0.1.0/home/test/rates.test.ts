import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seasonalRate } from '../src/rates.ts'

test('summer costs more', () => {
  assert.equal(seasonalRate(100, '2026-07-01T00:00:00Z'), 150)
  assert.equal(seasonalRate(100, '2026-03-01T00:00:00Z'), 100)
})
