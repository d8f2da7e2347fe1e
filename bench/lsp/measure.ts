import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompletionRequest, DefinitionRequest, HoverRequest } from 'vscode-languageserver-protocol/node'
import { hundred } from '../../scripts/hundred-definition.ts'
import { type Figure, median, round } from '../figures.ts'
import { ROOT } from '../processes.ts'
import { edit, openIn, p95, peakBytes, type Subject } from './server.ts'
import { typespecModel, typespecServer } from './typespec.ts'

const STARTS = 9
const EDITS = 60
const REQUESTS = 100
/** The other server waits before it checks, so that fewer of its edits take as long. */
const THEIR_EDITS = { 100: 20, 1000: 12 } as const

const OURS = { command: [join(ROOT, 'dist/lsp.mjs'), '--stdio'], right: ': date;', wrong: ': dote;' }

/** The language server from its start to its answers, against that of TypeSpec on a model of the same size. */
export async function measureLanguageServer(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  const theirs = {
    command: [typespecServer(), '--stdio'],
    right: ': plainDate;',
    wrong: ': plainDote;',
  }
  try {
    const figures = [await starts(directory)]
    for (const services of [100, 1000] as const) {
      const text = hundred(services)
      const file = join(directory, `${services}.portico`)
      const theirText = typespecModel(text)
      const theirFile = join(directory, `${services}.tsp`)
      writeFileSync(file, text)
      writeFileSync(theirFile, theirText)
      const { subject } = await openIn(OURS.command, file, text, OURS)
      const other = await openIn(theirs.command, theirFile, theirText, theirs)
      const lines = `${text.split('\n').length} lines against ${theirText.split('\n').length}`
      figures.push(...(await edits(services, subject, other.subject, lines)))
      await other.subject.client.stop()
      if (services === 1000) figures.push(...(await requests(subject)), memory(subject))
      await subject.client.stop()
    }
    return figures
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function starts(directory: string): Promise<Figure> {
  const text = hundred(100)
  const file = join(directory, 'start.portico')
  writeFileSync(file, text)
  const times: number[] = []
  for (let turn = 0; turn <= STARTS; turn++) {
    const { subject, ms } = await openIn(OURS.command, file, text, OURS)
    await subject.client.stop()
    // The first round fills the caches of the file system.
    if (turn > 0) times.push(ms)
  }
  return {
    what: 'editor: open 100 services until diagnostics',
    value: median(times),
    unit: 'ms',
    must: { atMost: 400 },
    detail: 'from the start of the server',
  }
}

async function edits(
  services: keyof typeof THEIR_EDITS,
  ours: Subject,
  theirs: Subject,
  lines: string,
): Promise<Figure[]> {
  const own: number[] = []
  const other: number[] = []
  // In turns, so that a machine that is busy for a while is so for both.
  const each = EDITS / THEIR_EDITS[services]
  for (let turn = 0; turn < THEIR_EDITS[services]; turn++) {
    for (let mine = 0; mine < each; mine++) own.push(await edit(ours, own.length % 2 === 0))
    other.push(await edit(theirs, turn % 2 === 0))
  }
  const what = `editor: edit until diagnostics, ${round(services)} services, p95`
  const detail = `${lines}, ${own.length} and ${other.length} edits`
  return [
    { what, value: p95(own), unit: 'ms', must: { atMost: services === 100 ? 50 : 250 }, detail },
    {
      what: `${what}, against tsp-server`,
      value: p95(own) / p95(other),
      unit: 'x',
      must: { atMost: services === 100 ? 0.1 : 0.25 },
      detail: `${round(p95(own))} ms against ${round(p95(other))} ms`,
    },
  ]
}

async function requests(subject: Subject): Promise<Figure[]> {
  const { client, uri, at } = subject
  const completion: number[] = []
  const hover: number[] = []
  const definition: number[] = []
  // A word, typed letter by letter at the end of a line.
  const line = client.document(uri).getText().indexOf('\n', at)
  for (let turn = 0; turn < REQUESTS; turn++) {
    const offset = line + 1 + (turn % 10)
    await client.edit(uri, turn % 10 === 0 ? 'n' : 'a', offset, offset)
    completion.push(await timed(() => client.request(CompletionRequest.type, client.at(uri, offset + 1))))
    if (turn % 10 === 9) await client.edit(uri, '', line + 1, line + 11)
    await client.diagnostics(uri)
  }
  const type = client.document(uri).getText().indexOf(': Member;', at) + 3
  for (let turn = 0; turn < REQUESTS; turn++) {
    hover.push(await timed(() => client.request(HoverRequest.type, client.at(uri, type))))
    definition.push(await timed(() => client.request(DefinitionRequest.type, client.at(uri, type))))
  }
  return [
    figure('completion while typing', completion, 30),
    figure('hover', hover, 10),
    figure('definition', definition, 10),
  ]
}

/** The 95th percentile of what requests took, in milliseconds. */
function figure(what: string, values: readonly number[], atMost: number): Figure {
  return {
    what: `editor: ${what}, 1,000 services, p95`,
    value: p95(values),
    unit: 'ms',
    must: { atMost },
    detail: `${values.length} requests, median ${round(median(values))} ms`,
  }
}

function memory(subject: Subject): Figure {
  return {
    what: 'editor: memory, 1,000 services',
    value: peakBytes(subject) / 1e6,
    unit: 'MB',
    must: { atMost: 300 },
    detail: 'largest resident memory, after all of these',
  }
}

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await ask()
  return performance.now() - start
}
