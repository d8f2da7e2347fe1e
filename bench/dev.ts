import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Figure, median } from './figures.ts'
import { end, memoryOfTree, PORTICO, ROOT, startNode } from './processes.ts'

const ROUNDS = 3
/** How long a platform rests before its memory is taken, in ms: start-up has left garbage behind by then. */
const REST_MS = 5000

/** What `portico dev` takes to start, and its memory. */
export async function measureDev(): Promise<Figure[]> {
  const first: number[] = []
  const later: number[] = []
  const memory: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const output = mkdtempSync(join(tmpdir(), 'portico-bench-'))
    first.push((await start('stays/stays.portico', output)).seconds)
    const again = await start('stays/stays.portico', output, REST_MS)
    later.push(again.seconds)
    memory.push(again.bytes / 1e6)
    rmSync(output, { recursive: true, force: true })
  }
  const output = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  const large = await start('hundred/hundred.portico', output, REST_MS)
  rmSync(output, { recursive: true, force: true })
  return [
    {
      what: 'dev, 4 services, first start',
      value: median(first),
      unit: 's',
      must: { atMost: 3 },
      detail: 'generated, database initialised, to GATEWAY_ENTRY',
    },
    {
      what: 'dev, 4 services, later start',
      value: median(later),
      unit: 's',
      must: { atMost: 1 },
      detail: 'to GATEWAY_ENTRY',
    },
    {
      what: 'dev, 4 services, memory',
      value: median(memory),
      unit: 'MB',
      must: { atMost: 400 },
      detail: 'Portico, 4 declared services and authentication, database',
    },
    {
      what: 'dev, 100 services, first start',
      value: large.seconds,
      unit: 's',
      must: { atMost: 12 },
      detail: 'generated, 101 databases made, to GATEWAY_ENTRY',
    },
    {
      what: 'dev, 100 services, memory',
      value: large.bytes / 1e6,
      unit: 'MB',
      must: { atMost: 2000 },
      detail: '',
    },
  ]
}

async function start(
  example: string,
  output: string,
  restMs = 0,
): Promise<{ seconds: number; bytes: number }> {
  const begin = performance.now()
  const child = startNode([
    PORTICO,
    'dev',
    join(ROOT, 'examples', example),
    '--output',
    output,
    '--port',
    '0',
    '--no-watch',
  ])
  try {
    const seconds = await new Promise<number>((resolve, reject) => {
      if (child.stdout === null) throw new Error('No output to read')
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('GATEWAY_ENTRY=')) resolve((performance.now() - begin) / 1000)
      })
      void once(child, 'exit').then(([status]) => reject(new Error(`portico dev ended with ${status}`)))
    })
    if (restMs === 0) return { seconds, bytes: 0 }
    await new Promise((resolve) => setTimeout(resolve, restMs))
    return { seconds, bytes: memoryOfTree(child.pid ?? 0) }
  } finally {
    await end(child)
  }
}
