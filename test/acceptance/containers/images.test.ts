import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { example } from './definitions.ts'
import { docker, type Outcome, outcomeOf } from './docker.ts'
import { generate } from './project.ts'
import { uniqueName } from './unique-name.ts'

const SERVICES = ['auth', 'host', 'home', 'stay', 'review']

const TOKEN = `token-${randomUUID()}`

let directory: string
/** Distinguishes what is built here from what was built before. */
let unique: string

beforeAll(async () => {
  unique = await uniqueName()
  directory = await mkdtemp(path.join(tmpdir(), `${unique}-`))
  await generate(directory, example('stays/stays.portico'))
  // Layers of earlier runs would hide an installation.
  const file = path.join(directory, 'package.json')
  const content = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  await writeFile(file, JSON.stringify({ ...content, description: unique }))
  const add = ['install', '--package-lock-only', '--no-audit', '--no-fund', 'picocolors@1.1.1']
  expect(await outcomeOf('npm', add, { cwd: directory })).toMatchObject({ status: 0 })
  await writeFile(
    path.join(directory, '.npmrc'),
    `//registry.invalid/:_authToken=${TOKEN}\nloglevel=verbose\n`,
  )
})
afterAll(async () => {
  await outcomeOf('docker', ['rmi', '--force', `${unique}-buildkit`, ...SERVICES.map(imageOf)])
  await rm(directory, { recursive: true, force: true })
})

const imageOf = (service: string): string => `stays/${service}:${unique}`

const imageIds = (): Promise<string[]> =>
  Promise.all(SERVICES.map((service) => docker('image', 'inspect', '-f', '{{.Id}}', imageOf(service))))

/** Builds all images with the commands of deploy.sh and the classic builder. Returns what they print. */
async function build(): Promise<string> {
  const script = await readFile(path.join(directory, 'deploy.sh'), 'utf8')
  const [, commands] = /\{ (docker compose build .*); \} >&2/.exec(script) ?? []
  const options = { cwd: directory, env: { TAG: unique, DOCKER_BUILDKIT: '0', first: SERVICES[0] ?? '' } }
  const { status, stdout, stderr } = await outcomeOf('bash', ['-c', commands ?? 'false'], options)
  if (status !== 0) throw new Error(stdout + stderr)
  return stdout + stderr
}

/** How often npm has installed packages. */
const installations = (output: string): number => output.match(/\badded \d+ packages\b/g)?.length ?? 0

describe('with the classic builder', () => {
  test('the dependencies are installed once for all images', async () => {
    const output = await build()
    expect(installations(output), output).toBe(1)
    // npm has read `.npmrc`.
    expect(output).toContain('npm verbose')
  })

  test('no image contains the token of a registry', async () => {
    const find = `find / -xdev -name .npmrc; grep -rl --exclude-dir=proc --exclude-dir=sys ${TOKEN} / || true`
    for (const service of ['auth', 'home']) {
      expect(await docker('run', '--rm', '--user', '0', imageOf(service), 'sh', '-c', find)).toBe('')
      expect(await docker('history', '--no-trunc', imageOf(service))).not.toContain(TOKEN)
    }
  })

  test('an edit of one setup.ts changes one image and installs nothing', async () => {
    const before = await imageIds()
    await appendFile(path.join(directory, 'home/src/setup.ts'), '\n// Mine.\n')
    const output = await build()
    expect(installations(output), output).toBe(0)
    const after = await imageIds()
    expect(SERVICES.filter((_, index) => before[index] !== after[index])).toEqual(['home'])
  })

  test('images share the layers of dependencies and of lib', async () => {
    const layers = await Promise.all(
      SERVICES.map(async (service) => {
        const json = await docker('image', 'inspect', '-f', '{{json .RootFS.Layers}}', imageOf(service))
        return JSON.parse(json) as string[]
      }),
    )
    // The last two are the migrations and the code of the service.
    expect(new Set(layers.map((all) => all.slice(0, -2).join(' '))).size).toBe(1)
    expect(new Set(layers.map((all) => all.length)).size).toBe(1)
  })

  test("a dependency of the user's own is there", async () => {
    const program = "import('picocolors').then(() => console.log('there'))"
    expect(await docker('run', '--rm', imageOf('home'), 'node', '-e', program)).toBe('there')
  })
})

test('BuildKit builds the image of a service as well', async () => {
  // A newer client has it as a plugin, which not every machine has; Debian's has it built in.
  const outcomes: Outcome[] = []
  for (const program of ['docker', '/usr/bin/docker']) {
    const args = ['build', '--tag', `${unique}-buildkit`, '--build-arg', 'SERVICE=review', '.']
    const outcome = await outcomeOf(program, args, { cwd: directory, env: { DOCKER_BUILDKIT: '1' } })
    if (outcome.status === 0) {
      expect(outcome.stderr).toMatch(/^#\d/m)
      return
    }
    outcomes.push(outcome)
  }
  expect(outcomes).toEqual([])
})
