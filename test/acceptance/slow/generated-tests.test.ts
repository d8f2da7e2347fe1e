import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { runProgram } from '../../client/run-program.ts'
import { platformOf } from '../../emit/platform.ts'
import { writeFiles } from '../../emit/service-process.ts'
import { userFilesOf } from '../../examples/example.ts'
import { postgresUrl } from '../../postgres.ts'

const EXAMPLES = path.join(import.meta.dirname, '../../../examples')

/** A hook that calls another service, whose stand-in answers in the first test. */
const CALLING_SETUP = `import { type Env, HookError } from './hooks.ts'

export default function setup(env: Env): void {
  env.hooks.beforeCreate(async (_env, request, _input, caller) => {
    const home = await env.comm.home.read(request.home, caller)
    if (home?.beds !== 1) throw new HookError(400, 'Home has no bed')
  })
}
`

test.each([
  { name: 'stays', changes: { 'stay/src/setup.ts': CALLING_SETUP }, server: postgresUrl },
  // They start a Postgres.
  { name: 'tiny', changes: {}, server: async (): Promise<string> => '' },
])('the tests of the generated project of $name pass', async ({ name, changes, server }) => {
  const files = emitProject(platformOf(readFileSync(path.join(EXAMPLES, name, `${name}.portico`), 'utf8')))
  const env = { ...process.env, TEST_DATABASE_URL: await server() }
  const output = await runProgram('npm', ['test'], { cwd: await writeFiles(files, changes), env })
  const passed = Number(/^\S+ pass (\d+)$/m.exec(output)?.[1])
  const testFiles = files.filter(({ path: file }) => file.endsWith('.test.ts'))
  expect(passed, output).toBeGreaterThanOrEqual(testFiles.length)
})

test('the tests of examples/field pass', async () => {
  const example = path.join(EXAMPLES, 'field')
  const generated = emitProject(platformOf(readFileSync(path.join(example, 'field.portico'), 'utf8')))
  const own = userFilesOf('field')
  const changes = own.map(
    (file) => [file, readFileSync(path.join(example, 'platform', file), 'utf8')] as const,
  )
  const cwd = await writeFiles(generated, Object.fromEntries(changes))
  const env = { ...process.env, TEST_DATABASE_URL: await postgresUrl() }
  const output = await runProgram('npm', ['test'], { cwd, env })
  expect(output).toMatch(/^\S+ fail 0$/m)
  expect(output).toContain('numbers have no gaps')
  expect(output).toContain('a sent invoice is overdue')
  const lines = own
    .filter((file) => file.includes('/src/'))
    .map((file) => linesOf(path.join(example, 'platform', file)))
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(260)
  expect(linesOf(path.join(example, 'field.portico'))).toBeLessThanOrEqual(165)
}, 120_000)

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1

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
