import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Client, startServer } from '../../test/lsp/harness.ts'

/** A language server with one text open, and its mistake, which can be made and mended again. */
export interface Subject {
  readonly client: Client
  readonly uri: string
  /** What stands in the text, and what it is replaced by to make a mistake; of the same length. */
  readonly right: string
  readonly wrong: string
  /** Where that is. */
  readonly at: number
}

/** Starts a server, opens a text, and waits for its diagnostics; says how many milliseconds that took. */
export async function openIn(
  command: readonly string[],
  file: string,
  text: string,
  mistake: Pick<Subject, 'right' | 'wrong'>,
): Promise<{ readonly subject: Subject; readonly ms: number }> {
  const start = performance.now()
  const client = await startServer({ command })
  const uri = pathToFileURL(file).href
  await client.open(text, uri)
  const subject = { client, uri, at: text.indexOf(mistake.right, text.length / 2), ...mistake }
  await shown(subject, 0)
  return { subject, ms: performance.now() - start }
}

/** Makes the mistake or mends it, and waits until that shows; milliseconds. */
export async function edit(subject: Subject, isWrong: boolean): Promise<number> {
  const { client, uri, right, wrong, at } = subject
  client.published.length = 0
  const start = performance.now()
  await client.edit(uri, isWrong ? wrong : right, at, at + right.length)
  await shown(subject, isWrong ? 1 : 0)
  return performance.now() - start
}

/** Resident memory of the server in bytes: the largest up to now. */
export function peakBytes({ client }: Subject): number {
  const status = readFileSync(`/proc/${client.child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** The value that 95 of 100 do not exceed. Throws for none. */
export function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.ceil(sorted.length * 0.95) - 1]
  if (value === undefined) throw new Error('No values to take the 95th percentile of')
  return value
}

async function shown({ client, uri }: Pick<Subject, 'client' | 'uri'>, count: number): Promise<void> {
  await client.publication((params) => params.uri === uri && params.diagnostics.length === count)
}
