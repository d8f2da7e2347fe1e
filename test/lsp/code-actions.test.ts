import { describe, expect, test } from 'vitest'
import { type CodeAction, CodeActionRequest } from 'vscode-languageserver-protocol/node'
import { serverOfFile } from './server-of-file.ts'

const client = await serverOfFile()

const BROKEN = `Shop: project {}
Item: service {
  name: text(80)
  beds: int(1, 40);
  day: daet;
}
`

/** The actions for a range of an open text, requested with all its diagnostics, as editors do. */
async function actions(uri: string, start: number, end: number, only?: string[]): Promise<CodeAction[]> {
  const diagnostics = await client.diagnostics(uri)
  const range = { start: client.at(uri, start).position, end: client.at(uri, end).position }
  const answer = await client.request(CodeActionRequest.type, {
    textDocument: { uri },
    range,
    context: { diagnostics: [...diagnostics], ...(only === undefined ? {} : { only }) },
  })
  return (answer ?? []).filter((action): action is CodeAction => 'kind' in action)
}

function applied(uri: string, action: CodeAction | undefined): string {
  return client.applied(uri, action?.edit?.changes?.[uri] ?? [])
}

describe('code actions', () => {
  test('fix the problem at the cursor, with its diagnostic, and mark the preferred fix', async () => {
    const uri = await client.open(BROKEN)
    const offset = BROKEN.indexOf('text') + 1
    const found = await actions(uri, offset, offset)
    const [first] = found
    expect(first).toMatchObject({ title: 'Change to `string`', kind: 'quickfix', isPreferred: true })
    expect(first?.diagnostics?.map(({ code }) => code)).toEqual(['unknown-type'])
    expect(applied(uri, first)).toBe(BROKEN.replace('text', 'string'))
    expect(found.map(({ title }) => title)).toContain('Fix all 2 `unknown-type` problems in this file')
  })

  test('fix a whole file only when the editor requests it', async () => {
    const uri = await client.open(BROKEN)
    const [action, ...others] = await actions(uri, 0, 0, ['source.fixAll'])
    expect(others).toEqual([])
    expect(action).toMatchObject({ kind: 'source.fixAll.portico' })
    expect(applied(uri, action)).toBe(
      BROKEN.replace('text(80)', 'string(80);').replace('(1, 40)', '(40, 1)').replace('daet;', 'date;'),
    )
    expect((await actions(uri, 0, 0)).map(({ kind }) => kind)).not.toContain('source.fixAll.portico')
    const sound = await client.open('Shop: project {}\nItem: service {}\n')
    expect(await actions(sound, 0, 0, ['source.fixAll.portico'])).toEqual([])
  })

  test('find the wrong bracket, and offer nothing that causes more errors', async () => {
    for (const [slip, title, fixed] of [
      ['string}', 'Replace `}` with `;` on line 3', 'string;'],
      ['string};', 'Remove `}` on line 3', 'string;'],
      ['string;}', 'Remove `}` on line 3', 'string;'],
    ] as const) {
      const text = `Shop: project {}\nItem: service {\n  name: ${slip}\n  day: date;\n  time: time;\n}\n`
      const uri = await client.open(text)
      const found = await actions(uri, text.length - 2, text.length - 2)
      expect(found.map((action) => [action.title, action.isPreferred])).toEqual([[title, true]])
      expect(applied(uri, found[0])).toBe(text.replace(slip, fixed))
      expect(await actions(uri, 0, 0, ['source.fixAll'])).toEqual([])
    }
  })

  test('refactor the selection', async () => {
    const text = 'Shop: project {}\nItem: service {\n  name: string(80);\n  price: float;\n}\n'
    const uri = await client.open(text)
    const found = await actions(uri, text.indexOf('name'), text.indexOf('price') + 5, ['refactor'])
    expect(found.map(({ title, kind }) => `${kind}: ${title}`)).toEqual([
      'refactor.extract: Extract 2 attributes to a struct',
      'refactor.extract: Extract `name` to service `Name`',
      'refactor.rewrite: Convert to named arguments',
    ])
    const rewrites = await actions(uri, text.indexOf('name'), text.indexOf('name'), ['refactor.rewrite'])
    expect(rewrites.map(({ title }) => title)).toEqual(['Convert to named arguments'])
  })

  test('are empty if there is nothing to fix', async () => {
    const text = 'Shop: project {}\nItem: service {\n  day: date;\n}\n'
    const uri = await client.open(text)
    const offset = text.indexOf('project')
    expect(await actions(uri, offset, offset)).toEqual([])
  })
})
