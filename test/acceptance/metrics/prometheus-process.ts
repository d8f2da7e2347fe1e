import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { freePort } from '../../free-port.ts'

const PROGRAMS = join(process.env['PORTICO_CI_HOME'] ?? '/var/tmp/portico-ci', 'prometheus/usr/bin')

/** A series of the answer to a query, with its value. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: number
}

/** Prometheus, running as a process. */
export interface PrometheusProcess {
  readonly query: (expression: string) => Promise<Series[]>
  /** The alerts as Prometheus has loaded them. */
  readonly alerts: () => Promise<{ readonly name: string; readonly query: string; readonly health: string }[]>
  readonly stop: () => Promise<void>
}

/** Runs promtool, with a text on standard input. Returns its status and what it printed. */
export function promtool(args: readonly string[], input = ''): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(join(PROGRAMS, 'promtool'), args, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr })
    })
    child.stdin?.end(input)
  })
}

/** What is scraped under one name, and how its targets are found. */
export interface ScrapeConfig {
  readonly job_name: string
  readonly dns_sd_configs?: unknown
  readonly static_configs?: readonly { readonly targets: readonly string[] }[]
  readonly kubernetes_sd_configs?:
    | readonly { readonly namespaces: { readonly names: readonly string[] } }[]
    | undefined
  readonly relabel_configs?:
    | readonly { readonly source_labels: readonly string[]; readonly regex: string }[]
    | undefined
}

interface Configuration {
  global: unknown
  scrape_configs: ScrapeConfig[]
}

/**
 * Starts Prometheus with the configuration in `prometheus/` of a directory. Changes only how targets are found, by
 * `change`, and how often they are scraped: every second.
 */
export async function startPrometheus(
  directory: string,
  change: (job: ScrapeConfig) => ScrapeConfig | Promise<ScrapeConfig>,
): Promise<PrometheusProcess> {
  if (!existsSync(PROGRAMS))
    throw new Error(`Could not find Prometheus at ${PROGRAMS}: run .ci/install/prometheus`)
  const file = join(directory, 'prometheus/local.yaml')
  const text = await readFile(join(directory, 'prometheus/prometheus.yaml'), 'utf8')
  const configuration = parse(text) as Configuration
  configuration.global = { scrape_interval: '1s', evaluation_interval: '1s' }
  const jobs: ScrapeConfig[] = []
  for (const job of configuration.scrape_configs) jobs.push(await change(job))
  configuration.scrape_configs = jobs
  await writeFile(file, stringify(configuration))
  const data = join(directory, 'prometheus-data')
  await mkdir(data)
  const port = await freePort()
  const child = spawn(
    join(PROGRAMS, 'prometheus'),
    [`--config.file=${file}`, `--storage.tsdb.path=${data}`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => (output += part))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const get = async (path: string): Promise<{ data: never }> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { data: never }
  }
  while (!output.includes('ready to receive web requests')) {
    if (child.exitCode !== null) throw new Error(`Prometheus does not start: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    async query(expression) {
      const { data: found } = await get(`/api/v1/query?query=${encodeURIComponent(expression)}`)
      const { result } = found as { result: { metric: Series['metric']; value: [number, string] }[] }
      return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }))
    },
    async alerts() {
      const { data: found } = await get('/api/v1/rules')
      const { groups } = found as {
        groups: { rules: { name: string; query: string; health: string }[] }[]
      }
      return groups.flatMap(({ rules }) => rules)
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
      await rm(data, { recursive: true, force: true })
    },
  }
}
