import { expect } from 'vitest'
import { testPatterns } from '../../examples/patterns.ts'
import { runGo } from './run-go.ts'

testPatterns('go', async (output) => {
  expect(await runGo('gofmt', ['-l', '.'], output)).toBe('')
  expect(await runGo('go', ['vet', './...'], output)).toBe('')
})
