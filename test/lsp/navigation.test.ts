import { describe, expect, test } from 'vitest'
import {
  DefinitionRequest,
  DocumentHighlightRequest,
  HoverRequest,
  type Location,
  type LocationLink,
  ReferencesRequest,
  TypeDefinitionRequest,
} from 'vscode-languageserver-protocol/node'
import { cursorIn } from './harness.ts'
import { serverOfFile } from './server-of-file.ts'

const client = await serverOfFile()

const STAYS = `Stays: project {}

// Host and Home are described elsewhere.
Host: service {
  name: string;
  homes: Home @serverSet;
}

Home: service {
  owner: Host;
  Photo: struct { image: data; next: Photo @serverSet; }
  #uses[Host, Home];
}
`

/** Returns the offset after the first occurrence of `before` in the text. */
async function openAt(before: string, text = STAYS): Promise<{ uri: string; offset: number }> {
  const index = text.indexOf(before)
  if (index < 0) throw new Error(`${before} is not in the text`)
  return { uri: await client.open(text), offset: index + before.length }
}

function shown(uri: string, found: readonly (Location | LocationLink)[] | Location | null): string[] {
  return [found ?? []].flat().map((place) => {
    const range = 'targetUri' in place ? place.targetSelectionRange : place.range
    expect('targetUri' in place ? place.targetUri : place.uri).toBe(uri)
    return `${range.start.line}: ${client.textAt(uri, range)}`
  })
}

describe('go to definition', () => {
  const definitionsAt = async (uri: string, offset: number): Promise<string[]> =>
    shown(uri, await client.request(DefinitionRequest.type, client.at(uri, offset)))

  test.each([
    ['a type', 'owner: Ho', '3: Host'],
    ['a type, at its end', 'owner: Host', '3: Host'],
    ['a type, at its start', 'owner: ', '3: Host'],
    ['a sibling struct', 'next: Ph', '10: Photo'],
    ['a service in #uses', '#uses[Host, ', '8: Home'],
    ['a declaration itself', 'Home: service {\n  own', '9: owner'],
    ['a forward reference', 'homes: Hom', '8: Home'],
  ])('from %s', async (_, before, expected) => {
    const { uri, offset } = await openAt(before)
    expect(await definitionsAt(uri, offset)).toEqual([expected])
  })

  test('from `Auth` to the metadata that adds it', async () => {
    const text = 'P: project {\n  #authMethod(email);\n}\nUser: service { #auth; #uses[Auth]; }\n'
    const { uri, offset } = await openAt('#uses[Au', text)
    expect(await definitionsAt(uri, offset)).toEqual(['1: authMethod'])
    const hover = await client.request(HoverRequest.type, client.at(uri, offset))
    expect(JSON.stringify(hover?.contents)).toContain('The authentication service, which #authMethod adds.')
    expect(await client.request(DocumentHighlightRequest.type, client.at(uri, offset))).toEqual([])
  })

  test.each(['  name: stri', '// Hos', '#us', 'Stays: project {', 'Photo: str'])(
    'not from %j',
    async (before) => {
      const { uri, offset } = await openAt(before)
      expect(await definitionsAt(uri, offset)).toEqual([])
    },
  )

  test('in a text with syntax errors', async () => {
    const { text, offset } = cursorIn(
      'Stays: project {\nHost: service {}\nHome: service { owner: Ho‸st @; x y z',
    )
    const uri = await client.open(text)
    expect(await definitionsAt(uri, offset)).toEqual(['1: Host'])
  })

  test('never into another definition', async () => {
    await client.open('Other: project {}\nElsewhere: service {}\n')
    const { text, offset } = cursorIn('Stays: project {}\nHome: service { a: Else‸where; }')
    const uri = await client.open(text)
    expect(await definitionsAt(uri, offset)).toEqual([])
  })
})

test.each([
  ['an attribute', 'Home: service {\n  own', ['3: Host']],
  ['a type', 'owner: Ho', ['3: Host']],
  ['a block', '\nHom', ['8: Home']],
  ['an attribute of a built-in type', '  nam', []],
])('goes to the type of %s', async (_, before, expected) => {
  const { uri, offset } = await openAt(before)
  expect(shown(uri, await client.request(TypeDefinitionRequest.type, client.at(uri, offset)))).toEqual(
    expected,
  )
})

describe('references', () => {
  const of = async (before: string, includeDeclaration = true): Promise<string[]> => {
    const { uri, offset } = await openAt(before)
    const context = { includeDeclaration }
    return shown(uri, await client.request(ReferencesRequest.type, { ...client.at(uri, offset), context }))
  }
  test('of a service, in types and in #uses', async () => {
    expect(await of('\nHos')).toEqual(['3: Host', '9: Host', '11: Host'])
  })
  test('from a reference, without the declaration', async () => {
    expect(await of('#uses[Ho', false)).toEqual(['9: Host', '11: Host'])
  })
  test('of a struct', async () => {
    expect(await of('  Pho')).toEqual(['10: Photo', '10: Photo'])
  })
  test('of an attribute, which nothing refers to', async () => {
    expect(await of('Home: service {\n  own')).toEqual(['9: owner'])
  })
})

describe('a value of an enum', () => {
  const TICKETS = `Desk: project {}
Ticket: service {
  state: enum(pending, 2xl, done) = pending @was(pending: waiting, 2xl: xxl);
  other: enum(pending, done) = done;
}
`
  const at = async (marked: string) => {
    const { uri, offset } = await openAt(marked, TICKETS)
    const position = client.at(uri, offset)
    const context = { includeDeclaration: true }
    const found = await client.request(ReferencesRequest.type, { ...position, context })
    const columns = (found ?? []).map(
      ({ range }) => `${range.start.line}:${range.start.character} ${client.textAt(uri, range)}`,
    )
    const [target] = [(await client.request(DefinitionRequest.type, position)) ?? []].flat()
    const hover = await client.request(HoverRequest.type, position)
    return {
      columns,
      target: target && 'targetRange' in target ? target.targetRange.start : undefined,
      hover,
    }
  }
  test.each([
    ['enum(pend', ['2:14 pending', '2:36 pending', '2:49 pending'], 14],
    ['= pend', ['2:14 pending', '2:36 pending', '2:49 pending'], 14],
    ['@was(pend', ['2:14 pending', '2:36 pending', '2:49 pending'], 14],
    [', 2x', ['2:23 2xl', '2:67 2xl'], 23],
    ['waiting, 2x', ['2:23 2xl', '2:67 2xl'], 23],
    ['other: enum(pending, done) = do', ['3:23 done', '3:31 done'], 23],
  ])('at %s', async (marked, columns, character) => {
    const found = await at(marked)
    expect(found.columns).toEqual(columns)
    expect(found.target?.character).toBe(character)
  })
  test('is described', async () => {
    expect((await at('= pend')).hover?.contents).toEqual({
      kind: 'plaintext',
      value: 'pending\n\nA value of Ticket.state. It was called waiting.',
    })
  })
  test('is described with what it can become', async () => {
    const marked = 'open, don'
    const text = 'Desk: project {} Ticket: service { state: enum(open, done) @transitions(open: [done]); }'
    const hoverAt = async (place: string) => {
      const { uri, offset } = await openAt(place, text)
      return (await client.request(HoverRequest.type, client.at(uri, offset)))?.contents
    }
    const about = (value: string, what: string) => ({
      kind: 'plaintext',
      value: `${value}\n\nA value of Ticket.state. ${what}`,
    })
    expect(await hoverAt(marked)).toEqual(about('done', 'It is final.'))
    expect(await hoverAt('(op')).toEqual(about('open', 'New entities have it. It can become done.'))
    expect(await hoverAt('open: [do')).toEqual(about('done', 'It is final.'))
  })
  test('is not a former one', async () => {
    expect((await at(': wait')).columns).toEqual([])
  })
})

test('highlights the declaration and the uses of a name', async () => {
  const { uri, offset } = await openAt('owner: Ho')
  const found = await client.request(DocumentHighlightRequest.type, client.at(uri, offset))
  expect(
    found?.map(({ range, kind }) => `${range.start.line}: ${client.textAt(uri, range)} ${kind}`),
  ).toEqual(['3: Host 3', '9: Host 2', '11: Host 2'])
})
