import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  CancellationTokenSource,
  DefinitionRequest,
  LSPErrorCodes,
} from 'vscode-languageserver-protocol/node'
import { hundred } from '../../scripts/hundred-definition.ts'
import { type Client, startServer } from './harness.ts'

let client: Client
beforeAll(async () => {
  client = await startServer()
})
afterAll(async () => {
  expect(await client.stop()).toBe(0)
  expect(client.complaints).toEqual([])
})

const TEXT = hundred(100)

test('gives a request up that newer typing made useless', async () => {
  const uri = await client.open(TEXT)
  await client.diagnostics(uri)
  const refused = await client.atOnce(async () => {
    const answer = client.request(DefinitionRequest.type, client.at(uri, TEXT.indexOf('Member;')))
    await client.edit(uri, '\n', 0)
    return { answer }
  })
  await expect(refused.answer).rejects.toMatchObject({ code: LSPErrorCodes.ContentModified })
})

test('gives a request up that was cancelled', async () => {
  const uri = await client.open(TEXT)
  const source = new CancellationTokenSource()
  const refused = await client.atOnce(async () => {
    const params = client.at(uri, TEXT.indexOf('Member;'))
    const answer = client.connection.sendRequest(DefinitionRequest.method, params, source.token)
    source.cancel()
    await client.edit(await client.open(''), 'Home: service {}', 0)
    return { answer }
  })
  await expect(refused.answer).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled })
})

test('never shows diagnostics of an older text behind those of a newer one', async () => {
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

test('a request behind an edit is answered for the new text', async () => {
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
