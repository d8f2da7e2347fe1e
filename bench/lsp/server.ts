import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { WorkspaceFolder } from 'vscode-languageserver-protocol/node'
import { type Client, startServer } from '../../test/lsp/harness.ts'

/** A language server with one open document, and an edit that adds or fixes one error in it. */
export interface Subject {
  readonly client: Client
  readonly uri: string
  /** The correct text, and the text of the same length that replaces it to cause an error. */
  readonly right: string
  readonly wrong: string
  /** The offset of `right`. */
  readonly at: number
}

/**
 * Starts a server, opens a document and waits for its diagnostics. Returns how many milliseconds that took.
 *
 * @param folders the workspace of the document
 */
export async function openIn(
  command: readonly string[],
  file: string,
  text: string,
  mistake: Pick<Subject, 'right' | 'wrong'>,
  folders: readonly WorkspaceFolder[] = [],
): Promise<{ readonly subject: Subject; readonly ms: number }> {
  const start = performance.now()
  // Diagnostics are shown at once, without waiting for a pause in typing.
  const client = await startServer({ command, folders, initializationOptions: { diagnosticsDelay: 0 } })
  const uri = pathToFileURL(file).href
  await client.open(text, uri)
  // In the second half, if it is there.
  const at = Math.max(text.indexOf(mistake.right, text.length / 2), text.indexOf(mistake.right))
  const subject = { client, uri, at, ...mistake }
  await shown(subject, 0)
  return { subject, ms: performance.now() - start }
}

/** Adds or fixes the error, waits for the new diagnostics, and returns the milliseconds until they arrive. */
export async function edit(subject: Subject, isWrong: boolean): Promise<number> {
  const { right, wrong, at } = subject
  return await change(subject, isWrong ? wrong : right, at, at + right.length, isWrong)
}

/** Replaces a range, and waits until there are diagnostics, or none; milliseconds. */
export async function change(
  { client, uri }: Subject,
  text: string,
  start: number,
  end: number,
  isWrong: boolean,
): Promise<number> {
  client.published.length = 0
  const begin = performance.now()
  const version = await client.edit(uri, text, start, end)
  await client.publication(
    (params) =>
      params.uri === uri &&
      (params.version === undefined || params.version === version) &&
      params.diagnostics.length > 0 === isWrong,
  )
  return performance.now() - begin
}

/** The peak resident memory of the server in bytes. */
export function peakBytes({ client }: Subject): number {
  const status = readFileSync(`/proc/${client.child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** The 95th percentile. Throws without values. */
export function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.ceil(sorted.length * 0.95) - 1]
  if (value === undefined) throw new Error('No values to take the 95th percentile of')
  return value
}

async function shown({ client, uri }: Pick<Subject, 'client' | 'uri'>, count: number): Promise<void> {
  await client.publication((params) => params.uri === uri && params.diagnostics.length === count)
}
