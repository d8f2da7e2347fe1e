import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { example } from './definitions.ts'
import { docker, type Outcome, outcomeOf } from './docker.ts'
import { generate } from './project.ts'
import { uniqueName } from './unique-name.ts'

const IN_GO = ['host', 'stay']
const IN_TYPESCRIPT = ['auth', 'home', 'review']
const SERVICES = [...IN_TYPESCRIPT, ...IN_GO]

const TOKEN = `token-${randomUUID()}`

let directory: string
/** Distinguishes what is built here from what was built before. */
let unique: string

beforeAll(async () => {
  unique = await uniqueName()
  directory = await mkdtemp(path.join(tmpdir(), `${unique}-`))
  const text = example('stays/stays.portico').replace(': project {', '$& #metrics(prometheus);')
  await generate(directory, text.replaceAll(/\b(?:Host|Stay): service \{/g, '$& #language(go);'))
  // Layers of earlier runs would hide an installation.
  await appendFile(path.join(directory, 'go.mod'), `// ${unique}\n`)
  const file = path.join(directory, 'package.json')
  const content = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  await writeFile(file, JSON.stringify({ ...content, description: unique }))
  const add = ['install', '--package-lock-only', '--no-audit', '--no-fund', 'picocolors@1.1.1']
  expect(await outcomeOf('npm', add, { cwd: directory })).toMatchObject({ status: 0 })
  await writeFile(
    path.join(directory, '.npmrc'),
    `//registry.invalid/:_authToken=${TOKEN}\nloglevel=verbose\n`,
  )
  const shared = path.join(directory, 'shared')
  await mkdir(path.join(shared, 'test'))
  await writeFile(path.join(shared, 'test/text.test.ts'), '')
  await writeFile(path.join(shared, 'text.ts'), "export const text = 'shared text'\n")
  await writeFile(path.join(shared, 'text.go'), 'package shared\n\nconst Text = "shared text"\n')
  const imported = 'import "stays/shared"\n\nfunc init() { println(shared.Text) }\n'
  const module = /^module (\S+)$/m.exec(await readFile(path.join(directory, 'go.mod'), 'utf8'))?.[1]
  await writeFile(
    path.join(directory, 'stay/shared.go'),
    `package main\n\n${imported.replace('stays/', `${module}/`)}`,
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
  const [, FIRST = ''] = /^readonly FIRST='(.*)'$/m.exec(script) ?? []
  // One image at a time, so that what they print is not mixed.
  const env = { TAG: unique, DOCKER_BUILDKIT: '0', COMPOSE_PARALLEL_LIMIT: '1', FIRST }
  const options = { cwd: directory, env }
  const { status, stdout, stderr } = await outcomeOf('bash', ['-c', commands ?? 'false'], options)
  if (status !== 0) throw new Error(stdout + stderr)
  return stdout + stderr
}

/** How often npm and Go have installed packages. */
const installations = (output: string): number[] =>
  [/\badded \d+ packages\b/g, /RUN go mod download\n ---> Running in/g].map(
    (pattern) => output.match(pattern)?.length ?? 0,
  )

describe('with the classic builder', () => {
  test('the dependencies are installed once for all images', { timeout: 600_000 }, async () => {
    const output = await build()
    expect(installations(output), output).toEqual([1, 1])
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

  test.each([
    ['home', 'home/src/setup.ts', '// Mine.'],
    ['stay', 'stay/setup.go', 'func init() { println("mine") }'],
  ])(
    'an edit of the setup of %s changes its image alone, and installs nothing',
    async (service, file, line) => {
      const before = await imageIds()
      await appendFile(path.join(directory, file), `\n${line}\n`)
      const output = await build()
      expect(installations(output), output).toEqual([0, 0])
      const after = await imageIds()
      expect(SERVICES.filter((_, index) => before[index] !== after[index])).toEqual([service])
    },
  )

  test.each([IN_TYPESCRIPT, IN_GO])(
    'images share the layers of what is not their own',
    async (...services) => {
      const layers = await Promise.all(
        services.map(async (service) => {
          const json = await docker('image', 'inspect', '-f', '{{json .RootFS.Layers}}', imageOf(service))
          return JSON.parse(json) as string[]
        }),
      )
      // The last two are the migrations and the code of the service.
      expect(new Set(layers.map((all) => all.slice(0, -2).join(' '))).size).toBe(1)
      expect(new Set(layers.map((all) => all.length)).size).toBe(1)
    },
  )

  test("a dependency of the user's own is there", async () => {
    const program = "import('picocolors').then(() => console.log('there'))"
    expect(await docker('run', '--rm', imageOf('home'), 'node', '-e', program)).toBe('there')
  })
})

test('images contain the code that services share, without its tests', async () => {
  const program = "import('#shared/text.ts').then(({ text }) => console.log(text))"
  const inHome = ['run', '--rm', imageOf('home'), 'node', '-e']
  expect(await docker(...inHome, program)).toBe('shared text')
  expect(await docker('run', '--rm', imageOf('home'), 'ls', 'shared')).toBe('README.md\ntext.go\ntext.ts')
  const { stderr } = await outcomeOf('docker', ['run', '--rm', imageOf('stay'), '/service', 'health'])
  expect(stderr).toContain('shared text\n')
})

describe('an image of a service in Go', () => {
  test('contains the program, its migrations, and what every program needs, in at most 30 MB', async () => {
    const container = await docker('create', imageOf('host'))
    try {
      const { stdout } = await outcomeOf('sh', ['-c', `docker export ${container} | tar -t`])
      const files = stdout
        .split('\n')
        .filter((file) => !/\/$|^$|^(?:dev|etc|proc|sys|usr|var)\/|^\.dockerenv$/.test(file))
      expect(files.sort()).toEqual([
        'app/host-db/migrations/0001_initial.sql',
        'app/host-db/migrations/schema.json',
        'service',
      ])
    } finally {
      await docker('rm', container)
    }
    const image = await docker('image', 'inspect', '-f', '{{.Size}} {{.Config.User}}', imageOf('host'))
    const [size, user] = image.split(' ').map(Number)
    expect(size).toBeLessThanOrEqual(30e6)
    expect(user).toBe(65_532)
  })

  // Without a database, they wait for it.
  test('runs without anything that it may change, checks itself, and stops when it is told to', async () => {
    await withContainer([], async (id) => {
      const logged = () => outcomeOf('docker', ['logs', id])
      await expect.poll(async () => (await logged()).stdout).toContain('Waiting for the database')
      const health = await outcomeOf('docker', ['exec', id, '/service', 'health'])
      expect(health).toMatchObject({ status: 1, stderr: '503 Service Unavailable\n' })
      const begun = performance.now()
      await docker('stop', id)
      expect(performance.now() - begun).toBeLessThan(5000)
      expect(await docker('inspect', '-f', '{{.State.ExitCode}}', id)).toBe('0')
    })
  })

  test('has the variables of its .env', async () => {
    const env = `ENV_BASE64=${Buffer.from('LOG_LEVEL="loud" # and clear').toString('base64')}`
    const { status, stdout } = await outcomeOf('docker', ['run', '--rm', '-e', env, imageOf('host')])
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining('LOG_LEVEL must be debug, info, warn or error'),
    ])
  })

  test.each([
    ['the limit of its container', ['--memory', '200m'], 200 * 2 ** 20],
    [
      'a limit in the form of version 2 of control groups',
      ['--volume', 'GROUPS:/sys/fs/cgroup:ro'],
      100_000_000,
    ],
  ])('collects garbage late, but stays below %s', async (_, options, limit) => {
    const groups = path.join(directory, 'groups')
    await mkdir(groups, { recursive: true })
    await writeFile(path.join(groups, 'memory.max'), '100000000\n')
    await withContainer(
      options.map((option) => option.replace('GROUPS', groups)),
      async (id) => {
        const address = await docker('inspect', '-f', '{{.NetworkSettings.IPAddress}}', id)
        const measure = async () => {
          const text = await fetch(`http://${address}:8082/metrics`).then((response) => response.text())
          return ['gogc_percent', 'gomemlimit_bytes'].map((name) =>
            Number(new RegExp(`^go_gc_${name} (.*)$`, 'm').exec(text)?.[1]),
          )
        }
        await expect.poll(() => measure().catch(() => [])).toEqual([400, Math.floor(limit * 0.9)])
      },
    )
  })

  async function withContainer(
    options: readonly string[],
    use: (id: string) => Promise<void>,
  ): Promise<void> {
    const credentials = path.join(directory, 'credentials')
    await writeFile(credentials, 'auth-service-1 secret')
    const mount = `${credentials}:/run/secrets/gateway-credentials:ro`
    const args = ['--read-only', '--cap-drop', 'ALL', '--volume', mount, ...options, imageOf('host')]
    const id = await docker('run', '--detach', ...args)
    try {
      await use(id)
    } finally {
      await docker('rm', '--force', id)
    }
  }
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
