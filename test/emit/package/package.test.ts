import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { typeErrors } from '../../compiler.ts'
import { platformOf } from '../platform.ts'
import { writeFiles } from '../service-process.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const DEFINITIONS = {
  plain: 'P: project {} Home: service { name: string; }',
  calling: 'P: project {} Host: service { name: string; } Home: service { host: Host; }',
  authenticated: 'P: project { #authMethod(email); } Member: service { #auth; }',
} as const

interface PackageJson {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
}
interface Lock {
  readonly name: string
  readonly packages: Readonly<Record<string, LockedPackage>>
}

function filesOf(definition: string) {
  const files = emitProject(platformOf(definition))
  const parsed = (name: string): unknown =>
    JSON.parse(files.find((file) => file.path === name)?.content ?? '')
  return {
    files,
    packageJson: parsed('package.json') as PackageJson,
    lock: parsed('package-lock.json') as Lock,
  }
}

describe.each(Object.entries(DEFINITIONS))('a project: %s', (_title, definition) => {
  const { files, packageJson, lock } = filesOf(definition)

  test("the versions are Portico's own, exact, and locked", () => {
    for (const [name, version] of Object.entries({
      ...packageJson.dependencies,
      ...packageJson.devDependencies,
    })) {
      expect.soft(version, name).toMatch(/^\d+\.\d+\.\d+(?:-beta\.\d+)?$/)
      expect.soft(lock.packages[`node_modules/${name}`]?.version, name).toBe(version)
      const installed = readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')
      expect.soft((JSON.parse(installed) as { version: string }).version, name).toBe(version)
    }
  })

  test('depends on what its code imports, and nothing else', () => {
    const code = files.filter(({ path: name }) => name.endsWith('.ts') && !name.startsWith('explorer/'))
    const imported = code.flatMap(({ content }) =>
      Array.from(
        content.matchAll(/^(?:import|\}) .*?from '((?:@[^/']+\/)?[^./#'][^/':]*)(?:\/[^']*)?'/gm),
        ([, name = '']) => name,
      ),
    )
    expect([...new Set(imported)].sort()).toEqual(Object.keys(packageJson.dependencies))
  })

  test('every package has its integrity in the lock file, and none names a registry', () => {
    const packages = Object.entries(lock.packages).filter(([place]) => place !== '')
    expect(packages.filter(([, { integrity }]) => integrity === undefined)).toEqual([])
    expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })
})

test('every file of the authentication service is used', () => {
  const sources = filesOf(DEFINITIONS.authenticated).files.filter(({ path: name }) =>
    name.startsWith('auth/src/'),
  )
  const imported = new Set(['main.ts', 'password-worker.ts'])
  for (const { path: name, content } of sources) {
    for (const [, target = ''] of content.matchAll(/(?:from |import |import\()'(\.[^']*)'/g))
      imported.add(path.posix.join(path.posix.dirname(name.slice('auth/src/'.length)), target))
  }
  expect(sources.map(({ path: name }) => name.slice('auth/src/'.length)).sort()).toEqual([...imported].sort())
  const users = sources.filter(({ owner }) => owner === 'user').map(({ path: name }) => path.basename(name))
  expect(users.sort()).toEqual(['datastore.ts', 'settings.ts', 'setup.ts'])
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

describe('the authentication service', () => {
  const setup = (line: string): string => `import type { Env } from './hooks.ts'

export default async function setup(env: Env): Promise<void> {
  ${line}
}
`
  let complaints: string[]

  // One run of the compiler sees all of them, each in a file of its own.
  beforeAll(async () => {
    const files = emitProject(platformOf('P: project { #authMethod(email); } Member: service { #auth; }'))
    const wrong = WRONG_SETUPS.map(([, line], index) => [`auth/src/wrong-${index}.ts`, setup(line)] as const)
    const directory = await writeFiles(files, {
      'auth/src/setup.ts': setup('env.hooks.afterLogin(() => {})'),
      ...Object.fromEntries(wrong),
    })
    const errors = await typeErrors(directory)
    complaints = errors.split('\n').filter((line) => line.includes('error TS'))
  })

  test('compiles with a hook that it has', () => {
    expect(complaints.filter((line) => !line.startsWith('auth/src/wrong-'))).toEqual([])
  })

  test.each(WRONG_SETUPS.map(([what, , complaint], index) => [what, index, complaint] as const))(
    'does not compile with %s',
    (_what, index, complaint) => {
      const said = complaints.filter((line) => line.startsWith(`auth/src/wrong-${index}.ts`))
      expect(said).toEqual([expect.stringMatching(complaint)])
    },
  )
})
