import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { call } from '../../dev/run-platform.ts'
import { platformOf } from '../../emit/platform.ts'
import { temporaryDirectory, writeFiles } from '../../emit/service-process.ts'
import { EXAMPLES_TO_RUN, type RunningExample, startExample } from '../../examples/example.ts'
import { readActions, TUTORIAL } from '../../examples/walkthrough.ts'
import { runGo } from './run-go.ts'

// The Go of docs/hooks.md compiles in the project of examples/stays, and does what the page says.

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../docs/hooks.md'), 'utf8')

/** Packages by the names that the examples use them under. */
const PACKAGES = [
  'cmp',
  'context',
  'errors',
  'fmt',
  'net/http',
  'strconv',
  'github.com/google/uuid',
  'example.com/stays/internal/platform',
]

/**
 * The Go of the page by path. Each version of `setup.go` becomes a function of its own, in a file of its own; `setup.go`
 * calls them, but for later handlers of an endpoint, which can have one.
 */
function examples(): Record<string, string> {
  const files: Record<string, string> = {}
  const setups: Record<string, string[]> = {}
  const handled = new Set<string>()
  let number = 0
  for (const action of readActions(PAGE)) {
    if (!('path' in action) || !action.path.endsWith('.go')) continue
    const service = path.dirname(action.path)
    if (path.basename(action.path) !== 'setup.go') {
      files[action.path] = action.content
      continue
    }
    const calls = (setups[service] ??= [])
    const name = `setup${number++}`
    const [, endpoint] = /env\.Endpoints\.(\w+)\.Handle\(/.exec(action.content) ?? []
    if (endpoint === undefined || !handled.has(endpoint)) calls.push(name)
    if (endpoint !== undefined) handled.add(endpoint)
    const text = action.content.includes('package main') ? action.content : wholeFile(action.content)
    files[`${service}/${name}.go`] = text.replace('func setup(', `func ${name}(`)
  }
  for (const [service, names] of Object.entries(setups)) files[`${service}/setup.go`] = callAll(names)
  return files
}

/** Some examples show only what is inside the function. */
function wholeFile(statements: string): string {
  const used = PACKAGES.filter((name) => new RegExp(`\\b${path.basename(name)}\\.`).test(statements))
  const imports = [...new Set(['context', ...used, 'example.com/stays/internal/platform'])]
  return `package main

import (
${imports
  .sort()
  .map((name) => `\t"${name}"\n`)
  .join('')})

func setup(_ context.Context, env *Env, router *platform.Router) error {
\t_ = router
${statements.replace(/^(?=.)/gm, '\t')}\treturn nil
}
`
}

function callAll(names: readonly string[]): string {
  return `package main

import (
\t"cmp"
\t"context"

\t"example.com/stays/internal/platform"
)

func setup(ctx context.Context, env *Env, router *platform.Router) error {
\treturn cmp.Or(${names.map((name) => `${name}(ctx, env, router)`).join(', ')})
}
`
}

test('the hooks of the tutorial compile', { timeout: 300_000 }, async () => {
  const tutorial = readFileSync(TUTORIAL, 'utf8')
  const definition = readActions(tutorial).findLast(
    (action) => 'path' in action && action.path.endsWith('.portico'),
  )
  const [, hooks] = /^```go\n([\s\S]*?)^```$/m.exec(tutorial) ?? []
  if (definition === undefined || !('content' in definition) || hooks === undefined)
    throw new Error('The tutorial has no definition or no Go')
  const text = definition.content.replace('#authMethod', '#language(go); #authMethod')
  const generated = emitProject(platformOf(text)).filter(({ path: file }) => file !== 'recipe/setup.go')
  const directory = await writeFiles([
    ...generated,
    { path: 'recipe/setup.go', content: hooks, owner: 'user' },
  ])
  expect(await runGo('gofmt', ['-l', 'recipe'], directory)).toBe('')
  expect(await runGo('go', ['vet', './recipe'], directory)).toBe('')
  await rm(directory, { recursive: true })
})

let running: RunningExample

beforeAll(async () => {
  const stays = EXAMPLES_TO_RUN.find(({ name }) => name === 'stays')
  if (stays === undefined) throw new Error('Missing examples/stays')
  const options = ['--language', 'go', '--module', 'example.com/stays']
  const definition = path.join(await temporaryDirectory(), 'stays.portico')
  await writeFile(definition, withJobs(readFileSync(stays.definition, 'utf8')))
  running = await startExample({ ...stays, definition, options }, examples())
}, 300_000)

afterAll(() => running.stop())

/** The definition of examples/stays, whose service Stay has the jobs of the page. */
function withJobs(definition: string): string {
  const [, jobs = ''] = /\n## Jobs\n.*?```portico\n(.*?)```/s.exec(PAGE) ?? []
  return definition.replace('Stay: service {\n', (start) => start + jobs)
}

test('every example passes gofmt and vet, and the tests pass', { timeout: 300_000 }, async () => {
  expect(Object.keys(examples()).length).toBeGreaterThan(12)
  expect(await runGo('gofmt', ['-l', '.'], running.output)).toBe('')
  expect(await runGo('go', ['vet', './...'], running.output)).toBe('')
  expect(await runGo('go', ['test', './stay', '-run', 'Price'], running.output)).toMatch(/^ok/)
})

describe('the hooks and routes of the page', () => {
  let token: string
  let home: string

  const send = (method: string, at: string, body?: unknown) =>
    call(running, method, `/api/${at}`, { token, body })
  const register = (email: string) =>
    call(running, 'POST', '/api/auth/register', { body: { email, password: randomUUID() } })

  beforeAll(async () => {
    expect(await register(`${randomUUID()}@example.com`)).toMatchObject({
      status: 403,
      body: { error: 'Only members can register' },
    })
    token = String((await register(`${randomUUID()}@example.org`)).body['AccessToken'])
    const wanted = { address: '12 Lake Road', nightlyRate: 90, beds: 2 }
    expect(await send('POST', 'home', wanted)).toMatchObject({ status: 403 })
    expect(await send('POST', 'host', { name: 'Ada' })).toMatchObject({ status: 201 })
    const created = await send('POST', 'home', wanted)
    expect(created).toMatchObject({ status: 201 })
    home = String(created.body['id'])
  })

  test('reject values, and compute others', async () => {
    const costly = { address: 'A', nightlyRate: 5001, beds: 1 }
    expect(await send('POST', 'home', costly)).toEqual({
      status: 400,
      body: { error: 'A night costs at most 5000' },
    })
    const stay = { home, arrival: '2030-07-01', departure: '2030-07-04', guests: 1, message: '' }
    expect(await send('POST', 'stay', stay)).toMatchObject({ status: 201, body: { price: 270 } })
    expect(await send('POST', 'stay', { ...stay, departure: '2030-07-01' })).toMatchObject({ status: 400 })
  })

  test('answer requests of their own', async () => {
    expect(await send('GET', `home/${home}/quote?nights=3`)).toEqual({
      status: 200,
      body: { nights: 3, address: '12 Lake Road', total: 270 },
    })
    expect(await send('GET', `home/${randomUUID()}/quote`)).toMatchObject({ status: 404 })
    expect(await send('GET', `home/${home}/quote?nights=x`)).toMatchObject({ status: 400 })
    const found = { id: home, address: '12 Lake Road', nightlyRate: 90 }
    expect(await send('GET', 'home/search?beds=2')).toEqual({ status: 200, body: { homes: [found] } })
    expect(await send('GET', 'home/search?beds=x')).toMatchObject({ status: 400 })
    expect(await send('POST', `home/${home}/hide`, {})).toMatchObject({ status: 200 })
    expect(await send('GET', `home/${home}/summary`)).toMatchObject({
      status: 200,
      body: { id: home, beds: 2 },
    })
    expect(await send('POST', `home/${home}/discount`, {})).toEqual({ status: 200, body: { rate: 81 } })
    expect(await send('POST', `home/${randomUUID()}/discount`, {})).toMatchObject({ status: 404 })
    expect(await send('GET', 'review/oldest')).toMatchObject({ status: 200 })
    expect(await send('POST', 'home/check', { address: '' })).toMatchObject({ status: 400 })
    const exported = await fetch(`http://${running.gateway}/api/home/export.csv`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await exported.text()).toBe(`${home},2\n`)
    expect(await send('PUT', 'auth/password', { password: 'short' })).toMatchObject({ status: 400 })
    expect(await send('PUT', 'auth/password', { password: 'long enough a word' })).toMatchObject({
      status: 200,
    })
  })
})
