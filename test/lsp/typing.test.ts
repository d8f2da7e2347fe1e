import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connection, Diagnostic as ProtocolDiagnostic } from 'vscode-languageserver'
import { DocumentDiagnosticRequest } from 'vscode-languageserver-protocol/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { type Diagnostic, messageWithHelp } from '../../src/diagnostics/diagnostic.ts'
import { checkText } from '../../src/language/parse.ts'
import { DiagnosticsPublisher } from '../../src/lsp/publisher.ts'
import { startServer } from './harness.ts'
import { mistakesInResponse, REQUESTS } from './responses.ts'
import { lineStates, typingStates } from './typing.ts'

/** New problems are shown when nothing has been typed for this long, in milliseconds. */
const QUIET_PERIOD = 300
/** The same for problems on the line that is being typed. */
const LINE_QUIET_PERIOD = 1000
/** How long a slow typist takes for a key, in milliseconds. */
const SLOW_KEY = 400

/** How many typing states are sampled, besides those around the name of each attribute. */
const SAMPLES = 50

const SERVICES = [
  ['stays', 'Home'],
  ['stays', 'Stay'],
  ['stays', 'Review'],
  ['tiny', 'Note'],
  ['chat', 'Room'],
  ['desk', 'Organisation'],
] as const

describe.each([
  ['braces closed by the editor', true],
  ['braces typed', false],
])('%s', (_, closesBraces) => {
  test.each(SERVICES)('%s: an incomplete declaration in %s is reported on itself', (example, service) => {
    const elsewhere: string[] = []
    for (const { text, typed, line } of typingStates(example, service, closesBraces)) {
      const isOfOthers = ({ code, message, range }: Diagnostic): boolean => {
        if (range.start.line === line) return false
        // A complete `#readable` that the next line, `#writable`, does not fit yet.
        if (code === 'writable-but-not-readable') return false
        // Of an endpoint whose first line has been typed.
        if (code === 'missing-endpoint-path') return false
        // References to the service that is not there yet, and blocks whose end has not been typed.
        return !message.endsWith(`\`${service}\``) && !(code === 'unclosed-block' && !closesBraces)
      }
      for (const diagnostic of checkText(text).diagnostics.filter(isOfOthers))
        elsewhere.push(`${JSON.stringify(typed.slice(-20))}: ${diagnostic.message}`)
    }
    expect(elsewhere).toEqual([])
  })
})

test('every response about an incomplete text has valid ranges', async () => {
  const client = await startServer()
  const uri = await client.open('')
  const mistakes: string[] = []
  for (const { text, offset } of lineStates(SAMPLES, 1)) {
    await client.edit(uri, text)
    const { position } = client.at(uri, offset)
    const line = { start: { ...position, character: 0 }, end: position }
    const responses = REQUESTS.map((method) => mistakesInResponse(client, uri, method, offset, line))
    mistakes.push(...(await Promise.all(responses)).flat())
  }
  expect(mistakes).toEqual([])
  expect(await client.stop()).toBe(0)
  expect(client.complaints).toEqual([])
})

describe('while the user types', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each([true, false])(
    'nothing new is shown before a pause (braces closed: %s)',
    async (closesBraces) => {
      const uri = 'file:///stays.portico'
      const sent: string[][] = []
      let document = TextDocument.create(uri, 'portico', 0, '')
      const connection: Pick<Connection, 'sendDiagnostics'> = {
        sendDiagnostics: async ({ diagnostics }) => {
          sent.push(diagnostics.map(({ code }) => String(code)))
        },
      }
      const publisher = new DiagnosticsPublisher(connection as Connection, { get: () => document })
      publisher.opened(uri)
      for (const { text, line } of typingStates('stays', 'Review', closesBraces)) {
        document = TextDocument.create(uri, 'portico', document.version + 1, text)
        publisher.edited(uri, line - 1)
        await publisher.publish({ uri, diagnostics: checkText(text).diagnostics.map(shown) })
        // A block without its `}` is reported on another line.
        await vi.advanceTimersByTimeAsync(closesBraces ? SLOW_KEY : QUIET_PERIOD - 1)
      }
      expect(sent.flat()).toEqual([])
      const unfinished = 'Shop: project {}\nItem: service {\n  name\n}\n'
      document = TextDocument.create(uri, 'portico', document.version + 1, unfinished)
      publisher.edited(uri, 2)
      const problem = { ...problemAt(0, 'elsewhere'), message: 'On another line' }
      const found = [problem, ...checkText(unfinished).diagnostics.map(shown)]
      await publisher.publish({ uri, diagnostics: found })
      await vi.advanceTimersByTimeAsync(QUIET_PERIOD - 1)
      expect(sent.flat()).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(sent.at(-1)).toEqual(['elsewhere'])
      await vi.advanceTimersByTimeAsync(LINE_QUIET_PERIOD - QUIET_PERIOD - 1)
      expect(sent.at(-1)).toEqual(['elsewhere'])
      await vi.advanceTimersByTimeAsync(1)
      expect(sent.at(-1)).toEqual(['elsewhere', 'unexpected-token'])
    },
  )
})

test.each([
  ['publishes', {}],
  ['is asked', { textDocument: { diagnostic: {} } }],
  [
    'is asked, and asks to be',
    { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } },
  ],
])('the server waits for a pause where it %s', async (_, capabilities) => {
  const client = await startServer({ capabilities })
  const text = 'Shop: project {}\nItem: service {\n  \n}\n'
  const uri = await client.open(text)
  if (Object.keys(capabilities).length === 0) expect(await client.diagnostics(uri)).toEqual([])
  const start = performance.now()
  await client.atOnce(async () => {
    let offset = text.indexOf('  \n') + 2
    for (const character of 'name') await client.edit(uri, character, offset++)
  })
  const pull = async (): Promise<readonly ProtocolDiagnostic[]> => {
    const found = await client.request(DocumentDiagnosticRequest.type, { textDocument: { uri } })
    return 'items' in found ? found.items : []
  }
  const isPulled = Object.keys(capabilities).length > 0
  const diagnostics = isPulled
    ? await vi.waitUntil(async () => (await pull()).at(0) && pull(), { timeout: 10 * LINE_QUIET_PERIOD })
    : (await client.publication((params) => params.diagnostics.length > 0)).diagnostics
  expect(performance.now() - start).toBeGreaterThanOrEqual(LINE_QUIET_PERIOD)
  expect(diagnostics.map(({ range }) => range.start)).toEqual([{ line: 2, character: 6 }])
  expect(await client.stop()).toBe(0)
})

function problemAt(line: number, code: string): ProtocolDiagnostic {
  const position = { line, character: 0 }
  return { range: { start: position, end: position }, code, message: code }
}

function shown(diagnostic: Diagnostic): ProtocolDiagnostic {
  const { line, column } = diagnostic.range.start
  const position = { line: line - 1, character: column - 1 }
  return {
    range: { start: position, end: position },
    code: diagnostic.code,
    message: messageWithHelp(diagnostic),
  }
}
