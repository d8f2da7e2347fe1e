import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Figure, median } from './figures.ts'
import { end, memoryOfTree, PORTICO, ROOT, startNode } from './processes.ts'

const ROUNDS = 3
const EDITS = 10
/** How long a platform idles before its memory is measured, in ms, so that garbage of the start is collected. */
const REST_MS = 5000
const STAYS = join(ROOT, 'examples/stays/stays.portico')
const HUNDRED = join(ROOT, 'examples/hundred/hundred.portico')

/** Measures the start, reloads and memory of `portico dev`. */
export async function measureDev(): Promise<Figure[]> {
  return [...(await small()), ...(await hundred()), ...(await edits())]
}

async function small(): Promise<Figure[]> {
  const first: number[] = []
  const later: number[] = []
  const memory: number[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    await inDirectory(async (output) => {
      first.push(await withPlatform(STAYS, output, async ({ seconds }) => seconds))
      await withPlatform(STAYS, output, async ({ seconds, process }) => {
        later.push(seconds)
        await rest(REST_MS)
        memory.push(memoryOfTree(process.pid ?? 0) / 1e6)
      })
    })
  }
  return [
    {
      what: 'dev, 4 services, first start',
      value: median(first),
      unit: 's',
      must: { atMost: 2.5 },
      detail: 'generation and database initialization included',
    },
    {
      what: 'dev, 4 services, later start',
      value: median(later),
      unit: 's',
      must: { atMost: 0.8 },
      detail: 'to GATEWAY_ENTRY',
    },
    {
      what: 'dev, 4 services, memory',
      value: median(memory),
      unit: 'MB',
      must: { atMost: 400 },
      detail: 'Portico, 4 declared services and authentication, database',
    },
  ]
}

async function hundred(): Promise<Figure[]> {
  const { seconds, megabytes } = await inDirectory((output) =>
    withPlatform(HUNDRED, output, async (platform) => {
      await rest(REST_MS)
      return { seconds: platform.seconds, megabytes: memoryOfTree(platform.process.pid ?? 0) / 1e6 }
    }),
  )
  return [
    {
      what: 'dev, 100 services, first start',
      value: seconds,
      unit: 's',
      must: { atMost: 3 },
      detail: 'generation and 101 databases included',
    },
    {
      what: 'dev, 100 services, memory',
      value: megabytes,
      unit: 'MB',
      must: { atMost: 2000 },
      detail: 'Portico, services, database',
    },
  ]
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
    await withPlatform(
      definition,
      output,
      async ({ gateway }) => {
        for (let turn = 0; turn < EDITS; turn++) {
          const list = turn % 2 === 0
          await rest(500)
          definitions.push(await until(() => write(list), `http://${gateway}/api/note/all`, list ? 200 : 400))
          await rest(500)
          const status = turn % 2 === 0 ? 418 : 451
          const save = (): void =>
            writeFileSync(
              setup,
              `import type { Env, Router } from './hooks.ts'\n\nexport default function setup(_env: Env, router: Router) {\n  router.get('/note/probe/probe', (c) => c.text('', ${status}))\n}\n`,
            )
          hooks.push(await until(save, `http://${gateway}/api/note/probe/probe`, status))
        }
      },
      true,
    )
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

/** Returns the milliseconds from the edit until the URL responds with the status. Throws after 20 s. */
async function until(edit: () => void, url: string, status: number): Promise<number> {
  const begin = performance.now()
  edit()
  while (performance.now() - begin < 20_000) {
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === status) return performance.now() - begin
    await rest(5)
  }
  throw new Error(`${url} did not respond with ${status} after the edit`)
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
  watch = false,
): Promise<T> {
  const begin = performance.now()
  const options = ['--output', output, '--port', '0', '--yes', ...(watch ? [] : ['--no-watch'])]
  const child = startNode([PORTICO, 'dev', definition, ...options])
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

async function inDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  try {
    return await use(directory)
  } finally {
    // As root, the database may be in another directory, which this file names.
    for (const note of globSync(join(directory, '**/.portico/**/*.location'))) {
      rmSync(readFileSync(note, 'utf8').trim(), { recursive: true, force: true })
    }
    rmSync(directory, { recursive: true, force: true })
  }
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
