import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { runProgram } from '../../client/run-program.ts'
import { platformOf } from '../../emit/platform.ts'
import { writeFiles } from '../../emit/service-process.ts'
import { postgresUrl } from '../../postgres.ts'

const EXAMPLES = path.join(import.meta.dirname, '../../../examples')

test.each(['stays', 'tiny'])('the tests of the generated project of %s pass', async (name) => {
  const files = emitProject(platformOf(readFileSync(path.join(EXAMPLES, name, `${name}.portico`), 'utf8')))
  const env = { ...process.env, TEST_DATABASE_URL: await postgresUrl() }
  const output = await runProgram('npm', ['test'], { cwd: await writeFiles(files), env })
  const passed = Number(/^\S+ pass (\d+)$/m.exec(output)?.[1])
  const testFiles = files.filter(({ path: file }) => file.endsWith('.test.ts'))
  expect(passed, output).toBeGreaterThanOrEqual(testFiles.length)
})

test('the tests of a service end, although it works in the background', async () => {
  const files = emitProject(platformOf(readFileSync(path.join(EXAMPLES, 'tiny', 'tiny.portico'), 'utf8')))
  const setup = `import type { Env } from './hooks.ts'

export default function setup(env: Env): void {
  const interval = setInterval(() => {}, 1000)
  env.onStop(() => clearInterval(interval))
}
`
  const env = { ...process.env, TEST_DATABASE_URL: await postgresUrl() }
  const cwd = await writeFiles(files, { 'note/src/setup.ts': setup })
  expect(await runProgram('npm', ['test'], { cwd, env })).toMatch(/^\S+ fail 0$/m)
}, 60_000)

test('without a Postgres server, they say what to set', async () => {
  const files = emitProject(platformOf(readFileSync(path.join(EXAMPLES, 'tiny', 'tiny.portico'), 'utf8')))
  const env = { ...process.env, TEST_DATABASE_URL: 'postgres://127.0.0.1:1/postgres' }
  await expect(runProgram('npm', ['test'], { cwd: await writeFiles(files), env })).rejects.toThrow(
    'Could not create a database. Set TEST_DATABASE_URL to a Postgres server',
  )
})
