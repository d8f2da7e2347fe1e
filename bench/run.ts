import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { measureCommandLine } from './cli.ts'
import { measureDev } from './dev.ts'
import { measureGateway } from './service/gateway.ts'
import { measureKubernetes } from './kubernetes.ts'
import { type Figure, reached, table } from './figures.ts'
import { measureLanguageServer } from './lsp/measure.ts'
import { measureLists } from './service/lists.ts'
import { measureMemory } from './service/memory.ts'
import { measureMetrics } from './service/metrics.ts'
import { measurePeers } from './peers/measure.ts'
import { measureRegistrations } from './service/registrations.ts'
import { measureStart } from './service/start.ts'
import { measureThroughput } from './service/throughput.ts'
import { measureWrites } from './service/writes.ts'

// `npm run bench` runs every group that needs nothing but this repository, `npm run bench -- cli dev` only these. Prints
// a table and writes the figures to bench/results.json, where groups that were not measured keep their earlier figures.

const GROUPS: Readonly<Record<string, () => Figure[] | Promise<Figure[]>>> = {
  cli: measureCommandLine,
  dev: measureDev,
  lsp: measureLanguageServer,
  start: measureStart,
  throughput: measureThroughput,
  writes: measureWrites,
  metrics: measureMetrics,
  memory: measureMemory,
  lists: measureLists,
  registrations: measureRegistrations,
  gateway: measureGateway,
  kubernetes: measureKubernetes,
  peers: measurePeers,
}
/** Groups that run only if they are named, because they need more than this repository installs. */
const NAMED_ONLY = ['kubernetes', 'peers']

const RESULTS = join(import.meta.dirname, 'results.json')

interface Results {
  readonly machine: string
  readonly groups: Readonly<Record<string, readonly Figure[]>>
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => GROUPS[name] === undefined)
if (unknown.length > 0) {
  console.error(`Unknown group: ${unknown.join(', ')} (choose from ${Object.keys(GROUPS).join(', ')})`)
  process.exit(2)
}

// Measures the bundle that npm installs, not the source.
execFileSync(process.execPath, [join(import.meta.dirname, '../scripts/build.mjs')], { stdio: 'inherit' })

const earlier = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results) : undefined
const groups: Record<string, readonly Figure[]> = {}
for (const [name, measure] of Object.entries(GROUPS)) {
  if (wanted.length === 0 ? NAMED_ONLY.includes(name) : !wanted.includes(name)) {
    const kept = earlier?.groups[name]
    if (kept !== undefined) groups[name] = kept
    continue
  }
  console.error(`Measuring ${name}...`)
  const figures = await measure()
  groups[name] = figures
  console.log(`\n${table(figures)}\n`)
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${process.platform} ${process.arch}`
  writeFileSync(RESULTS, `${JSON.stringify({ machine, groups } satisfies Results, null, 2)}\n`)
}

const missed = Object.values(groups)
  .flat()
  .filter((figure) => !reached(figure))
for (const figure of missed) console.log(`missed: ${figure.what}`)
process.exitCode = missed.length === 0 ? 0 : 1
