import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shape } from '../../examples/console.ts'
import { typeErrors } from '../../compiler.ts'
import {
  commandsOf,
  readActions,
  readTutorial,
  runWalkthrough,
  type Walkthrough,
} from '../../examples/walkthrough.ts'

describe('docs/tutorial.md', () => {
  const actions = readActions(readTutorial())
  const commands = commandsOf(actions)
  let walkthrough: Walkthrough

  beforeAll(async () => {
    walkthrough = await runWalkthrough(actions)
  })
  afterAll(() => walkthrough.remove())

  test.each(commands.map((step, index) => [step.command, index] as const))('%s', (_command, index) => {
    const printed = walkthrough.printed[index] ?? ''
    expect(shape(printed), 'run `npm run record:examples tutorial` and read the diff').toBe(
      shape(commands[index]?.output ?? ''),
    )
  })

  test('runs the job', () => {
    const [, shown = ''] = /```text\n(.*?)```/s.exec(readTutorial()) ?? []
    const log = readFileSync(join(walkthrough.directory, 'platform.txt'), 'utf8')
    expect(shape(log)).toContain(shape(shown))
  })

  test('ends with user code that compiles', async () => {
    expect(await typeErrors(join(walkthrough.directory, 'cookbook'))).toBe('')
  })
})
