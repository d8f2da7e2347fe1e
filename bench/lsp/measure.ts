import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  InlayHintRequest,
  ReferencesRequest,
  SemanticTokensRequest,
} from 'vscode-languageserver-protocol/node'
import { hundred } from '../../scripts/hundred-definition.ts'
import { DiagramRequest } from '../../src/lsp/diagram.ts'
import { type Figure, median, round } from '../figures.ts'
import { ROOT } from '../processes.ts'
import { measurePrisma } from './compared.ts'
import { measureFiles } from './files.ts'
import { change, edit, openIn, p95, peakBytes, type Subject } from './server.ts'
import { measureSlips } from './slips.ts'
import { typespecModel, typespecServer } from './typespec.ts'

const STARTS = 9
const EDITS = 60
const REQUESTS = 100
/** Edits before the memory is measured. */
const MEMORY_EDITS = 2000
const DIAGRAMS = 3
const CODE_ACTIONS = 20
/** The other server waits before it checks, so that fewer of its edits take as long. */
const THEIR_EDITS = { 100: 20, 1000: 12 } as const

// The flags are those of the extension.
const OURS = {
  command: ['--max-semi-space-size=4', '--max-old-space-size=768', join(ROOT, 'dist/lsp.mjs'), '--stdio'],
  right: ': date;',
  wrong: ': dote;',
}

/**
 * Measures how fast the language server starts and responds, compared with TypeSpec's and a model of the same size.
 */
export async function measureLanguageServer(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'portico-bench-'))
  const theirs = {
    command: [typespecServer(), '--stdio'],
    right: ': plainDate;',
    wrong: ': plainDote;',
  }
  try {
    const figures = [measureSlips(), await starts(directory), await measureFiles(directory, OURS, ownEdit)]
    for (const services of [100, 1000] as const) {
      const text = hundred(services)
      const file = join(directory, `${services}.portico`)
      const theirText = typespecModel(text)
      const theirFile = join(directory, `${services}.tsp`)
      writeFileSync(file, text)
      writeFileSync(theirFile, theirText)
      const { subject } = await openIn(OURS.command, file, text, OURS)
      const other = await openIn(theirs.command, theirFile, theirText, theirs)
      const lines = `${text.split('\n').length} lines, compared with ${theirText.split('\n').length}`
      figures.push(...(await edits(services, subject, other.subject, lines)))
      await other.subject.client.stop()
      if (services === 1000) {
        figures.push(...(await requests(subject)), await codeActions(subject), await duringDiagrams(subject))
        figures.push(...(await measurePrisma(directory, subject)), await memory(subject))
      }
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
  // In turns, so that other load on the machine affects both.
  const each = EDITS / THEIR_EDITS[services]
  for (let turn = 0; turn < THEIR_EDITS[services]; turn++) {
    for (let mine = 0; mine < each; mine++) own.push(await ownEdit(ours, own.length))
    other.push(await edit(theirs, turn % 2 === 0))
  }
  const what = `editor: edit until diagnostics, ${round(services)} services, p95`
  const detail = `${lines}, ${own.length} and ${other.length} edits`
  return [
    { what, value: p95(own), unit: 'ms', must: { atMost: services === 100 ? 30 : 100 }, detail },
    {
      what: `${what}, compared with tsp-server`,
      value: p95(own) / p95(other),
      unit: 'x',
      must: { atMost: services === 100 ? 0.1 : 0.25 },
      detail: `${round(p95(own))} ms, compared with ${round(p95(other))} ms`,
    },
  ]
}

/** In turns: a wrong type, a renamed service, and a block without its `}`. Each edit is undone by the next one. */
async function ownEdit(subject: Subject, turn: number): Promise<number> {
  const isWrong = turn % 2 === 0
  const { client, uri, at } = subject
  if (turn % 6 < 2) return await edit(subject, isWrong)
  const text = client.document(uri).getText()
  // All services refer to `Member`, so renaming it affects every one of them.
  if (turn % 6 < 4) {
    const start = text.search(/^M[ea]mber: service/m)
    return await change(subject, isWrong ? 'Mamber' : 'Member', start, start + 'Member'.length, isWrong)
  }
  const end = text.indexOf(isWrong ? '\n}\n' : '\n\n\n', at) + 1
  return await change(subject, isWrong ? '' : '}', end, isWrong ? end + 1 : end, isWrong)
}

/** Code actions on an unknown type. */
async function codeActions(subject: Subject): Promise<Figure> {
  const { client, uri, at, wrong } = subject
  const times: number[] = []
  await edit(subject, true)
  const diagnostics = [...(client.published.at(-1)?.diagnostics ?? [])]
  const range = {
    start: client.at(uri, at + 2).position,
    end: client.at(uri, at + wrong.length - 1).position,
  }
  for (let turn = 0; turn < CODE_ACTIONS; turn++) {
    // The text changes each time, so that no response is cached.
    await client.edit(uri, turn % 2 === 0 ? ' ' : '', 0, turn % 2)
    const params = { textDocument: { uri }, range, context: { diagnostics } }
    times.push(await timed(() => client.request(CodeActionRequest.type, params)))
  }
  await edit(subject, false)
  return figure('code actions on an unknown type', times, 50)
}

/** Completion while the diagram is drawn. */
async function duringDiagrams({ client, uri, at }: Subject): Promise<Figure> {
  const times: number[] = []
  for (let turn = 0; turn < DIAGRAMS; turn++) {
    // A changed text, which has to be drawn again.
    await client.edit(uri, turn % 2 === 0 ? ' ' : '', 0, turn % 2)
    const progress = { isDrawn: false }
    const drawing = client.connection.sendRequest(DiagramRequest, { uri }).finally(() => {
      progress.isDrawn = true
    })
    while (!progress.isDrawn) {
      times.push(await timed(() => client.request(CompletionRequest.type, client.at(uri, at + 2))))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await drawing
  }
  await client.edit(uri, '', 0, DIAGRAMS % 2)
  return {
    what: 'editor: completion while the diagram is drawn, 1,000 services, max',
    value: Math.max(...times),
    unit: 'ms',
    must: { atMost: 100 },
    detail: `${times.length} requests during ${DIAGRAMS} diagrams, median ${round(median(times))} ms`,
  }
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
    figure('completion while typing', completion, 15),
    figure('hover', hover, 10),
    figure('definition', definition, 10),
  ]
}

/** The 95th percentile of the durations of requests, in milliseconds. */
function figure(what: string, values: readonly number[], atMost: number): Figure {
  return {
    what: `editor: ${what}, 1,000 services, p95`,
    value: p95(values),
    unit: 'ms',
    must: { atMost },
    detail: `${values.length} requests, median ${round(median(values))} ms`,
  }
}

async function memory(subject: Subject): Promise<Figure> {
  const { client, uri, at } = subject
  for (let turn = 0; turn < MEMORY_EDITS; turn++) {
    await client.edit(uri, turn % 2 === 0 ? ' ' : '', at + 1, at + 1 + (turn % 2))
    if (turn % 20 === 19) await everyRequest(subject)
  }
  await client.diagnostics(uri)
  return {
    what: 'editor: memory, 1,000 services',
    value: peakBytes(subject) / 1e6,
    unit: 'MB',
    must: { atMost: 300 },
    detail: `largest resident memory, after ${MEMORY_EDITS} edits and every kind of request`,
  }
}

async function everyRequest({ client, uri, at }: Subject): Promise<void> {
  const textDocument = { uri }
  const position = client.at(uri, client.document(uri).getText().indexOf(': Member;', at) + 3)
  const range = { start: position.position, end: position.position }
  await client.request(CompletionRequest.type, position)
  await client.request(HoverRequest.type, position)
  await client.request(DefinitionRequest.type, position)
  await client.request(ReferencesRequest.type, { ...position, context: { includeDeclaration: true } })
  await client.request(DocumentSymbolRequest.type, { textDocument })
  await client.request(FoldingRangeRequest.type, { textDocument })
  await client.request(SemanticTokensRequest.type, { textDocument })
  await client.request(InlayHintRequest.type, { textDocument, range })
  await client.request(CodeActionRequest.type, { textDocument, range, context: { diagnostics: [] } })
}

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await ask()
  return performance.now() - start
}
