import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import {
  CancellationTokenSource,
  type CodeAction,
  CodeActionRequest,
  CodeActionResolveRequest,
  DocumentDiagnosticRequest,
  ErrorCodes,
  HoverRequest,
  LinkedEditingRangeRequest,
  LSPErrorCodes,
} from 'vscode-languageserver-protocol/node'
import { builtServer, Client, startServer } from './harness.ts'

const WRONG = 'Shop: project {}\nItem: service {\n  name: strng;\n}\n'
const NOWHERE = { textDocument: { uri: 'untitled:Untitled-1' }, position: { line: 0, character: 0 } }

test('requests before `initialize` and after `shutdown` are rejected', async () => {
  const child = spawn(process.execPath, [await builtServer(), '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] })
  const client = new Client(child)
  await expect(client.request(HoverRequest.type, NOWHERE)).rejects.toMatchObject({
    code: ErrorCodes.ServerNotInitialized,
  })
  await client.initialize({})
  const uri = await client.open(WRONG)
  expect(await client.diagnostics(uri)).toHaveLength(1)
  await client.connection.sendRequest('shutdown')
  await expect(client.request(HoverRequest.type, client.at(uri, 0))).rejects.toMatchObject({
    code: ErrorCodes.InvalidRequest,
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await client.connection.sendNotification('exit')
  expect(await ended).toBe(0)
})

test('diagnostics are not published to clients that pull them', async () => {
  const client = await startServer({ capabilities: { textDocument: { diagnostic: {} } } })
  expect(client.initialized?.capabilities.diagnosticProvider).toEqual({
    interFileDependencies: true,
    workspaceDiagnostics: false,
  })
  const uri = await client.open(WRONG)
  const pull = () => client.request(DocumentDiagnosticRequest.type, { textDocument: { uri } })
  expect(await pull()).toMatchObject({ kind: 'full', items: [{ code: 'unknown-type' }] })
  await client.edit(uri, 'string', WRONG.indexOf('strng'), WRONG.indexOf('strng') + 5)
  expect(await pull()).toEqual({ kind: 'full', items: [] })
  expect(client.published.filter(({ diagnostics }) => diagnostics.length > 0)).toEqual([])
  expect(await client.stop()).toBe(0)
})

test('pulled diagnostics wait until typing pauses', async () => {
  const client = await startServer({
    capabilities: { textDocument: { diagnostic: {} } },
    // So long that a pause of a busy machine does not count.
    initializationOptions: { diagnosticsDelay: 2000 },
  })
  const uri = await client.open(WRONG)
  await client.edit(uri, ' ', 0)
  const pulled = client.request(DocumentDiagnosticRequest.type, { textDocument: { uri } })
  for (let edits = 0; edits < 3; edits++) {
    await new Promise((resolve) => setTimeout(resolve, 150))
    await client.edit(uri, ' ', 0)
  }
  const start = performance.now()
  expect(await pulled).toMatchObject({ kind: 'full', items: [{ code: 'unknown-type' }] })
  expect(performance.now() - start).toBeGreaterThan(1500)
  expect(await client.stop()).toBe(0)
})

test('a request that is cancelled while typing pauses is not an internal error', async () => {
  const client = await startServer({ capabilities: { textDocument: { diagnostic: {} } } })
  const uri = await client.open(WRONG)
  await client.edit(uri, 'string', WRONG.indexOf('strng'), WRONG.indexOf('strng') + 5)
  const cancellation = new CancellationTokenSource()
  const pulled = client.connection.sendRequest(
    DocumentDiagnosticRequest.method,
    { textDocument: { uri } },
    cancellation.token,
  )
  cancellation.cancel()
  await expect(pulled).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled })
  expect(await client.stop()).toBe(0)
})

/** The action that fixes everything in an open text. */
async function fixAll(client: Client, uri: string): Promise<CodeAction> {
  const diagnostics = [...(await client.diagnostics(uri))]
  const [action] =
    (await client.request(CodeActionRequest.type, {
      textDocument: { uri },
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      context: { diagnostics, only: ['source.fixAll'] },
    })) ?? []
  if (action === undefined || !('kind' in action)) throw new Error('No action')
  return action
}

test('the edit of a slow action is computed when the action is chosen', async () => {
  const client = await startServer({
    capabilities: {
      textDocument: { codeAction: { dataSupport: true, resolveSupport: { properties: ['edit'] } } },
    },
  })
  const uri = await client.open(WRONG)
  const action = await fixAll(client, uri)
  expect(action.edit).toBeUndefined()
  const resolved = await client.request(CodeActionResolveRequest.type, action)
  const edits = resolved.edit?.changes?.[uri] ?? []
  expect(client.applied(uri, edits)).toBe(WRONG.replace('strng', 'string'))
  expect(await client.stop()).toBe(0)
})

test('fix all never changes who may do what', async () => {
  const client = await startServer()
  const text = 'Shop: project {}\nItem: service {\n  name: strng;\n  #readable(by: all);\n  #auth;\n}\n'
  const uri = await client.open(text)
  const { edit } = await fixAll(client, uri)
  const fixed = client.applied(uri, edit?.changes?.[uri] ?? [])
  expect(fixed).toContain('name: string;')
  expect(fixed).toContain('#readable(by: all);')
  expect(await client.stop()).toBe(0)
})

test('a name at its declaration is edited together with its references', async () => {
  const client = await startServer()
  const text = 'P: project {}\nHost: service {}\nHome: service { owner: Host; }\n'
  const uri = await client.open(text)
  const rangesAt = async (offset: number): Promise<readonly string[] | undefined> => {
    const found = await client.request(LinkedEditingRangeRequest.type, client.at(uri, offset))
    return found?.ranges.map((range) => `${range.start.line} ${client.textAt(uri, range)}`)
  }
  expect(await rangesAt(text.indexOf('Host') + 2)).toEqual(['1 Host', '2 Host'])
  expect(await rangesAt(text.indexOf('Host;') + 2)).toBeUndefined()
  expect(await rangesAt(text.indexOf('Home') + 1)).toBeUndefined()
  expect(await client.stop()).toBe(0)
})
