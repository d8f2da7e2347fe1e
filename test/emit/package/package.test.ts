import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { emit } from '../../../src/compile.ts'
import { DEPENDENCY_SETS, type DependencySet } from '../../../src/emit/typescript/dependencies.ts'
import { packageFiles } from '../../../src/emit/typescript/package-files.ts'
import { platformOf } from '../platform.ts'
import { writeService } from '../service-process.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../../..')
const sets = Object.keys(DEPENDENCY_SETS) as DependencySet[]

interface PackageJson {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
interface Lock {
  readonly name: string
  readonly packages: Readonly<Record<string, { version?: string; resolved?: string; name?: string }>>
}

function filesOf(set: DependencySet) {
  const files = packageFiles('home', set)
  const parsed = (name: string): unknown =>
    JSON.parse(files.find((file) => file.path === `home/${name}`)?.content ?? '')
  return {
    files,
    packageJson: parsed('package.json') as PackageJson,
    lock: parsed('package-lock.json') as Lock,
  }
}

test.each(sets)("%s: the versions are Portico's own, exact, and locked", (set) => {
  const portico = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as PackageJson
  const { packageJson, lock } = filesOf(set)
  expect(Object.keys(packageJson.dependencies)).toEqual(DEPENDENCY_SETS[set])
  for (const [name, version] of Object.entries({
    ...packageJson.dependencies,
    ...packageJson.devDependencies,
  })) {
    expect.soft(version, name).toMatch(/^\d+\.\d+\.\d+$/)
    expect.soft(portico.dependencies[name], name).toBe(version)
    expect.soft(lock.packages[`node_modules/${name}`]?.version, name).toBe(version)
    const installed = readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')
    expect.soft((JSON.parse(installed) as { version: string }).version, name).toBe(version)
  }
})

test.each(sets)(
  '%s: nothing names the service, so that images share what is installed, or a registry of ours',
  (set) => {
    const { lock, files } = filesOf(set)
    const contents = (directory: string) =>
      packageFiles(directory, set).map(({ path: name, content }) => [path.basename(name), content])
    expect(contents('home')).toEqual(contents('host'))
    expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
    expect(files.map(({ path: name, owner }) => `${owner} ${name}`)).toEqual([
      'shared home/package.json',
      'shared home/package-lock.json',
      'generated home/Dockerfile',
      'generated home/.dockerignore',
      'generated home/tsconfig.json',
    ])
  },
)

async function npmCi(set: DependencySet, ...options: readonly string[]): Promise<string> {
  const directory = await writeService(packageFiles('home', set), 'home', {}, false)
  const command = ['ci', '--omit=dev', '--no-audit', '--no-fund', '--ignore-scripts', ...options]
  const { stdout } = await run('npm', command, { cwd: directory, env: { ...process.env, NODE_ENV: '' } })
  expect(stdout).toMatch(/added \d+ packages/)
  return directory
}

test.each(sets)('%s: npm ci takes the lock file', async (set) => {
  await npmCi(set, '--dry-run')
})

// Together they have all packages.
test.each<DependencySet>(['authenticatedCalling', 'authentication'])(
  '%s: npm ci installs it',
  async (set) => {
    const directory = await npmCi(set)
    const names = JSON.stringify(DEPENDENCY_SETS[set])
    const script = `Promise.all(${names}.map((name) => import(name === 'drizzle-orm' ? 'drizzle-orm/postgres-js' : name)))`
    await run(process.execPath, ['-e', script], { cwd: directory })
  },
)

test('every file of the authentication service is copied, and nothing beside', () => {
  const files = emit(platformOf('P: project { #authMethod(email); } Member: service { #auth; }'))
  const sources = new Map(
    files
      .filter(({ path: name }) => name.startsWith('auth/src/'))
      .map((file) => [file.path.slice('auth/src/'.length), file]),
  )
  const imported = new Set(['main.ts', 'password-worker.ts'])
  for (const { path: name, content } of sources.values()) {
    for (const [, target = ''] of content.matchAll(/(?:from |import |import\()'(\.[^']*)'/g)) {
      imported.add(path.posix.join(path.posix.dirname(name.slice('auth/src/'.length)), target))
    }
  }
  expect([...sources.keys()].sort()).toEqual([...imported].sort())
  const users = [...sources].filter(([, { owner }]) => owner === 'user').map(([name]) => name)
  expect(users.sort()).toEqual(['datastore.ts', 'setup.ts'])
})

test("the authentication service's configuration is what the model says", () => {
  const { authentication } = platformOf('P: project { #authMethod(email); } Member: service { #auth; }')
  const config = readFileSync(path.join(root, 'templates/typescript/auth/src/config.ts'), 'utf8')
  expect(authentication).toMatchObject({
    directory: 'auth',
    databaseDirectory: 'auth-db',
    database: 'auth',
    table: 'auth',
  })
  expect(authentication).toMatchObject({
    port: 8080,
    internalPort: 8081,
    maxBodyBytes: 1_048_576,
    path: '/api/auth',
  })
  expect(config).toContain("'postgres://auth@auth-db:5432/auth'")
  expect(config).toContain("'PORT', 8080,")
  expect(config).toContain("'INTERNAL_PORT', 8081,")
  expect(config).toContain("'MAX_BODY_BYTES', 1_048_576,")
})

test('the image: two stages, no development dependencies, no root, a health check', () => {
  const { files } = filesOf('plain')
  const dockerfile = files.find(({ path: name }) => name === 'home/Dockerfile')?.content ?? ''
  expect(dockerfile.match(/^FROM node:26-slim/gm)).toHaveLength(2)
  expect(dockerfile).toContain('npm ci --omit=dev')
  expect(dockerfile).toMatch(/USER node\n[^]*HEALTHCHECK [^]*CMD \["node", "src\/main.ts"\]\n$/)
  // The classic builder knows none of these.
  expect(dockerfile).not.toMatch(/--mount|--link|--start-interval|<<|# syntax/)
})

const WRONG_SETUPS = [
  [
    'a hook that it has no operation for',
    'env.hooks.beforeCreate(() => {})',
    /Property 'beforeCreate' does not exist/,
  ],
  [
    'a caller before anybody is known',
    'env.hooks.beforeLogin((_env, _request, _input, caller) => void caller.id)',
    /caller/,
  ],
  [
    'an attribute that nobody sends',
    'env.hooks.beforeLogin((_env, request) => void request.name)',
    /'name' does not exist/,
  ],
] as const

test.each(WRONG_SETUPS)(
  'the authentication service does not compile with %s',
  async (_what, line, complaint) => {
    const files = emit(platformOf('P: project { #authMethod(email); } Member: service { #auth; }'))
    const setup = `import type { Env } from './hooks.ts'

export default async function setup(env: Env): Promise<void> {
  ${line}
}
`
    const compile = async (changes: Record<string, string>) => {
      const directory = await writeService(files, 'auth', changes)
      const compiler = path.join(root, 'node_modules/.bin/tsc')
      return run(compiler, ['-p', '.'], { cwd: directory }).then(
        () => 'fine',
        (error: { stdout: string }) => error.stdout,
      )
    }
    expect(await compile({ 'src/setup.ts': setup.replace(line, 'env.hooks.afterLogin(() => {})') })).toBe(
      'fine',
    )
    const said = await compile({ 'src/setup.ts': setup })
    expect(said).toMatch(complaint)
    expect(said.match(/error TS/g)).toHaveLength(1)
  },
)
