import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, startServer } from './harness.ts'

let client: Client
beforeAll(async () => {
  client = await startServer()
})
afterAll(async () => {
  expect(await client.stop()).toBe(0)
  expect(client.complaints).toEqual([])
})

test('shows what is wrong as the command line prints it', async () => {
  const uri = await client.open('Stays: project {}\nHome: service {\n  beds: itn;\n}\n')
  expect(await client.diagnostics(uri)).toEqual([
    {
      range: { start: { line: 2, character: 8 }, end: { line: 2, character: 11 } },
      severity: 1,
      code: 'unknown-type',
      codeDescription: { href: 'portico:/explain/unknown-type.md' },
      source: 'portico',
      message: 'There is no type or service `itn`. Did you mean `int`?',
      data: { replacement: 'int' },
    },
  ])
})

test('keeps up with typing', async () => {
  const uri = await client.open('Stays: project {}\nHome: service {\n  beds: int;\n}\n')
  expect(await client.diagnostics(uri)).toEqual([])
  let at = 17
  for (const character of ' // ;;;;; é') await client.edit(uri, character, at++)
  await client.edit(uri, 'x', 0, 1)
  expect((await client.diagnostics(uri)).map(({ code }) => code)).toEqual(['invalid-block-name'])
})

test('takes diagnostics away with the file', async () => {
  const uri = await client.open('Home: service {}\n')
  expect(await client.diagnostics(uri)).toHaveLength(1)
  await client.close(uri)
  expect(
    (await client.publication((params) => params.uri === uri && params.version === undefined)).diagnostics,
  ).toEqual([])
})
