import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hundred, inFiles, withReferences } from '../scripts/hundred-definition.ts'
import { type Figure, median, round } from './figures.ts'
import { PORTICO, runNode, WORK } from './processes.ts'

const ROUNDS = 15
const GENERATE_ROUNDS = 5

/** Measures start-up, validation and generation relative to Node's own start-up. */
export async function measureCommandLine(): Promise<Figure[]> {
  // In the repository: the directory for temporary files may be in memory, where flushing costs nothing.
  mkdirSync(WORK, { recursive: true })
  const directory = mkdtempSync(join(WORK, 'generate-'))
  try {
    const definition = join(directory, 'hundred.portico')
    const thousand = join(directory, 'thousand.portico')
    writeFileSync(definition, withReferences(hundred(100)))
    writeFileSync(thousand, withReferences(hundred(1000)))
    const several = join(directory, 'several.portico')
    for (const [name, text] of inFiles(withReferences(hundred(100)), 20))
      writeFileSync(join(directory, name), text)
    return [
      ...(await startUp({ definition, several, thousand })),
      ...(await generation(directory, definition, thousand)),
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Definitions {
  readonly definition: string
  /** The same in several files. */
  readonly several: string
  readonly thousand: string
}

async function startUp({ definition, several, thousand }: Definitions): Promise<Figure[]> {
  const node: number[] = []
  const version: number[] = []
  const validate: number[] = []
  const validateThousand: number[] = []
  const validateSeveral: number[] = []
  for (let turn = 0; turn <= ROUNDS; turn++) {
    const times = [
      (await runNode(['-e', '0'])).ms,
      (await runNode([PORTICO, '--version'])).ms,
      (await runNode([PORTICO, 'validate', definition])).ms,
      (await runNode([PORTICO, 'validate', thousand])).ms,
      (await runNode([PORTICO, 'validate', several])).ms,
    ] as const
    // The first round fills the caches of the file system and the compiler.
    if (turn === 0) continue
    node.push(times[0])
    version.push(times[1])
    validate.push(times[2])
    validateThousand.push(times[3])
    validateSeveral.push(times[4])
  }
  const against = (ms: number[]): Pick<Figure, 'value' | 'unit' | 'detail'> => ({
    value: median(ms) / median(node),
    unit: 'x',
    detail: `${round(median(ms))} ms, compared with ${round(median(node))} ms of node -e 0`,
  })
  return [
    { what: 'validate, 100 services', must: { atMost: 5 }, ...against(validate) },
    { what: 'validate, 1,000 services', must: { atMost: 15 }, ...against(validateThousand) },
    {
      what: 'validate, 100 services in 20 files',
      value: median(validateSeveral) / median(validate),
      unit: 'x',
      must: { atMost: 1.2 },
      detail: `${round(median(validateSeveral))} ms, compared with ${round(median(validate))} ms in one file`,
    },
    { what: 'portico --version', must: { atMost: 1.3 }, ...against(version) },
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
      value: ms,
      unit: 'ms',
      must: { atMost: 900 },
      detail: 'into an empty directory on a disk, flushes included',
    },
    {
      what: 'generate, 100 services, memory',
      value: peak,
      unit: 'MB',
      must: { atMost: 200 },
      detail: 'largest resident memory',
    },
    {
      what: 'generate, 1,000 services relative to 100',
      value: largeMs / ms,
      unit: 'x',
      must: { atMost: 9 },
      detail: `${round(largeMs / 1000)} s, compared with ${round(ms / 1000)} s`,
    },
  ]
}

async function generate(directory: string, definition: string) {
  const runs = []
  for (let turn = 0; turn <= GENERATE_ROUNDS; turn++) {
    // Each run has its own directory, removed at the end: ext4 creates files slowly after many deletions.
    const output = mkdtempSync(join(directory, 'output-'))
    const run = await runNode([PORTICO, 'generate', definition, '--output', output, '--yes'], { peak: true })
    // As above.
    if (turn > 0) runs.push(run)
  }
  return runs
}
