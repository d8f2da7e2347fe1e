import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { typeErrors } from '../compiler.ts'
import { readSteps, runSteps, shape } from './console.ts'
import { runGo } from '../acceptance/go/run-go.ts'
import { type Example, readReadme, type RunningExample, startExample } from './example.ts'

/** Tests that the commands in READMEs print what the READMEs show. */
export function readmeCommands(examples: readonly Example[]): void {
  describe.each(examples)('$readme', (example) => {
    const steps = readSteps(readReadme(example))
    let running: RunningExample
    let printed: string[]

    beforeAll(async () => {
      running = await startExample(example)
      printed = await runSteps(steps, running.gateway)
    })
    afterAll(() => running.stop())

    test('has commands', () => {
      expect(steps.length).toBeGreaterThan(2)
    })

    test.each(steps.map((step, index) => [step.command, index] as const))('%s', (_command, index) => {
      const expected = steps[index]?.output ?? ''
      expect(shape(printed[index] ?? ''), 'run `npm run record:examples` and read the diff').toBe(
        shape(expected),
      )
    })

    test('belongs to user code that compiles', async () => {
      if (example.isInGo) expect(await runGo('go', ['vet', './...'], running.output)).toBe('')
      else expect(await typeErrors(running.output)).toBe('')
    })
  })
}
