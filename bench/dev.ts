import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import { hundred, withReferences } from '../scripts/hundred-definition.ts'
import { type Figure, median } from './figures.ts'
import { end, isRunningBelow, memoryOfTree, PORTICO, startNode } from './processes.ts'

const ROUNDS = 3
const EDITS = 10
/** How long a platform idles before its memory is measured, in ms, so that garbage of the start is collected. */
const REST_MS = 5000

/** Removed at the end, because ext4 creates files slowly after many deletions. */
const directories: string[] = []

/** Measures the start, reloads and memory of `portico dev`. */
export async function measureDev(): Promise<Figure[]> {
  try {
    return [
      ...(await small()),
      ...(await large()),
      ...(await edits()),
      await goEdits(),
      await schemaChanges(),
    ]
  } finally {
    for (const directory of directories.splice(0)) remove(directory)
  }
}

async function small(): Promise<Figure[]> {
  const first: number[] = []
  const later: number[] = []
  const memory: number[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    await inDirectory(async (directory) => {
      const definition = join(directory, 'six.portico')
      const output = join(directory, 'six')
      writeFileSync(definition, withReferences(hundred(6)))
      first.push(await withPlatform(definition, output, async ({ seconds }) => seconds))
      await withPlatform(definition, output, async ({ seconds, process }) => {
        later.push(seconds)
        memory.push(await idleMemory(process))
      })
    })
  }
  return [
    {
      what: 'dev, 6 services, first start',
      value: median(first),
      unit: 's',
      must: { atMost: 2.5 },
      detail: 'generation and database initialization included',
    },
    {
      what: 'dev, 6 services, later start',
      value: median(later),
      unit: 's',
      must: { atMost: 1 },
      detail: 'to GATEWAY_ENTRY',
    },
    {
      what: 'dev, 6 services, memory',
      value: median(memory),
      unit: 'MB',
      must: { atMost: 500 },
      detail: 'Portico, 6 declared services and authentication, database, after the type check',
    },
  ]
}

async function large(): Promise<Figure[]> {
  const first: number[] = []
  const memory: number[] = []
  for (let turn = 0; turn < ROUNDS; turn++)
    await inDirectory((directory) => {
      const definition = join(directory, 'hundred.portico')
      writeFileSync(definition, withReferences(hundred(100)))
      return withPlatform(definition, join(directory, 'hundred'), async ({ seconds, process }) => {
        first.push(seconds)
        memory.push(await idleMemory(process))
      })
    })
  return [
    {
      what: 'dev, 100 services, first start',
      value: median(first),
      unit: 's',
      must: { atMost: 3 },
      detail: 'generation and 101 databases included',
    },
    {
      what: 'dev, 100 services, memory',
      value: median(memory),
      unit: 'MB',
      must: { atMost: 2000 },
      detail: 'Portico, services, database, after the type check',
    },
  ]
}

/** Returns the memory of a platform in MB after the check of types that runs in the background has ended. */
async function idleMemory({ pid = 0 }: ChildProcess): Promise<number> {
  do await rest(1000)
  while (isRunningBelow(pid, '/typescript'))
  await rest(REST_MS)
  return memoryOfTree(pid) / 1e6
}

/** Measures the time from saving a file until the platform runs it. */
async function edits(): Promise<Figure[]> {
  const definitions: number[] = []
  const hooks: number[] = []
  await inDirectory(async (directory) => {
    const definition = join(directory, 'tiny.portico')
    const output = join(directory, 'tiny')
    const setup = join(output, 'note/src/setup.ts')
    const write = (list: boolean): void =>
      writeFileSync(
        definition,
        `Tiny: project {}\nNote: service {\n  text: string;\n  ${list ? '#enumerable;' : ''}\n}\n`,
      )
    write(false)
    await withPlatform(definition, output, async ({ gateway }) => {
      for (let turn = 0; turn < EDITS; turn++) {
        const list = turn % 2 === 0
        await rest(500)
        const all = `http://${gateway}/api/note/all`
        definitions.push(
          await until(
            () => write(list),
            async () => (await statusOf(all)) === (list ? 200 : 400),
          ),
        )
        await rest(500)
        const probe = turn % 2 === 0 ? 418 : 451
        const save = (): void =>
          writeFileSync(
            setup,
            `import type { Env, Router } from './hooks.ts'\n\nexport default function setup(_env: Env, router: Router) {\n  router.get('/note/probe/probe', (c) => c.text('', ${probe}))\n}\n`,
          )
        const path = `http://${gateway}/api/note/probe/probe`
        hooks.push(await until(save, async () => (await statusOf(path)) === probe))
      }
    })
  })
  return [
    {
      what: 'dev, reload after saving the definition',
      value: median(definitions),
      unit: 'ms',
      must: { atMost: 500 },
      detail: 'checked, generated, service restarted',
    },
    {
      what: 'dev, reload after saving setup.ts',
      value: median(hooks),
      unit: 'ms',
      must: { atMost: 500 },
      detail: 'its service restarted',
    },
  ]
}

/** The same for a service in Go, which is built. */
async function goEdits(): Promise<Figure> {
  const times: number[] = []
  await inDirectory(async (directory) => {
    const definition = join(directory, 'tiny.portico')
    const output = join(directory, 'tiny')
    writeFileSync(definition, 'Tiny: project { #language(go); }\nNote: service { text: string; }\n')
    await withPlatform(definition, output, async ({ gateway }) => {
      for (let turn = 0; turn < EDITS; turn++) {
        await rest(500)
        const probe = turn % 2 === 0 ? 418 : 451
        const save = (): void => writeFileSync(join(output, 'note/setup.go'), goSetup(probe))
        const path = `http://${gateway}/api/note/probe/probe`
        times.push(await until(save, async () => (await statusOf(path)) === probe))
      }
    })
  })
  return {
    what: 'dev, reload after saving setup.go',
    value: median(times),
    unit: 'ms',
    must: { atMost: 2000 },
    detail: 'its service built and restarted',
  }
}

const goSetup = (status: number): string => `package main

import (
	"context"
	"net/http"

	"example.com/tiny/internal/platform"
)

func setup(_ context.Context, _ *Env, router *platform.Router) error {
	router.Handle("GET /note/probe/probe", func(w http.ResponseWriter, _ *http.Request) error {
		w.WriteHeader(${status})
		return nil
	})
	return nil
}
`

/** Changes of the schema one after the other, and the attribute with the text then. The last one leads to the first. */
const SCHEMAS = [
  ['attribute added', 'text', 'text: string(80);'],
  ['bound changed', 'text', 'text: string(90);'],
  ['attribute renamed', 'title', 'title: string(90) @was(text);'],
  [
    'attribute renamed and struct added',
    'text',
    'text: string(90) @was(title); Photo: struct { url: string; }',
  ],
] as const

/** Measures the time from saving a definition with another schema until the platform returns a row as it says. */
async function schemaChanges(): Promise<Figure> {
  const times = new Map<string, number[]>(SCHEMAS.map(([what]) => [what, []]))
  await inDirectory(async (directory) => {
    const definition = join(directory, 'tiny.portico')
    const write = (members: string): void =>
      writeFileSync(definition, `Tiny: project {}\nNote: service {\n  ${members}\n}\n`)
    write('text: string(80);')
    await withPlatform(definition, join(directory, 'tiny'), async ({ gateway }) => {
      const response = await fetch(`http://${gateway}/api/note`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"text":"x"}',
      })
      const { id } = (await response.json()) as { id: string }
      for (let turn = 0; turn < ROUNDS; turn++)
        for (const [what, name, members] of SCHEMAS) {
          await rest(500)
          const added = Array.from({ length: turn + 1 }, (_, index) => `number${index}`)
          const save = (): void => write(`${members} ${added.map((each) => `${each}: int = 1;`).join(' ')}`)
          const expected = { id, [name]: 'x', ...Object.fromEntries(added.map((each) => [each, 1])) }
          const path = what === 'bound changed' ? '/openapi.json' : `/note/${id}`
          const isNew = async (): Promise<boolean> => {
            const shown = await fetch(`http://${gateway}/api${path}`)
            if (what === 'bound changed') return (await shown.text()).includes('"maxLength":90')
            return isDeepStrictEqual(await shown.json(), expected)
          }
          times.get(what)?.push(await until(save, isNew))
        }
    })
  })
  const medians = [...times].map(([what, each]) => [what, median(each)] as const)
  return {
    what: 'dev, reload after saving another schema, the slowest kind of change',
    value: Math.max(...medians.map(([, milliseconds]) => milliseconds)),
    unit: 'ms',
    must: { atMost: 1000 },
    detail: medians.map(([what, milliseconds]) => `${what} ${Math.round(milliseconds)}`).join(', '),
  }
}

/** Returns the milliseconds from the edit until the condition is true. Throws after 20 s. */
async function until(edit: () => void, isTrue: () => Promise<boolean>): Promise<number> {
  const begin = performance.now()
  edit()
  while (performance.now() - begin < 20_000) {
    if (await isTrue().catch(() => false)) return performance.now() - begin
    await rest(5)
  }
  throw new Error('The platform did not change after the edit')
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url)
  await response.body?.cancel()
  return response.status
}

interface Platform {
  readonly process: ChildProcess
  readonly gateway: string
  /** Milliseconds from the start of the process to the line with the gateway. */
  readonly seconds: number
}

async function withPlatform<T>(
  definition: string,
  output: string,
  use: (platform: Platform) => Promise<T>,
): Promise<T> {
  const begin = performance.now()
  const child = startNode([PORTICO, 'dev', definition, '--output', output, '--port', '0', '--yes'])
  try {
    const gateway = await new Promise<string>((resolve, reject) => {
      if (child.stdout === null) throw new Error('No output to read')
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('GATEWAY_ENTRY=')) resolve(line.slice('GATEWAY_ENTRY='.length))
      })
      void once(child, 'exit').then(([status]) => reject(new Error(`portico dev ended with ${status}`)))
    })
    return await use({ process: child, gateway, seconds: (performance.now() - begin) / 1000 })
  } finally {
    await end(child)
  }
}

function inDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  directories.push(directory)
  return use(directory)
}

function remove(directory: string): void {
  // As root, the database may be in another directory, which this file names.
  for (const note of globSync(join(directory, '**/.portico/**/*.location'))) {
    rmSync(readFileSync(note, 'utf8').trim(), { recursive: true, force: true })
  }
  rmSync(directory, { recursive: true, force: true })
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
