import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hundred } from '../../../scripts/hundred-definition.ts'
import { compile } from '../../../src/compile.ts'
import { emitCompose } from '../../../src/emit/compose/emit.ts'
import { wholeDefinition } from '../../example-definition.ts'
import { SMALL } from './definitions.ts'
import { docker, outcomeOf } from './docker.ts'
import { uniqueName } from './unique-name.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
/** All goldens and examples but those that ask for another provider. */
const DEFINITIONS = globSync(['test/golden/*/input.*', 'examples/*/*.{portico,temple}'], { cwd: ROOT })
  .map((file) => [file, wholeDefinition(path.join(ROOT, file))] as const)
  .filter(([, text]) => !/#provider\((?!dockerCompose)/.test(text))
  .sort(([one], [other]) => (one < other ? -1 : 1))

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'portico-compose-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Writes what Compose reads of a definition's project, and gives the directory. */
async function composeProject(text: string): Promise<string> {
  const { platform } = compile(text)
  if (!platform) throw new Error(text)
  const project = await mkdtemp(path.join(directory, 'project-'))
  for (const { path: name, content } of emitCompose(platform)) {
    await mkdir(path.dirname(path.join(project, name)), { recursive: true })
    await writeFile(path.join(project, name), content)
  }
  return project
}

describe('Compose accepts the configuration of', () => {
  test.each(DEFINITIONS)('%s', async (_, text) => {
    const cwd = await composeProject(text)
    const { status, stdout, stderr } = await outcomeOf(
      'docker',
      ['compose', '--profile', '*', 'config', '--format', 'json'],
      { cwd },
    )
    expect([status, stderr]).toEqual([0, ''])
    const { networks, services } = JSON.parse(stdout) as Configuration
    const names = Object.keys(services)
    const monitoring = names.includes('grafana') ? ['monitoring'] : []
    expect(Object.keys(networks).sort()).toEqual(
      ['default', ...monitoring, ...names.filter((name) => name.endsWith('-db'))].sort(),
    )
  })
})

interface Configuration {
  readonly networks: Readonly<Record<string, unknown>>
  readonly services: Readonly<Record<string, unknown>>
}

test('an external database replaces the container of the same service', async () => {
  const cwd = await composeProject(SMALL)
  const url = 'postgres://home@database.example.org:5432/home'
  const env = { HOME_DATABASE_URL: url }
  const config = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await outcomeOf('docker', ['compose', 'config', ...args], { cwd, env })
    expect([status, stderr]).toEqual([0, ''])
    return stdout
  }
  const names = (await config('--services')).trim().split('\n').sort()
  expect(names).toEqual([
    'auth',
    'auth-db',
    'auth.migrate',
    'gateway',
    'home',
    'home.migrate',
    'owner',
    'owner-db',
    'owner.migrate',
  ])
  const { services } = JSON.parse(await config('--format', 'json')) as Configuration
  for (const name of ['home', 'home.migrate'])
    expect(services[name]).toMatchObject({ environment: { DATABASE_URL: url } })
  for (const name of ['owner', 'owner.migrate'])
    expect(services[name]).toMatchObject({
      environment: { DATABASE_URL: 'postgres://owner@owner-db:5432/owner' },
    })
})

// Images of code are left to other tests: here they are stand-ins, since no container is started.
test('the engine can create all networks, volumes and containers of a hundred services', async () => {
  const cwd = await composeProject(hundred(100))
  const project = await uniqueName()
  const compose = (...args: readonly string[]) =>
    outcomeOf('docker', ['compose', '--project-name', project, ...args], { cwd, env: { TAG: project } })
  const { stdout } = await compose('config', '--images')
  const built = [...new Set(stdout.split('\n').filter((image) => image.endsWith(`:${project}`)))]
  expect(built).toHaveLength(101)
  for (const image of built) await docker('tag', 'node:26.10.0-slim', image)
  try {
    const created = await compose('create', '--no-build')
    expect(created.status, created.stderr).toBe(0)
    const list = (...args: readonly string[]) =>
      docker(...args, '--quiet', '--filter', `label=com.docker.compose.project=${project}`).then(
        (ids) => ids.split('\n').length,
      )
    expect(await list('ps', '--all')).toBe(3 * 101 + 1)
    expect(await list('network', 'ls')).toBe(101 + 1)
    expect(await list('volume', 'ls')).toBe(101)
  } finally {
    await compose('down', '--volumes', '--remove-orphans')
    await docker('rmi', ...built)
  }
})
