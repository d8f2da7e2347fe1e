import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSteps, runSteps, shape } from './console.ts'
import { EXAMPLES_TO_RUN, FIRST, readReadme, type RunningExample, startExample } from './example.ts'

describe.each([FIRST, ...EXAMPLES_TO_RUN])('$readme', (example) => {
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
    const expected = steps[index]?.answer ?? ''
    expect(shape(printed[index] ?? ''), 'run `npm run answers` and read what it changed').toBe(
      shape(expected),
    )
  })

  test('belongs to user code that compiles', async () => {
    const projects = globSync('*/src/setup.ts', { cwd: running.output }).map((file) =>
      join(running.output, dirname(dirname(file))),
    )
    expect(projects).not.toEqual([])
    expect(await Promise.all(projects.map(compile))).toEqual(projects.map(() => ''))
  })
})

/** What the compiler says of a service. */
function compile(directory: string): Promise<string> {
  const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
  return new Promise((resolve) => {
    execFile(tsc, ['--project', directory], (_error, stdout, stderr) => resolve(stdout + stderr))
  })
}
