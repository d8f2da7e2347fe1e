import { DocumentState, OperationCancelled, URI } from 'langium'
import { expect, test } from 'vitest'
import type { Connection } from 'vscode-languageserver'
import {
  CancellationTokenSource,
  CompletionRequest,
  DefinitionRequest,
  LSPErrorCodes,
} from 'vscode-languageserver-protocol/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { hundred } from '../../scripts/hundred-definition.ts'
import { createLanguageServices } from '../../src/lsp/module.ts'
import { nodeHost } from '../../src/lsp/node-host.ts'
import { serverOfFile } from './server-of-file.ts'

const client = await serverOfFile()

const TEXT = hundred(100)

test('rejects a request whose document changed meanwhile', async () => {
  const uri = await client.open(TEXT)
  await client.diagnostics(uri)
  const rejected = await client.atOnce(async () => {
    const response = client.request(DefinitionRequest.type, client.at(uri, TEXT.indexOf('Member;')))
    await client.edit(uri, '\n', 0)
    return { response }
  })
  await expect(rejected.response).rejects.toMatchObject({ code: LSPErrorCodes.ContentModified })
})

test('completes in the new text if typing has overtaken the request, and says that it is incomplete', async () => {
  const text = 'P: project {}\nCarrier: service {}\nTrip: service { first:  }\n'
  const end = text.indexOf('first: ') + 'first: '.length
  const uri = await client.open(text)
  const overtaken = await client.atOnce(async () => {
    await client.edit(uri, 'C', end)
    const response = client.request(CompletionRequest.type, client.at(uri, end + 1))
    await client.edit(uri, 'a', end + 1)
    await client.edit(uri, 'r', end + 2)
    return { response }
  })
  expect(await overtaken.response).toMatchObject({
    isIncomplete: true,
    items: expect.arrayContaining([expect.objectContaining({ label: 'Carrier' })]) as unknown,
  })
})

test('rejects a cancelled request', async () => {
  const uri = await client.open(TEXT)
  const source = new CancellationTokenSource()
  const rejected = await client.atOnce(async () => {
    const params = client.at(uri, TEXT.indexOf('Member;'))
    const response = client.connection.sendRequest(DefinitionRequest.method, params, source.token)
    source.cancel()
    await client.edit(await client.open(''), 'Home: service {}', 0)
    return { response }
  })
  await expect(rejected.response).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled })
})

test('never publishes diagnostics of an older version after those of a newer one', async () => {
  const uri = await client.open(TEXT)
  const edits = Array.from({ length: 50 }, (_, index) =>
    client.edit(uri, index % 2 === 0 ? 'x' : '\n', index),
  )
  await Promise.all(edits)
  await client.diagnostics(uri)
  const versions = client.published.filter((params) => params.uri === uri).map(({ version }) => version ?? 0)
  expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  expect(versions.at(-1)).toBe(51)
})

test('a request after an edit sees the new text', async () => {
  const uri = await client.open('P: project {}\nHome: service {}\n')
  await client.edit(uri, 'Host: service { home: Home; }\n', 0)
  const found = await client.request(DefinitionRequest.type, client.at(uri, 24))
  expect(found).toMatchObject([{ targetSelectionRange: { start: { line: 2, character: 0 } } }])
})

test('two definitions in turn', async () => {
  const one = await client.open(TEXT)
  const other = await client.open('Home: service {}\n')
  await client.edit(one, 'x', 0)
  await client.edit(other, 'x', 0)
  expect((await client.diagnostics(other)).length).toBeGreaterThan(0)
  expect((await client.diagnostics(one)).length).toBeGreaterThan(0)
})

test('a definition is edited when another has just been validated', async () => {
  const { DocumentBuilder, TextDocuments } = createLanguageServices(
    {} as Connection,
    nodeHost(new URL(import.meta.url)),
  ).shared.workspace
  const [one, other] = [URI.parse('untitled:one'), URI.parse('untitled:other')]
  for (const uri of [one, other])
    TextDocuments.set(TextDocument.create(uri.toString(), 'portico', 1, 'Home: service {}\n'))
  const edit = new CancellationTokenSource()
  const validated: string[] = []
  // An edit cancels the build that is running.
  DocumentBuilder.onDocumentPhase(DocumentState.Validated, () => edit.cancel())
  DocumentBuilder.onDocumentPhase(DocumentState.Validated, ({ uri }) => void validated.push(uri.path))
  await DocumentBuilder.update([one], [], edit.token).catch((error: unknown) => {
    expect(error).toBe(OperationCancelled)
  })
  await DocumentBuilder.update([other], [])
  expect(validated).toEqual(['one', 'other'])
})
