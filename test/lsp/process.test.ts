import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { DidChangeConfigurationNotification } from 'vscode-languageserver-protocol/node'
import manifest from '../../package.json' with { type: 'json' }
import { startServer } from './harness.ts'

const PORTICO = fileURLToPath(new URL('../../bin/portico.mjs', import.meta.url))

test.each([[['lsp']], [['lsp', '--stdio', `--clientProcessId=${process.pid}`]]])(
  'portico %j serves',
  async (args) => {
    const client = await startServer({ command: [PORTICO, ...args], env: { PORTICO_SOURCE: '1' } })
    const uri = await client.open('Home: service {}\n')
    expect((await client.diagnostics(uri)).map(({ code }) => code)).toEqual(['not-imported'])
    expect(client.initialized?.serverInfo).toEqual({ name: 'portico', version: manifest.version })
    expect(await client.stop()).toBe(0)
    expect(client.complaints).toEqual([])
  },
)

test('exits when its editor has exited', async () => {
  const { child } = await startServer({ isProcess: true })
  const ended = new Promise((resolve) => {
    child.once('exit', resolve)
  })
  child.stdin.destroy()
  expect(await ended).toBe(1)
})

test('exits quietly when standard input is empty', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PORTICO, 'lsp'], {
    encoding: 'utf8',
    env: { ...process.env, PORTICO_SOURCE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: '' })
})

test('announces its capabilities', async () => {
  const client = await startServer()
  expect(client.initialized?.capabilities).toMatchObject({
    textDocumentSync: { change: 2, openClose: true },
    definitionProvider: true,
    typeDefinitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    renameProvider: { prepareProvider: true },
    documentSymbolProvider: true,
    workspaceSymbolProvider: { resolveProvider: false },
    foldingRangeProvider: true,
    selectionRangeProvider: true,
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: ';', moreTriggerCharacter: ['}'] },
    documentLinkProvider: { resolveProvider: false },
    completionProvider: {},
    workspace: {
      workspaceFolders: { supported: true, changeNotifications: true },
      textDocumentContent: { schemes: ['portico'] },
    },
  })
  expect(await client.stop()).toBe(0)
})

test('requests settings, and refreshes the editor when they change', async () => {
  const asked: string[] = []
  const client = await startServer({
    capabilities: {
      workspace: {
        configuration: true,
        inlayHint: { refreshSupport: true },
        codeLens: { refreshSupport: true },
      },
    },
    settings: { inlayHints: { parameterNames: false }, codeLens: 'all' },
    onRequest: (method) => asked.push(method),
  })
  await client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: {} })
  await expect.poll(() => asked).toEqual(['workspace/inlayHint/refresh', 'workspace/codeLens/refresh'])
  expect(await client.stop()).toBe(0)
  expect(client.complaints).toEqual([])
})
