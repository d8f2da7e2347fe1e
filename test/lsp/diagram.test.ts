import { expect, test } from 'vitest'
import { DiagramRequest } from '../../src/lsp/diagram.ts'
import { serverOfFile } from './server-of-file.ts'

const TEXT = `P: project {}

Home: service {
  host: Host;
  Photo: struct { image: data; }
}
Host: service {}
`

const client = await serverOfFile()

const ask = (uri: string, interactive?: boolean) =>
  client.connection.sendRequest(DiagramRequest, {
    uri,
    ...(interactive === undefined ? {} : { interactive }),
  })

test('draws services and structs, and returns where they are declared', async () => {
  const uri = await client.open(TEXT)
  const { svg, declarations } = await ask(uri)
  expect(declarations.map(({ name, range }) => [name, client.textAt(uri, range)])).toEqual([
    ['Home', 'Home'],
    ['Photo', 'Photo'],
    ['Host', 'Host'],
  ])
  expect(svg).toMatch(/^<svg [\s\S]*<style>[\s\S]*<\/svg>\s*$/)
})

test('leaves colors to a client that shows it, and lets its keys reach every declaration', async () => {
  const { svg } = await ask(await client.open(TEXT), true)
  expect(svg).not.toMatch(/<style|<script|\son\w+=/)
  for (const name of ['Home', 'Photo', 'Host'])
    expect(svg).toMatch(new RegExp(`<g [^>]*data-declaration="${name}"[^>]*>`))
  expect(svg?.match(/tabindex="0" role="link" aria-label="[^"]+"/g)).toHaveLength(3)
})

test('is null while the definition has errors, and up to date after they are fixed', async () => {
  const uri = await client.open(TEXT.replace('host: Host', 'host: Hots'))
  expect(await ask(uri)).toMatchObject({ svg: null, declarations: [{ name: 'Home' }, {}, {}] })
  const at = client.document(uri).getText().indexOf('Hots')
  await client.edit(uri, 'Host', at, at + 4)
  expect((await ask(uri)).svg).toContain('Host')
})

test('is null for a file that does not exist', async () => {
  expect(await ask('file:///nowhere/to/be/found.portico')).toEqual({ svg: null, declarations: [] })
})
