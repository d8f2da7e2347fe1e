import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hundred } from '../scripts/hundred-definition.ts'
import { type Figure, median, round } from './figures.ts'
import { PORTICO, runNode } from './processes.ts'

const ROUNDS = 15
const GENERATE_ROUNDS = 5

/** Start-up, validation and generation, against the time that Node itself takes to start. */
export async function measureCommandLine(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  try {
    const definition = join(directory, 'hundred.portico')
    const thousand = join(directory, 'thousand.portico')
    writeFileSync(definition, hundred(100))
    writeFileSync(thousand, hundred(1000))
    return [...(await startUp(definition)), ...(await generation(directory, definition, thousand))]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function startUp(definition: string): Promise<Figure[]> {
  const node: number[] = []
  const version: number[] = []
  const validate: number[] = []
  for (let turn = 0; turn <= ROUNDS; turn++) {
    const times = [
      (await runNode(['-e', '0'])).ms,
      (await runNode([PORTICO, '--version'])).ms,
      (await runNode([PORTICO, 'validate', definition])).ms,
    ] as const
    // The first round fills the caches of the file system and of the compiler.
    if (turn === 0) continue
    node.push(times[0])
    version.push(times[1])
    validate.push(times[2])
  }
  const against = (ms: number[]): Pick<Figure, 'value' | 'unit' | 'detail'> => ({
    value: median(ms) / median(node),
    unit: 'x',
    detail: `${round(median(ms))} ms against ${round(median(node))} ms of node -e 0`,
  })
  return [
    { what: 'validate, 100 services', must: { atMost: 4.5 }, ...against(validate) },
    { what: 'portico --version', must: { atMost: 2.2 }, ...against(version) },
  ]
}

async function generation(directory: string, definition: string, thousand: string): Promise<Figure[]> {
  const small = await generate(directory, definition)
  const large = await generate(directory, thousand)
  const ms = median(small.map((run) => run.ms))
  const largeMs = median(large.map((run) => run.ms))
  const peak = Math.max(...small.map((run) => run.peakBytes)) / 1e6
  return [
    {
      what: 'generate, 100 services',
      value: ms / 1000,
      unit: 's',
      must: { atMost: 1 },
      detail: 'into an empty directory',
    },
    {
      what: 'generate, 100 services, memory',
      value: peak,
      unit: 'MB',
      must: { atMost: 250 },
      detail: 'largest resident memory',
    },
    {
      what: 'generate, 1,000 services against 100',
      value: largeMs / ms,
      unit: 'x',
      must: { atMost: 11 },
      detail: `${round(largeMs / 1000)} s against ${round(ms / 1000)} s`,
    },
  ]
}

async function generate(directory: string, definition: string) {
  const runs = []
  for (let turn = 0; turn < GENERATE_ROUNDS; turn++) {
    // A directory of its own, removed at the end: ext4 creates files slowly where many were just deleted.
    const output = mkdtempSync(join(directory, 'output-'))
    runs.push(await runNode([PORTICO, 'generate', definition, '--output', output, '--yes'], { peak: true }))
  }
  return runs
}
