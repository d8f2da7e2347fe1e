import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { dependenciesOf } from '../../../src/emit/typescript/dependencies.ts'
import { packageFiles } from '../../../src/emit/typescript/package-files.ts'
import { usedTargets } from '../../../src/emit/targets.ts'
import { platformOf } from '../../emit/platform.ts'
import { writeFiles } from '../../emit/service-process.ts'

const run = promisify(execFile)

test.each([
  ['P: project {} Home: service { name: string; }'],
  ['P: project {} Host: service { name: string; } Home: service { host: Host; }'],
  ['P: project { #authMethod(email); } Host: service { #auth; } Home: service { host: Host; }'],
])('npm ci installs %s', async (definition) => {
  const [used] = usedTargets(platformOf(definition))
  if (used === undefined) throw new Error('A platform has services')
  const directory = await writeFiles(packageFiles(used.part), {}, false)
  // npm run --silent passes its log level on, at which npm says nothing.
  const command = ['ci', '--loglevel=notice', '--omit=dev', '--no-audit', '--no-fund', '--ignore-scripts']
  const { stdout } = await run('npm', command, { cwd: directory, env: { ...process.env, NODE_ENV: '' } })
  expect(stdout).toMatch(/added \d+ packages/)
  const names = JSON.stringify(dependenciesOf(used.part))
  await run(process.execPath, ['-e', `Promise.all(${names}.map((name) => import(name)))`], { cwd: directory })
})
