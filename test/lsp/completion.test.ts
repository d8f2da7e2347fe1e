import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ClientCapabilities,
  type CompletionItem,
  type CompletionList,
  CompletionRequest,
  CompletionTriggerKind,
} from 'vscode-languageserver-protocol/node'
import { type Client, cursorIn, startServer } from './harness.ts'

const FULL: ClientCapabilities = {
  textDocument: {
    completion: {
      completionItem: {
        snippetSupport: true,
        commitCharactersSupport: true,
        documentationFormat: ['markdown', 'plaintext'],
        insertTextModeSupport: { valueSet: [1, 2] },
      },
    },
  },
}

let full: Client
let plain: Client

beforeAll(async () => {
  full = await startServer({ capabilities: FULL })
  plain = await startServer()
})

afterAll(async () => {
  for (const client of [full, plain]) {
    expect(await client.stop()).toBe(0)
    expect(client.complaints).toEqual([])
  }
})

async function complete(
  client: Client,
  marked: string,
  triggerCharacter?: string,
): Promise<CompletionItem[]> {
  const { text, offset } = cursorIn(marked)
  const uri = await client.open(text)
  const context =
    triggerCharacter === undefined
      ? { triggerKind: CompletionTriggerKind.Invoked }
      : { triggerKind: CompletionTriggerKind.TriggerCharacter, triggerCharacter }
  const list = (await client.request(CompletionRequest.type, {
    ...client.at(uri, offset),
    context,
  })) as CompletionList | null
  return list?.items ?? []
}

async function item(client: Client, marked: string, label: string): Promise<CompletionItem> {
  const found = (await complete(client, marked)).find((candidate) => candidate.label === label)
  if (found === undefined) throw new Error(`${label} is not offered`)
  return found
}

describe('completion', () => {
  it('is announced with what asks for it', () => {
    expect(full.initialized?.capabilities.completionProvider?.triggerCharacters).toEqual([
      '#',
      '@',
      ':',
      '(',
      '[',
      ',',
      ' ',
    ])
  })

  it('replaces what is written, with documentation, order and commit characters', async () => {
    const found = await item(full, 'P: project {}\nHost: service {}\nHome: service { owner: Ho‸ }', 'Host')
    expect(found).toEqual({
      label: 'Host',
      kind: 7,
      detail: 'service',
      sortText: '208',
      textEdit: {
        range: { start: { line: 2, character: 23 }, end: { line: 2, character: 25 } },
        newText: 'Host',
      },
      commitCharacters: [';'],
    })
    const type = await item(full, 'P: project {}\nHome: service { beds: i‸ }', 'int')
    expect(type.detail).toBe('int(max, min, precision)')
    expect(type.documentation).toEqual({
      kind: 'markdown',
      value: expect.stringContaining(
        '- `precision`: Bytes that a value is stored in, 1 to 8. Without it: 4.',
      ),
    })
    expect(type.commitCharacters).toEqual([';', '('])
  })

  it('shows the documentation of a service', async () => {
    const found = await item(
      full,
      'P: project {}\n/// Rents out.\nHost: service {}\nHome: service { o: ‸ }',
      'Host',
    )
    expect(found.documentation).toEqual({ kind: 'markdown', value: 'Rents out.' })
  })

  it('compares what is typed with and without its sign', async () => {
    const behind = await item(full, 'P: project {}\nHome: service { #en‸ }', '#enumerable')
    expect(behind.filterText).toBeUndefined()
    expect(behind.textEdit).toEqual({
      range: { start: { line: 1, character: 16 }, end: { line: 1, character: 19 } },
      newText: '#enumerable;',
    })
    const bare = await item(full, 'P: project {}\nHome: service { en‸ }', '#enumerable')
    expect(bare.filterText).toBe('enumerable')
  })

  it('writes snippets where the client takes them, and text that is valid elsewhere', async () => {
    const marked = 'P: project {}\nHome: service {\n  ‸\n}'
    const snippet = await item(full, marked, 'struct')
    expect(snippet.insertTextFormat).toBe(2)
    expect(snippet.insertTextMode).toBe(2)
    expect(snippet.textEdit?.newText).toBe('${1:Entry}: struct {\n  ${2:name}: ${3:string};\n}')
    const text = await item(plain, marked, 'struct')
    expect(text.insertTextFormat).toBeUndefined()
    expect(text.textEdit?.newText).toBe('Entry: struct {\n    name: string;\n  }')
    expect(text.documentation).toEqual({ kind: 'plaintext', value: expect.any(String) })
    expect(text.commitCharacters).toBeUndefined()
  })

  it('offers the choices of a value', async () => {
    const found = await item(full, 'P: project {}\nHome: service { #om‸ }', '#omit')
    expect(found.textEdit?.newText).toBe('#omit[${1|delete,create,read,update|}];')
  })

  it('changes other places with it', async () => {
    const found = await item(full, 'P: project {\n}\nHome: service { #‸ }', '#auth')
    expect(found.additionalTextEdits).toEqual([
      {
        range: { start: { line: 0, character: 12 }, end: { line: 0, character: 12 } },
        newText: '\n  #authMethod(email);',
      },
    ])
  })

  it('is asked by a space for types and arguments alone', async () => {
    expect(await complete(full, 'P: project {}\nHome: service { ‸ }', ' ')).toEqual([])
    expect(await complete(full, 'P: project {}\nHome: service { a: string ‸ }', ' ')).toEqual([])
    expect(await complete(full, 'P: project {}\nHome: service { a: ‸ }', ' ')).not.toEqual([])
    expect(await complete(full, 'P: project {}\nHome: service { a: int(1, ‸) }', ' ')).not.toEqual([])
  })

  it('follows the edits', async () => {
    const uri = await full.open('P: project {}\nHome: service { a: ; }\n')
    await full.edit(uri, 'Host: service {}\n', 37)
    const list = (await full.request(CompletionRequest.type, {
      ...full.at(uri, 32),
      context: { triggerKind: CompletionTriggerKind.Invoked },
    })) as CompletionList | null
    expect(list?.items.map(({ label }) => label)).toContain('Host')
  })
})
