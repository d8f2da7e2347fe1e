import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { UNCHANGED } from '../../../src/dev/events.ts'
import { call, createWorkplace, until, type Workplace } from '../../dev/run-platform.ts'

let place: Workplace

afterEach(async () => {
  await place.close()
})

const DEFINITION = `Tiny: project {}
Note: service { text: string(100); }
Tag: service { name: string; }
`
const LISTED = DEFINITION.replace('text: string(100);', 'text: string(100); #enumerable;')
/** A route that returns when a service was started. */
const CLOCK = `  const began = process.hrtime.bigint()\n  router.get('/SERVICE/x/began', (c) => c.text(String(began)))`

async function clocks(platform: { gateway: string }): Promise<unknown[]> {
  const answers = await Promise.all(
    ['note', 'tag'].map((service) => call(platform, 'GET', `/api/${service}/x/began`)),
  )
  return answers.map(({ body }) => body['text'])
}

async function startWithClocks() {
  place = await createWorkplace(DEFINITION)
  const first = await place.start()
  await first.stop()
  for (const service of ['note', 'tag']) await place.setUp(service, CLOCK.replace('SERVICE', service))
  return place.start({ watch: true })
}

test('a saved definition reloads only the services that it changes', async () => {
  const platform = await startWithClocks()
  const before = await clocks(platform)
  await place.define(LISTED)
  const { services } = await place.event('reloaded')
  expect(services).toEqual(['note'])
  expect((await call(platform, 'GET', '/api/note/all')).status).toBe(200)
  const after = await clocks(platform)
  expect(after[0]).not.toBe(before[0])
  expect(after[1]).toBe(before[1])
})

test('a definition with errors is reported, and the platform keeps running until it is fixed', async () => {
  const platform = await startWithClocks()
  const before = await clocks(platform)
  await place.define(LISTED.replace('string(100)', 'strin(100)'))
  const { diagnostics } = await place.event('checked', (event) => event.diagnostics.length > 0)
  expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-type'])
  expect(await clocks(platform)).toEqual(before)
  await writeFile(place.definition, `${LISTED}// caf\u00e9`, 'latin1')
  const { text } = await place.event('problem')
  expect(text).toBe(
    `Could not read \`${path.basename(place.definition)}\`: it is not UTF-8 text\n${UNCHANGED}`,
  )
  expect(await clocks(platform)).toEqual(before)
  await place.define(DEFINITION)
  await place.event('reloaded', ({ services }) => services.length === 0)
  expect(await clocks(platform)).toEqual(before)
  // Some editors write into the file, others replace it as `define` does.
  await writeFile(place.definition, LISTED)
  await place.event('reloaded', ({ services }) => services.includes('note'))
  expect((await call(platform, 'GET', '/api/note/all')).status).toBe(200)
  // The user sees that an unreadable one is readable again.
  place.events.length = 0
  await rm(place.definition)
  await place.event('problem')
  await place.define(LISTED)
  expect((await place.event('reloaded')).services).toEqual([])
})

test('imported files are watched, those included that are imported later', async () => {
  place = await createWorkplace(`import "parts/tag.portico";\n${DEFINITION.replace(/Tag.*\n/, '')}`)
  const part = (name: string) => path.join(place.directory, 'parts', `${name}.portico`)
  const save = async (name: string, text: string): Promise<void> => {
    await writeFile(`${part(name)}~`, text)
    await rename(`${part(name)}~`, part(name))
  }
  await mkdir(path.dirname(part('tag')))
  await save('tag', 'Tag: service { name: string; }\n')
  const platform = await place.start({ watch: true })
  expect((await call(platform, 'GET', '/api/tag/all')).status).toBe(400)
  await save('tag', 'Tag: service { name: string; #enumerable; }\n')
  await place.event('reloaded', ({ services }) => services.includes('tag'))
  expect((await call(platform, 'GET', '/api/tag/all')).status).toBe(200)
  await save('tag', 'import "star.portico";\nTag: service { name: string; }\n')
  const { diagnostics } = await place.event('checked', (event) => event.diagnostics.length > 0)
  expect(diagnostics).toMatchObject([{ code: 'unreadable-import', file: 'parts/tag.portico' }])
  await save('star', 'Star: service { count: int; #enumerable; }\n')
  await place.event('reloaded', ({ services }) => services.includes('star'))
  expect((await call(platform, 'GET', '/api/star/all')).status).toBe(200)
})

test('services are added and removed with the definition', async () => {
  const platform = await startWithClocks()
  await place.define(`${DEFINITION.replace(/Tag.*/, '')}Star: service { count: int; #enumerable; }\n`)
  expect(await place.event('reloaded')).toMatchObject({ services: ['star'], stopped: ['tag'] })
  expect((await call(platform, 'GET', '/api/star/all')).status).toBe(200)
  expect((await call(platform, 'GET', '/api/tag/x/began')).status).toBe(404)
  await place.setUp('star', `  router.get('/star/x/y', (c) => c.text('watched'))`)
  await until(async () => (await call(platform, 'GET', '/api/star/x/y')).body['text'] === 'watched')
})

test('a file edited by hand blocks a changed definition until it is restored', async () => {
  const platform = await startWithClocks()
  const file = path.join(place.output, 'tag/src/app.ts')
  const text = await readFile(file, 'utf8')
  await writeFile(file, `${text}// mine\n`)
  await place.event('reloaded', ({ services }) => services.includes('tag'))
  await place.define(LISTED)
  const problem = await place.event('problem')
  expect(problem.text.split('\n').slice(1)).toEqual([
    '  tag/src/app.ts (edited by hand)',
    expect.stringMatching(
      /^help: make the files yours with `portico eject <path>...`, undo the edits, or replace the files with `portico generate --overwrite`, /,
    ),
    UNCHANGED,
  ])
  expect((await call(platform, 'GET', '/api/note/all')).status).not.toBe(200)
  await writeFile(file, text)
  await place.define(LISTED)
  await place.event('reloaded', ({ services }) => services.includes('note'))
  expect((await call(platform, 'GET', '/api/note/all')).status).toBe(200)
})

test('a saved source restarts only its service, and a save without a change none', async () => {
  const platform = await startWithClocks()
  const before = await clocks(platform)
  const setup = path.join(place.output, 'note/src/setup.ts')
  const text = await readFile(setup, 'utf8')
  await writeFile(setup, text)
  await writeFile(setup, text.replace('x/began', 'x/began2').concat('\n'))
  const { services } = await place.event('reloaded')
  expect(services).toEqual(['note'])
  expect((await call(platform, 'GET', '/api/note/x/began2')).status).toBe(200)
  expect((await clocks(platform))[1]).toBe(before[1])
  place.events.length = 0
  await mkdir(path.join(place.output, 'tag/src/own'))
  await writeFile(path.join(place.output, 'tag/src/own/more.ts'), 'export const more = 1\n')
  expect((await place.event('reloaded')).services).toEqual(['tag'])
})

test('a setup.ts that never ends does not hold up the next save', async () => {
  const platform = await startWithClocks()
  await place.setUp('note', `  console.log('waiting')\n  await new Promise(() => {})`)
  await place.event('line', ({ line }) => line.message === 'waiting')
  await place.setUp('note', `  router.get('/note/x/y', (c) => c.text('saved'))`)
  expect((await place.event('reloaded')).services).toEqual(['note'])
  expect((await call(platform, 'GET', '/api/note/x/y')).body['text']).toBe('saved')
  expect(place.events.filter(({ kind }) => kind === 'problem')).toEqual([])
})

test('a failing setup.ts is reported with its position, and the previous version keeps running', async () => {
  const platform = await startWithClocks()
  const before = await clocks(platform)
  await place.setUp('note', `  throw new Error('not today')`)
  const { service, text } = await place.event('problem')
  expect([service, text]).toEqual([
    'note',
    'Failed to start: Error: not today (src/setup.ts:5:9). The previous version keeps running.',
  ])
  expect(await clocks(platform)).toEqual(before)
})

test('no request fails during reloads', async () => {
  const platform = await startWithClocks()
  const state = { isOver: false }
  const statuses = new Set<number>()
  const load = Promise.all(
    [0, 1, 2].map(async () => {
      while (!state.isOver)
        statuses.add((await call(platform, 'POST', '/api/note', { body: { text: 'hello' } })).status)
    }),
  )
  for (const definition of [LISTED, DEFINITION, LISTED]) {
    place.events.length = 0
    await place.define(definition)
    await place.event('reloaded')
  }
  state.isOver = true
  await load
  expect([...statuses]).toEqual([201])
})

test('type errors in the user’s files are shown until they are fixed', async () => {
  place = await createWorkplace(DEFINITION)
  const platform = await place.start({ watch: true })
  await place.setUp('note', `  const wrong: number = 'text'\n  void wrong\n  env.hooks.beforeLst(() => {})`)
  const { errors } = await place.event('types')
  expect(errors).toEqual([
    {
      file: 'note/src/setup.ts',
      line: 5,
      column: 9,
      code: 'TS2322',
      message: "Type 'string' is not assignable to type 'number'.",
    },
    expect.objectContaining({ file: 'note/src/setup.ts', line: 7, code: 'TS2339' }),
  ])
  await place.setUp('note', '')
  await place.event('types', (event) => event.errors.length === 0)
  expect(
    place.events.filter(({ kind, ...rest }) => kind === 'problem' && !('service' in rest && rest.service)),
  ).toEqual([])
  expect((await call(platform, 'POST', '/api/note', { body: { text: 'x' } })).status).toBe(201)
})

test('added dependencies are installed first, and a failure is reported with its reason', async () => {
  place = await createWorkplace(DEFINITION)
  const platform = await place.start({ watch: true })
  const own = path.join(place.directory, 'own-package')
  await mkdir(own)
  await writeFile(
    path.join(own, 'package.json'),
    '{"name": "own-package", "version": "1.0.0", "type": "module", "exports": "./index.js"}',
  )
  await writeFile(path.join(own, 'index.js'), `export const greeting = 'hello from a package'\n`)
  const file = path.join(place.output, 'package.json')
  const original = await readFile(file, 'utf8')
  const withDependency = (specifier: string): string => {
    const content = JSON.parse(original) as { dependencies: Record<string, string> }
    // Of the generated ones none has to be downloaded for this test.
    return JSON.stringify({ ...content, dependencies: { ...content.dependencies, 'own-package': specifier } })
  }
  await writeFile(file, withDependency('file:../nowhere.tgz'))
  const { text } = await place.event('problem', ({ service }) => service === 'tag')
  expect(text).toMatch(
    /^Failed to start: could not install the dependencies of the project: .*no such file or directory.*nowhere\.tgz'\. The previous version keeps running\.$/,
  )
  await writeFile(file, withDependency('file:../own-package'))
  await place.event('notice', (event) => event.text === 'Installing own-package')
  await place.event('reloaded', ({ services }) => services.includes('tag'))
  await place.setUp(
    'tag',
    `  const { greeting } = await import('own-package')\n  router.get('/tag/x/greeting', (c) => c.text(greeting))`,
  )
  await until(
    async () => (await call(platform, 'GET', '/api/tag/x/greeting')).body['text'] === 'hello from a package',
  )
}, 180_000)
