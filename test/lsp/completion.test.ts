import { describe, expect, it } from 'vitest'
import {
  type ClientCapabilities,
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  CompletionRequest,
  CompletionResolveRequest,
  CompletionTriggerKind,
} from 'vscode-languageserver-protocol/node'
import { type Client, cursorIn } from './harness.ts'
import { serverOfFile } from './server-of-file.ts'

const FULL: ClientCapabilities = {
  textDocument: {
    completion: {
      completionItem: {
        snippetSupport: true,
        commitCharactersSupport: true,
        resolveSupport: { properties: ['documentation'] },
        documentationFormat: ['markdown', 'plaintext'],
        insertTextModeSupport: { valueSet: [1, 2] },
      },
    },
  },
}

const full = await serverOfFile({ capabilities: FULL })
const plain = await serverOfFile()

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

/** An item as the editor shows it when it is selected. */
async function resolved(marked: string, label: string): Promise<CompletionItem> {
  return await full.request(CompletionResolveRequest.type, await item(full, marked, label))
}

describe('completion', () => {
  it('is announced with its trigger characters', () => {
    expect(full.initialized?.capabilities.completionProvider).toEqual({
      triggerCharacters: ['#', '@', ':', '(', '[', ',', ' ', '"'],
      resolveProvider: true,
    })
  })

  it('replaces the word at the cursor', async () => {
    const marked = 'P: project {}\nHost: service {}\nHome: service { owner: Ho‸ }'
    const found = await item(full, marked, 'Host')
    expect(found).toEqual({
      label: 'Host',
      kind: 7,
      detail: 'service',
      sortText: '2010',
      textEdit: {
        range: { start: { line: 2, character: 23 }, end: { line: 2, character: 25 } },
        newText: 'Host',
      },
      data: { uri: expect.any(String), documentation: { about: 'entity', name: 'Host' } },
    })
  })

  it('never accepts an item by itself', async () => {
    const marked = 'P: project {}\nCar: service {}\nCarrier: service {}\nHome: service { car: Car‸ }'
    for (const candidate of await complete(full, marked)) {
      expect(candidate.commitCharacters).toBeUndefined()
      expect(candidate.preselect).toBeUndefined()
    }
  })

  // `‸` is at the end of a name for which there is also a longer one.
  it.each([
    ['a service', 'Home: service { car: Car‸ }'],
    ['a service that closes a cycle', 'Home: service { parent: Home‸; } Homes: service { a: Home; }'],
    ['a struct of another service', 'Home: service { part: Part‸ } Parts: service { Part: struct {} }'],
    ['an annotation', 'Home: service { a: int @server‸ }'],
    ['metadata', 'Home: service { #auth‸ }'],
    ['a value', 'Home: service { #omit[read‸] }'],
    ['a service in a list', 'Home: service { #uses[Car‸] }'],
    ['the service itself in a list', 'Home: service { #uses[Home‸] } Homes: service {}'],
    ['a role', 'Home: service { #readable(by: agent‸) }'],
    ['a role that cannot read', 'Home: service { #readable(by: agents); #writable(by: agent‸); }'],
    ['a role in a list', 'Home: service { #readable(by: agents); #writable(by: [this, agent‸]); }'],
    ['an attribute', 'Home: service { a: int; ab: int; #enumerable(sort: [a‸]) }'],
    ['a value of an `enum`', 'Home: service { a: enum(in, in-use) = in‸ }'],
    ['a type', 'Home: service { day: date‸ }'],
  ])('never replaces %s that is typed in full', async (_, marked) => {
    const project = 'P: project { #authMethod(email); #roles[agent, agents]; }\nUser: service { #auth; }\n'
    const services = 'Car: service {}\nCarrier: service {}\n'
    const word = /[\w@#]+(?=‸)/.exec(marked)?.[0] ?? ''
    const labels = (await complete(full, project + services + marked)).map(({ label }) => label)
    expect(labels.map((label) => label.replace(/^by: /, ''))).toContain(word)
  })

  it('shows declarations first, once each, and not as snippets', async () => {
    const sorted = async (marked: string): Promise<string[]> =>
      (await complete(full, marked))
        .toSorted((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1))
        .map(({ kind, label }) => `${kind === CompletionItemKind.Snippet ? 'snippet ' : ''}${label}`)
    expect(await sorted('‸')).toEqual(['definition', 'project', 'service', 'import'])
    const inService = await sorted('P: project {}\nHome: service {\n  ‸\n}')
    expect(inService.slice(0, 2)).toEqual(['attribute', 'struct'])
    expect(new Set(inService).size).toBe(inService.length)
  })

  it('resolves the documentation of an item', async () => {
    const marked = 'P: project {}\n/// Rents out.\nHost: service {}\nHome: service { o: ‸ }'
    expect((await resolved(marked, 'Host')).documentation).toEqual({ kind: 'markdown', value: 'Rents out.' })
    const type = await resolved(marked, 'int')
    expect(type.detail).toBe('int(max, min, precision)')
    expect(type.documentation).toEqual({
      kind: 'markdown',
      value: expect.stringContaining('- `precision`: Size of a stored value in bytes'),
    })
    const list = JSON.stringify(await complete(full, marked))
    expect(list).not.toContain('Rents out.')
    const own = await item(plain, marked, 'Host')
    expect(own.documentation).toEqual({ kind: 'plaintext', value: 'Rents out.' })
    expect(own.data).toBeUndefined()
  })

  it('filters by what is typed, with and without `#`', async () => {
    const afterSign = await item(full, 'P: project {}\nHome: service { #en‸ }', '#enumerable')
    expect(afterSign.filterText).toBeUndefined()
    expect(afterSign.textEdit).toEqual({
      range: { start: { line: 1, character: 16 }, end: { line: 1, character: 19 } },
      newText: '#enumerable;',
    })
    const bare = await item(full, 'P: project {}\nHome: service { en‸ }', '#enumerable')
    expect(bare.filterText).toBe('enumerable')
  })

  it('inserts snippets if the client supports them, otherwise valid text', async () => {
    const marked = 'P: project {}\nHome: service {\n  ‸\n}'
    const snippet = await item(full, marked, 'struct')
    expect(snippet.insertTextFormat).toBe(2)
    expect(snippet.insertTextMode).toBe(2)
    expect(snippet.textEdit?.newText).toBe('${1:Entry}: struct {\n  ${2:name}: ${3:string};\n}')
    const text = await item(plain, marked, 'struct')
    expect(text.insertTextFormat).toBeUndefined()
    expect(text.textEdit?.newText).toBe('Entry: struct {\n    name: string;\n  }')
    expect(text.documentation).toEqual({ kind: 'plaintext', value: expect.any(String) })
  })

  it('lists the values to choose from', async () => {
    const found = await item(full, 'P: project {}\nHome: service { #om‸ }', '#omit')
    expect(found.textEdit?.newText).toBe('#omit[${1|delete,create,read,update|}];')
  })

  it('has additional edits', async () => {
    const found = await item(full, 'P: project {\n}\nHome: service { #‸ }', '#auth')
    expect(found.additionalTextEdits).toEqual([
      {
        range: { start: { line: 0, character: 12 }, end: { line: 0, character: 12 } },
        newText: '\n  #authMethod(email);',
      },
    ])
  })

  it('is triggered by a space only for types and arguments', async () => {
    expect(await complete(full, 'P: project {}\nHome: service { ‸ }', ' ')).toEqual([])
    expect(await complete(full, 'P: project {}\nHome: service { a: string ‸ }', ' ')).toEqual([])
    expect(await complete(full, 'P: project {}\nHome: service { a: ‸ }', ' ')).not.toEqual([])
    expect(await complete(full, 'P: project {}\nHome: service { a: int(1, ‸) }', ' ')).not.toEqual([])
  })

  it('follows edits', async () => {
    const uri = await full.open('P: project {}\nHome: service { a: ; }\n')
    await full.edit(uri, 'Host: service {}\n', 37)
    const list = (await full.request(CompletionRequest.type, {
      ...full.at(uri, 32),
      context: { triggerKind: CompletionTriggerKind.Invoked },
    })) as CompletionList | null
    expect(list?.items.map(({ label }) => label)).toContain('Host')
  })
})
