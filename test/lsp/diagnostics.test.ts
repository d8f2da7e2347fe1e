import { expect, test } from 'vitest'
import { DiagnosticTag, TextDocumentContentRequest } from 'vscode-languageserver-protocol/node'
import { CATALOGUE, DIAGNOSTIC_CODES } from '../../src/diagnostics/catalogue.ts'
import { explanation, explanationUri } from '../../src/lsp/explanations.ts'
import { serverOfFile } from './server-of-file.ts'

const client = await serverOfFile()

test('reports diagnostics with the texts of the command line', async () => {
  const uri = await client.open('Stays: project {}\nHome: service {\n  beds: itn;\n}\n')
  expect(await client.diagnostics(uri)).toEqual([
    {
      range: { start: { line: 2, character: 8 }, end: { line: 2, character: 11 } },
      severity: 1,
      code: 'unknown-type',
      codeDescription: { href: 'portico:/explain/unknown-type.md' },
      source: 'portico',
      message: 'Unknown type `itn`\nhelp: did you mean `int`?',
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

test('clears diagnostics when a file is closed', async () => {
  const uri = await client.open('Home: service {}\n')
  expect(await client.diagnostics(uri)).toHaveLength(1)
  await client.close(uri)
  expect(
    (await client.publication((params) => params.uri === uri && params.version === undefined)).diagnostics,
  ).toEqual([])
})

test('reports related ranges', async () => {
  const uri = await client.open('Stays: project {}\nHome: service {}\nHome: service {}\n')
  const [diagnostic] = await client.diagnostics(uri)
  expect(diagnostic?.relatedInformation).toEqual([
    {
      location: { uri, range: { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } } },
      message: 'first declared here',
    },
  ])
})

test.each([
  ['Stays: project { #database(postgres); }\nHome: service {}\n', 'redundant-metadata', 4],
  ['Stays: project {}\nHome: service { #omit[delete, delete]; }\n', 'duplicate-value', 2],
])('tags redundant code as unnecessary: %j', async (text, code, severity) => {
  const uri = await client.open(text)
  expect(await client.diagnostics(uri)).toMatchObject([{ code, severity, tags: [DiagnosticTag.Unnecessary] }])
})

test('serves the page that a diagnostic links to', async () => {
  const uri = await client.open('Stays: project {}\n')
  const [diagnostic] = await client.diagnostics(uri)
  const page = await client.request(TextDocumentContentRequest.type, {
    uri: diagnostic?.codeDescription?.href ?? '',
  })
  expect(page?.text).toBe(`# Missing \`service\` block

\`error[missing-service]\`

${CATALOGUE['missing-service'].explanation}

**Incorrect**

\`\`\`portico
${CATALOGUE['missing-service'].bad.trimEnd()}
\`\`\`

**Correct**

\`\`\`portico
${CATALOGUE['missing-service'].good.trimEnd()}
\`\`\`
`)
})

test('has a page only for codes, for each one', async () => {
  for (const code of DIAGNOSTIC_CODES)
    expect(explanation(explanationUri(code))).toContain(CATALOGUE[code].explanation)
  expect(
    await client.request(TextDocumentContentRequest.type, { uri: 'portico:/explain/none.md' }),
  ).toBeNull()
})
