import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SMALL } from './definitions.ts'
import { type Outcome, outcomeOf } from './docker.ts'
import { generate } from './project.ts'
import { uniqueName } from './unique-name.ts'

let directory: string
/** Distinguishes what is built here from what was built before. */
let unique: string
const tags: string[] = []

beforeAll(async () => {
  unique = await uniqueName()
  directory = await mkdtemp(path.join(tmpdir(), `${unique}-`))
  await generate(directory, SMALL)
  // Layers of earlier runs would hide an installation.
  const file = path.join(directory, 'package.json')
  const content = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  await writeFile(file, JSON.stringify({ ...content, description: unique }))
})
afterAll(async () => {
  if (tags.length > 0) await outcomeOf('docker', ['rmi', '--force', ...tags])
  await rm(directory, { recursive: true, force: true })
})

/** Builds the image of a service with the classic builder. Throws with the builder's output where that fails. */
async function build(service: string): Promise<string> {
  const outcome = await buildWith('docker', '0', service, '--build-arg', `SERVICE=${service}`)
  if (outcome.status !== 0) throw new Error(outcome.stdout + outcome.stderr)
  return outcome.stdout
}

function buildWith(program: string, buildKit: '0' | '1', name: string, ...args: string[]): Promise<Outcome> {
  const tag = `${unique}-${name}`
  tags.push(tag)
  const options = { cwd: directory, env: { DOCKER_BUILDKIT: buildKit } }
  return outcomeOf(program, ['build', '--tag', tag, ...args, '.'], options)
}

/** The steps that the classic builder ran, rather than to take them from its cache. */
function stepsRun(output: string): string[] {
  return output
    .split(/^Step \d+\/\d+ : /m)
    .slice(1)
    .filter((step) => !step.includes('Using cache') && !step.startsWith('FROM'))
    .map((step) => step.split('\n')[0] ?? '')
}

describe('with the classic builder', () => {
  test('the first image installs the dependencies', async () => {
    expect(stepsRun(await build('home'))).toContainEqual(expect.stringMatching(/^RUN npm ci/))
  })

  test('another service adds only its own code', async () => {
    expect(stepsRun(await build('owner'))).toEqual([
      'ARG DATABASE=$SERVICE-db',
      'ENV SERVICE=$SERVICE',
      'COPY $DATABASE/migrations ./$DATABASE/migrations',
      'COPY $SERVICE/src ./$SERVICE/src',
      expect.stringMatching(/^CMD /),
    ])
  })

  test('an edit of setup.ts changes only the image of its service', async () => {
    await appendFile(path.join(directory, 'home/src/setup.ts'), '\n// Mine.\n')
    expect(stepsRun(await build('owner'))).toEqual([])
    expect(stepsRun(await build('home'))).toEqual([
      'COPY $SERVICE/src ./$SERVICE/src',
      expect.stringMatching(/^CMD /),
    ])
  })

  test('images share the layers of dependencies and of lib', async () => {
    const layers = await Promise.all(
      ['home', 'owner'].map(async (service) => {
        const format = '{{json .RootFS.Layers}}'
        const { stdout } = await outcomeOf('docker', [
          'image',
          'inspect',
          '-f',
          format,
          `${unique}-${service}`,
        ])
        return JSON.parse(stdout) as string[]
      }),
    )
    const [home = [], owner = []] = layers
    expect(home.length).toBe(owner.length)
    expect(home.slice(0, -2)).toEqual(owner.slice(0, -2))
  })

  test("a dependency of the user's own is there", async () => {
    const add = ['install', '--package-lock-only', '--no-audit', '--no-fund', 'picocolors@1.1.1']
    expect(await outcomeOf('npm', add, { cwd: directory })).toMatchObject({ status: 0 })
    await build('home')
    const program = "import('picocolors').then(() => console.log('there'))"
    const { stdout } = await outcomeOf('docker', ['run', '--rm', `${unique}-home`, 'node', '-e', program])
    expect(stdout).toBe('there\n')
  })
})

test('BuildKit builds the image of a service as well', async () => {
  // A newer client has it as a plugin, which not every machine has; Debian's has it built in.
  const outcomes: Outcome[] = []
  for (const program of ['docker', '/usr/bin/docker']) {
    const outcome = await buildWith(program, '1', 'buildkit', '--build-arg', 'SERVICE=owner')
    if (outcome.status === 0) {
      expect(outcome.stderr).toMatch(/^#\d/m)
      return
    }
    outcomes.push(outcome)
  }
  expect(outcomes).toEqual([])
})
