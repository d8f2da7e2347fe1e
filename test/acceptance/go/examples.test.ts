import { copyFileSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf } from '../../emit/platform.ts'
import { writeFiles } from '../../emit/service-process.ts'
import { EXAMPLES_TO_RUN, userFilesOf } from '../../examples/example.ts'
import { readmeCommands } from '../../examples/readme-commands.ts'
import { postgresUrl } from '../../postgres.ts'
import { runGo } from './run-go.ts'

const EXAMPLES = EXAMPLES_TO_RUN.filter(({ isInGo }) => isInGo)

readmeCommands(EXAMPLES)

test.each(EXAMPLES)(
  'the code of $name has the layout of gofmt, and its tests pass',
  async ({ name, definition }) => {
    const directory = await writeFiles(emitProject(platformOf(readFileSync(definition, 'utf8'))))
    const platform = path.join(path.dirname(definition), 'platform')
    for (const file of userFilesOf(name)) copyFileSync(path.join(platform, file), path.join(directory, file))
    expect(await runGo('gofmt', ['-l', '.'], directory)).toBe('')
    const environment = { TEST_DATABASE_URL: await postgresUrl() }
    const output = await runGo('go', ['test', '-count=1', './loan', './tool'], directory, environment)
    await rm(directory, { recursive: true })
    expect(output).toMatch(/^ok .*\/loan\s.*\nok .*\/tool\s.*\n$/)
  },
)
