import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/json.ts'
import { formatLike, lockMatches, mergePackage, sameDependencies } from '../../src/output/package-json.ts'
import { updateProject } from '../../src/output/update-project.ts'
import { expectError, expectValue, generation, packageJson, TestDirectory } from './project.ts'

const OURS = {
  name: 'home',
  type: 'module',
  scripts: { start: 'node src/main.ts' },
  dependencies: { hono: '4.0.0', jose: '6.0.0' },
}

describe('a package.json', () => {
  it('keeps what the user added, in the user’s order', () => {
    const theirs = {
      description: 'mine',
      ...OURS,
      scripts: { ...OURS.scripts, seed: 'node seed.ts' },
      dependencies: { ...OURS.dependencies, lodash: '4.17.21' },
      imports: { '#x': './x.ts' },
    }
    const ours = { ...OURS, dependencies: { hono: '5.0.0', jose: '6.0.0', kysely: '1.0.0' } }
    const { content, edited } = mergePackage(OURS, theirs, ours)
    expect(edited).toEqual([])
    expect(JSON.stringify(content)).toBe(
      JSON.stringify({
        description: 'mine',
        name: 'home',
        type: 'module',
        scripts: { start: 'node src/main.ts', seed: 'node seed.ts' },
        dependencies: { hono: '5.0.0', jose: '6.0.0', lodash: '4.17.21', kysely: '1.0.0' },
        imports: { '#x': './x.ts' },
      }),
    )
  })

  it('removes keys that are no longer generated, unless the user changed them', () => {
    const theirs = { ...OURS, dependencies: { hono: '4.0.0', jose: '5.9.9', mine: '1.0.0' } }
    const { dependencies: _, ...ours } = OURS
    expect(mergePackage(OURS, theirs, ours).content).toEqual({
      ...ours,
      dependencies: { jose: '5.9.9', mine: '1.0.0' },
    })
    expect(mergePackage(OURS, OURS, ours).content).toEqual(ours)
  })

  it('names generated keys that were changed or deleted by hand', () => {
    const theirs = { ...OURS, type: 'commonjs', scripts: {}, dependencies: { hono: '1.0.0', jose: '6.0.0' } }
    expect(mergePackage(OURS, theirs, OURS)).toEqual({
      content: OURS,
      edited: ['type', 'scripts.start', 'dependencies.hono: 1.0.0 instead of 4.0.0'],
    })
  })

  it('keeps a newer version of a dependency until the generated one is newer', () => {
    const withHono = (hono: string) => ({ ...OURS, dependencies: { ...OURS.dependencies, hono } })
    const merged = (theirs: string, ours: string) => mergePackage(OURS, withHono(theirs), withHono(ours))
    for (const [theirs, ours, kept] of [
      ['4.2.0', '4.1.0', '4.2.0'],
      ['^4.0.1', '4.0.0', '^4.0.1'],
      ['~4.0.0', '4.0.0', '~4.0.0'],
      ['4.2.0', '4.3.0', '4.3.0'],
      ['4.2.0', '5.0.0', '5.0.0'],
    ] as const)
      expect(merged(theirs, ours), theirs).toEqual({ content: withHono(kept), edited: [] })
    for (const theirs of ['5.0.0', '3.9.9', '4.0.0-rc.1', 'latest', 'github:honojs/hono'])
      expect(merged(theirs, '4.0.0'), theirs).toEqual({
        content: withHono('4.0.0'),
        edited: [`dependencies.hono: ${theirs} instead of 4.0.0`],
      })
  })

  it('has the name and the version that the user gives it', () => {
    const base = { name: 'shop-client', version: '1.0.0', description: 'A client', private: true }
    const theirs = { name: '@acme/shop', version: '1.1.0', description: 'A client' }
    const ours = { ...base, description: 'A client of the shop' }
    const content = { ...theirs, description: ours.description }
    expect(mergePackage(base, theirs, ours)).toEqual({ content, edited: [] })
    expect(mergePackage(ours, content, ours)).toEqual({ content, edited: [] })
  })

  it('ignores an edit that equals the new generated value', () => {
    const theirs = { ...OURS, dependencies: { hono: '5.0.0', jose: '6.0.0' } }
    expect(mergePackage(OURS, theirs, theirs).edited).toEqual([])
  })

  it('updates generated keys and keeps those of the user, for any three versions', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor', '1')
    const leaf = fc.constantFrom('x', 'y', 'z')
    const object = fc
      .array(fc.tuple(key, fc.oneof(leaf, fc.array(fc.tuple(key, leaf)).map(fromPairs))))
      .map(fromPairs)
    fc.assert(
      fc.property(object, object, object, (base, theirs, ours) => {
        const { content } = mergePackage(base, theirs, ours)
        for (const [name, value] of Object.entries(ours)) {
          const kept = Object.hasOwn(content, name) ? content[name] : undefined
          if (typeof value === 'string') expect(kept).toBe(value)
          else expect(kept).toMatchObject(value)
        }
        for (const [name, value] of Object.entries(theirs)) {
          if (Object.hasOwn(base, name) || Object.hasOwn(ours, name)) continue
          expect(Object.hasOwn(content, name) && isDeepStrictEqual(content[name], value)).toBe(true)
        }
        // Generating again changes nothing more.
        expect(isDeepStrictEqual(mergePackage(ours, content, ours).content, content)).toBe(true)
        expect(mergePackage(ours, content, ours).edited).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"b": 2\n}'],
    ['{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "b": 2\n}\n'],
    ['{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n'],
    ['{"a": 1}\n', '{\n  "a": 1,\n  "b": 2\n}\n'],
  ])('keeps the layout of %j', (text, expected) => {
    expect(formatLike(text, { a: 1, b: 2 })).toBe(expected)
  })

  it('is merged by a generation, and unchanged by the next one', async () => {
    using directory = new TestDirectory()
    expectValue(await updateProject(directory.path, generation({ 'home/package.json': packageJson(OURS) })))
    const mine = JSON.stringify(
      { ...OURS, dependencies: { ...OURS.dependencies, lodash: '4' } },
      undefined,
      '\t',
    )
    directory.write('home/package.json', mine)
    expect(
      expectValue(await updateProject(directory.path, generation({ 'home/package.json': packageJson(OURS) })))
        .upToDate,
    ).toBe(true)
    expect(directory.read('home/package.json')).toBe(mine)
    const next = generation({ 'home/package.json': packageJson({ ...OURS, type: 'x' }) })
    expectValue(await updateProject(directory.path, next))
    expect(directory.read('home/package.json')).toBe(mine.replace('"module"', '"x"'))
  })

  it('stops generation if generated keys were edited, and names them', async () => {
    using directory = new TestDirectory()
    const files = generation({ 'home/package.json': packageJson(OURS) })
    expectValue(await updateProject(directory.path, files))
    const edited = packageJson({ ...OURS, mine: 1, dependencies: { hono: '3.0.0', jose: '6.0.0' } })
    directory.write('home/package.json', edited)
    expect(expectError(await updateProject(directory.path, files)).message).toContain(
      '  home/package.json (edited by hand: dependencies.hono: 3.0.0 instead of 4.0.0)',
    )
    expectValue(await updateProject(directory.path, files, { overwrite: true }))
    expect(directory.read('home/package.json')).toBe(packageJson({ ...OURS, mine: 1 }))
    expect(directory.read('home/package.json.orig')).toBe(edited)
  })

  it('stops generation if it is not valid JSON', async () => {
    using directory = new TestDirectory()
    const files = generation({ 'home/package.json': packageJson(OURS) })
    expectValue(await updateProject(directory.path, files))
    for (const text of ['', '{', '[]', '<<<<<<< HEAD\n{}\n=======\n']) {
      directory.write('home/package.json', text)
      expect(expectError(await updateProject(directory.path, files)).message).toContain(
        '  home/package.json (edited by hand: not a JSON object)',
      )
      expect(directory.read('home/package.json')).toBe(text)
    }
  })

  it('is removed with its service only if the user added nothing', async () => {
    using directory = new TestDirectory()
    const files = generation({ 'a/package.json': packageJson(OURS), 'b/package.json': packageJson(OURS) })
    expectValue(await updateProject(directory.path, files))
    directory.write('b/package.json', packageJson({ ...OURS, mine: 1 }))
    expectValue(await updateProject(directory.path, generation({})))
    expect(existsSync(join(directory.path, 'a'))).toBe(false)
    expect(directory.read('b/package.json')).toBe(packageJson({ ...OURS, mine: 1 }))
  })
})

describe('a lock file', () => {
  const lock = (dependencies: Record<string, string>, more: object = {}): string =>
    packageJson({
      name: 'home',
      lockfileVersion: 3,
      packages: {
        '': { name: 'home', dependencies, ...more },
        ...Object.fromEntries(
          Object.entries(dependencies).map(([name, version]) => [
            `node_modules/${name}`,
            { version, integrity: `sha512-${name}${version}` },
          ]),
        ),
      },
    })
  const files = (dependencies: Record<string, string>) =>
    generation({
      'home/package.json': packageJson({ ...OURS, dependencies }),
      'home/package-lock.json': lock(dependencies),
    })
  const OLD = files({ hono: '4.0.0' })
  const NEXT = files({ hono: '5.0.0' })
  const MINE = { hono: '4.0.0', lodash: '4.17.21' }

  it('is generated while the dependencies are', async () => {
    using directory = new TestDirectory()
    expectValue(await updateProject(directory.path, OLD))
    expectValue(await updateProject(directory.path, NEXT))
    expect(directory.read('home/package-lock.json')).toBe(lock({ hono: '5.0.0' }))
    rmSync(join(directory.path, 'home/package-lock.json'))
    expectValue(await updateProject(directory.path, NEXT))
    expect(directory.read('home/package-lock.json')).toBe(lock({ hono: '5.0.0' }))
  })

  it('belongs to the user once the user adds dependencies, and is reported if it is outdated', async () => {
    using directory = new TestDirectory()
    expectValue(await updateProject(directory.path, OLD))
    directory.write('home/package.json', packageJson({ ...OURS, dependencies: MINE }))
    const first = expectValue(await updateProject(directory.path, OLD))
    expect(first.plan.lockNotices).toEqual([{ path: 'home/package-lock.json', reason: 'outdated' }])
    directory.write('home/package-lock.json', lock(MINE))
    const agreed = expectValue(await updateProject(directory.path, OLD))
    expect(agreed.plan.lockNotices).toEqual([])
    expect(agreed.upToDate).toBe(true)
    const second = expectValue(await updateProject(directory.path, NEXT))
    expect(second.plan.lockNotices).toEqual([{ path: 'home/package-lock.json', reason: 'outdated' }])
    expect(directory.read('home/package-lock.json')).toBe(lock(MINE))
    rmSync(join(directory.path, 'home/package-lock.json'))
    const third = expectValue(await updateProject(directory.path, NEXT))
    expect(third.plan.lockNotices).toEqual([{ path: 'home/package-lock.json', reason: 'missing' }])
    expect(existsSync(join(directory.path, 'home/package-lock.json'))).toBe(false)
    // With the user's dependencies gone it is ours again.
    directory.write('home/package-lock.json', lock({ ...MINE, hono: '5.0.0' }))
    directory.write('home/package.json', packageJson({ ...OURS, dependencies: { hono: '5.0.0' } }))
    expectValue(await updateProject(directory.path, NEXT))
    expect(directory.read('home/package-lock.json')).toBe(lock({ hono: '5.0.0' }))
  })

  it('belongs to the user who has a newer version of a generated dependency', async () => {
    using directory = new TestDirectory()
    const newer = { hono: '4.0.1' }
    expectValue(await updateProject(directory.path, OLD))
    directory.write('home/package.json', packageJson({ ...OURS, dependencies: newer }))
    const first = expectValue(await updateProject(directory.path, OLD))
    expect(first.plan.lockNotices).toEqual([{ path: 'home/package-lock.json', reason: 'outdated' }])
    directory.write('home/package-lock.json', lock(newer))
    expect(expectValue(await updateProject(directory.path, OLD)).plan.lockNotices).toEqual([])
    expect(directory.read('home/package-lock.json')).toBe(lock(newer))
    // Ours is newer again.
    expectValue(await updateProject(directory.path, files({ hono: '4.0.2' })))
    expect(directory.read('home/package-lock.json')).toBe(lock({ hono: '4.0.2' }))
  })

  it('that generation never wrote is a conflict', async () => {
    using directory = new TestDirectory()
    directory.write('home/package-lock.json', lock({ hono: '3.0.0' }))
    expect(expectError(await updateProject(directory.path, OLD)).message).toContain(
      'home/package-lock.json (not written by Portico)',
    )
  })

  it('matches a package, or does not', () => {
    const content = (dependencies: object, more: object = {}): JsonObject =>
      ({ dependencies, ...more }) as JsonObject
    expect(lockMatches(lock(MINE), content({ lodash: '4.17.21', hono: '4.0.0' }))).toBe(true)
    expect(lockMatches(lock(MINE), content(MINE, { devDependencies: { x: '1' } }))).toBe(false)
    expect(lockMatches(lock({ hono: '4.0.0' }), content(MINE))).toBe(false)
    for (const text of ['', '{}', '{"packages":{}}', '{"packages":{"":1}}', '[]'])
      expect(lockMatches(text, content({}))).toBe(false)
  })

  it('depends on the keys that npm uses', () => {
    expect(sameDependencies({ name: 'a' }, { name: 'b', dependencies: {} })).toBe(true)
    for (const key of [
      'dependencies',
      'devDependencies',
      'optionalDependencies',
      'peerDependencies',
      'overrides',
    ])
      expect(sameDependencies({}, { [key]: { a: '1' } })).toBe(false)
  })
})

function fromPairs<Value>(pairs: readonly [string, Value][]): Record<string, Value> {
  return Object.fromEntries(pairs)
}
