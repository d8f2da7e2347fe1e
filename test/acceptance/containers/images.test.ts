import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SMALL } from './definitions.ts'
import { type Outcome, outcomeOf } from './docker.ts'
import { generate } from './project.ts'
import { uniqueName } from './unique-name.ts'

/** Two services that depend on the same packages, beside one that does not. */
const DEFINITION = `${SMALL}
Room: service {
  number: int(1000, 1);
  home: Home;
}
`
let directory: string
/** Distinguishes what is built here from what was built before. */
let unique: string
const tags: string[] = []

beforeAll(async () => {
  unique = await uniqueName()
  directory = await mkdtemp(path.join(tmpdir(), `${unique}-`))
  await generate(directory, DEFINITION)
  // Layers of earlier runs would hide an installation.
  for (const service of ['home', 'room'])
    await changeJson(path.join(directory, service, 'package.json'), (content) => {
      content['description'] = unique
    })
})
afterAll(async () => {
  if (tags.length > 0) await outcomeOf('docker', ['rmi', '--force', ...tags])
  await rm(directory, { recursive: true, force: true })
})

async function changeJson(file: string, change: (content: Record<string, unknown>) => void): Promise<void> {
  const content = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  change(content)
  await writeFile(file, JSON.stringify(content))
}

/** Builds the image of a service with the classic builder. Throws with the builder's output where that fails. */
async function build(service: string): Promise<string> {
  const outcome = await buildWith('docker', '0', service, path.join(directory, service))
  if (outcome.status !== 0) throw new Error(outcome.stdout + outcome.stderr)
  return outcome.stdout
}

async function buildWith(
  program: string,
  buildKit: '0' | '1',
  name: string,
  context: string,
  ...args: string[]
): Promise<Outcome> {
  const tag = `${unique}-${name}`
  tags.push(tag)
  return outcomeOf(program, ['build', '--tag', tag, ...args, context], { env: { DOCKER_BUILDKIT: buildKit } })
}

/** Whether the classic builder ran the step that installs, or took it from its cache. */
function installing(output: string): 'installed' | 'cached' {
  const step = output.slice(output.indexOf(': RUN npm ci'))
  return step.split('\n')[1]?.includes('Using cache') ? 'cached' : 'installed'
}

describe('with the classic builder', () => {
  test('the first image of a kind installs', async () => {
    expect(installing(await build('home'))).toBe('installed')
  })

  test('another service with the same dependencies shares what was installed', async () => {
    expect(installing(await build('room'))).toBe('cached')
  })

  test('an edit of setup.ts installs nothing again', async () => {
    await appendFile(path.join(directory, 'home/src/setup.ts'), '\n// Mine.\n')
    const output = await build('home')
    expect(installing(output)).toBe('cached')
    expect(output).toMatch(/COPY .* \.\/src\n ---> [0-9a-f]+\n/)
  })

  test("a dependency of the user's own is there", async () => {
    const service = path.join(directory, 'home')
    expect(
      await outcomeOf(
        'npm',
        ['install', '--package-lock-only', '--no-audit', '--no-fund', 'picocolors@1.1.1'],
        { cwd: service },
      ),
    ).toMatchObject({ status: 0 })
    expect(installing(await build('home'))).toBe('installed')
    const program = "import('picocolors').then(() => console.log('there'))"
    const { stdout } = await outcomeOf('docker', ['run', '--rm', `${unique}-home`, 'node', '-e', program])
    expect(stdout).toBe('there\n')
  })
})

test.each([
  ['a service', 'room', []],
  ['the gateway', '.', ['--file', 'gateway/Dockerfile']],
])('BuildKit builds the image of %s as well', async (_, context, args) => {
  const options = args.map((arg) => (arg.startsWith('-') ? arg : path.join(directory, arg)))
  // A newer client has it as a plugin, which not every machine has; Debian's has it built in.
  const outcomes: Outcome[] = []
  for (const program of ['docker', '/usr/bin/docker']) {
    const outcome = await buildWith(program, '1', 'buildkit', path.join(directory, context), ...options)
    if (outcome.status === 0) {
      expect(outcome.stderr).toMatch(/^#\d/m)
      return
    }
    outcomes.push(outcome)
  }
  expect(outcomes).toEqual([])
})
