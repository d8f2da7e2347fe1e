import { describe, expect, it } from 'vitest'
import {
  type ClientCapabilities,
  CodeLensRequest,
  HoverRequest,
  type InlayHint,
  InlayHintRequest,
  type MarkupContent,
  type SemanticTokensDelta,
  SemanticTokensDeltaRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  SignatureHelpRequest,
} from 'vscode-languageserver-protocol/node'
import { type Client, cursorIn, startServer } from './harness.ts'
import { serverOfFile } from './server-of-file.ts'

const CAPABILITIES: ClientCapabilities = {
  textDocument: {
    hover: { contentFormat: ['markdown'] },
    signatureHelp: {
      signatureInformation: {
        documentationFormat: ['markdown'],
        parameterInformation: { labelOffsetSupport: true },
      },
    },
  },
}

const client = await serverOfFile({ capabilities: CAPABILITIES })

const STAYS = `/// Short stays.
Stays: project { #authMethod(email); }
/// Rents homes out.
Host: service { name: string(80); #auth; #readable(all); }
Home: service {
  owner: Host;
  /// How many
  /// people sleep there.
  beds: int(40, 1);
  Photo: struct { image: data(5M); #enumerable; }
  #omit[delete];
  #uses[Host];
}
`

async function hoverOn(word: string, text = STAYS, by: Client = client): Promise<string | undefined> {
  const uri = await by.open(text)
  const found = await by.request(HoverRequest.type, by.at(uri, text.indexOf(word) + 1))
  if (found === null) return undefined
  expect(word).toContain(
    by.textAt(uri, found.range ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }),
  )
  return (found.contents as MarkupContent).value
}

describe('hover', () => {
  it('shows a service with its endpoints and who may use them', async () => {
    expect(await hoverOn('Home: service')).toBe(
      [
        '```portico\nHome: service {\n  owner: Host;\n  beds: int(40, 1);\n}\n```',
        '',
        '- create: `POST /api/home` (any user)',
        '- read: `GET /api/home/{id}` (its creator)',
        '- update: `PUT /api/home/{id}` (its creator)',
        '- patch: `PATCH /api/home/{id}` (its creator)',
      ].join('\n'),
    )
    expect(await hoverOn('Host; ')).toBeUndefined()
    expect(await hoverOn('Host;\n')).toBe(
      [
        '```portico\nHost: service {\n  name: string(80);\n}\n```',
        '',
        'Rents homes out.',
        '',
        '- create: `POST /api/host` (any user, once)',
        '- read: `GET /api/host/{id}` (any user)',
        '- update: `PUT /api/host/{id}` (its creator)',
        '- patch: `PATCH /api/host/{id}` (its creator)',
        '- delete: `DELETE /api/host/{id}` (its creator)',
        '- identify: `GET /api/host` (any user)',
      ].join('\n'),
    )
  })

  it('shows jobs with what they and their attributes are', async () => {
    const text = `P: project {}
Home: service {
  /// Reminds the host.
  Remind: job { text: string(500) = "Hello"; }
}`
    expect(await hoverOn('Remind: job', text)).toBe(
      '```portico\nRemind: job {\n  text: string(500) = "Hello";\n}\n```\n\nReminds the host.',
    )
    expect(await hoverOn('text:', text)).toBe(
      '```portico\ntext: string(500) = "Hello"\n```\n\n- JSON: string, at most 500 characters\n- Default, if the job is added without it: `"Hello"`',
    )
  })

  it('shows endpoints that are declared, in their service too', async () => {
    const text = `P: project { #authMethod(email); #roles[agent]; }
User: service { #auth; }
Home: service {
  #omit[create, read, update, delete];
  /// What a stay costs.
  QuoteFor: endpoint { #get("{id}/quote"); nights: int; #access(by: agent); }
  Hook: endpoint { #post("hook"); #public; }
  Broken: endpoint { total: int; }
}`
    const lines = [
      '- quoteFor: `GET /api/home/{id}/quote` (users with the role agent who can read the Home)',
      '- hook: `POST /api/home/hook` (anyone)',
    ]
    expect(await hoverOn('Home: service', text)).toBe(
      ['```portico\nHome: service\n```', '', ...lines].join('\n'),
    )
    expect(await hoverOn('QuoteFor', text)).toBe(
      [
        '```portico\nQuoteFor: endpoint {\n  nights: int;\n}\n```',
        '',
        'What a stay costs.',
        '',
        lines[0],
      ].join('\n'),
    )
    expect(await hoverOn('Broken', text)).toBe('```portico\nBroken: endpoint {\n  total: int;\n}\n```')
    expect(await hoverOn('P: project', text)).toContain('2 services, 0 structs, 9 endpoints')
  })

  it('shows a struct and the project', async () => {
    expect(await hoverOn('Photo')).toContain(
      "- list: `GET /api/home/{parent-id}/photo/{id}/all` (its parent's creator)",
    )
    expect(await hoverOn('Stays')).toContain(
      'Short stays.\n\n2 services, 1 struct, 16 endpoints, authentication by email',
    )
  })

  it('shows an attribute as clients and the database see it', async () => {
    expect(await hoverOn('beds')).toBe(
      [
        '```portico\nbeds: int(40, 1)\n```',
        '',
        'How many\npeople sleep there.',
        '',
        '- JSON: integer, 1 to 40',
        '- Postgres: `beds integer CHECK (beds BETWEEN 1 AND 40)`',
        '- Clients can read and write it',
      ].join('\n'),
    )
    const inService = (attribute: string) =>
      hoverOn(attribute, `P: project {} A: service { ${attribute}; B: struct {} }`)
    expect(await inService('bigOne: int(precision: 8)')).toContain(
      '- JSON: integer, -9007199254740991 to 9007199254740991\n- Postgres: `big_one bigint`',
    )
    expect(await inService('code: string(8, 2) @unique')).toContain(
      '- JSON: string, 2 to 8 characters\n- Postgres: `code text UNIQUE CHECK (char_length(code) BETWEEN 2 AND 8)`',
    )
    expect(await inService('rate: float(min: 0.5, precision: 4) @serverSet')).toContain(
      "- JSON: number, at least 0.5\n- Postgres: `rate real CHECK (rate >= '0.5'::real AND rate < 'Infinity'::real)`\n- Clients can read it; hooks set it",
    )
    expect(await inService('price: decimal(max: 9.5, scale: 1)')).toContain(
      '- JSON: decimal with 1 digit after the point, at most 9.5\n- Postgres: `price numeric(38,1) CHECK (price <= 9.5)`',
    )
    expect(await inService('state: enum(open, 2xl)')).toContain(
      "- JSON: one of `open`, `2xl`\n- Postgres: `state text CHECK (state IN ('2xl', 'open'))`",
    )
    // Without its arguments, an invalid one is shown as written.
    for (const attribute of ['a: enum', 'a: decimal(scale: 999999999, max: 1)', 'a: decimal(max: 1.005)'])
      expect(await inService(attribute)).toContain(attribute)
    expect(await inService('secret: string @client')).toContain(
      '- Postgres: not stored\n- Clients can write it; hooks receive it',
    )
    expect(await inService('note: string? = "a b"')).toContain(
      '- Postgres: `note text`\n- Optional: it can be `null`\n- Default, if a request leaves it out: `"a b"`\n- Clients can read',
    )
    expect(await inService('seen: datetime = now @serverSet')).toContain(
      '- Default, if no hook sets it: `now`',
    )
    expect(await inService('image: data(5M) @server')).toContain('- JSON: base64, at most 5000000 bytes')
    expect(await inService('next: A @serverSet')).toContain('- JSON: id of an A\n- Postgres: `next uuid`')
  })

  it('explains the words of the language', async () => {
    expect(await hoverOn('service')).toContain('An entity with its endpoints')
    expect(await hoverOn('string')).toContain('Unicode text.')
    expect(await hoverOn('omit')).toContain('```portico\n#omit[endpoints]\n```\n\nOmits generated endpoints.')
    expect(await hoverOn('email')).toContain('With an email address and a password.')
    expect(await hoverOn('delete')).toContain('The endpoint that deletes an entity.')
    expect(await hoverOn('40')).toContain('max: integer')
    expect(await hoverOn('all)')).toContain('Every user')
    expect(await hoverOn('Host]')).toContain('Rents homes out.')
    expect(await hoverOn('unique', 'P: project {} A: service { a: int @unique; }')).toContain(
      'No two stored entities',
    )
    const desk =
      'P: project { #authMethod(email); #roles[agent]; } A: service { #readable(by: [this, agent]); }'
    expect(await hoverOn('agent]; } A', desk)).toContain('Users who have this role.')
    expect(await hoverOn('agent])', desk)).toContain('Users who have this role.')
    expect(await hoverOn('this', desk)).toContain('Only the user who created the entity.')
    expect(await hoverOn('min', 'P: project {} A: service { a: int(min: 1); }')).toContain('Minimum value')
  })

  it('explains former names', async () => {
    const text = 'P: project {} Home: service { nightlyRate: float @was(rate); #was(House); }'
    expect(await hoverOn('was(rate', text)).toContain(
      '@was(oldName, value: oldValue, ...)\n```\n\nThe attribute was renamed',
    )
    expect(await hoverOn('rate', text)).toContain('The name that the attribute had.')
    expect(await hoverOn('was(House', text)).toContain('#was(oldName)\n```\n\nThe service, struct or job was')
    expect(await hoverOn('House', text)).toContain('The name that the service, struct or job had.')
  })

  it('describes as much as possible of incomplete texts', async () => {
    expect(await hoverOn('beds', 'A: service { beds: int(9')).toContain('beds: int(9')
    expect(await hoverOn('nowhere', 'A: service { a: nowhere; }')).toBeUndefined()
    expect(await hoverOn('omit', '#omit')).toContain('Omits')
    expect(await hoverOn('beds', 'P: project {} A: service { beds: int(precision: 99); }')).toBe(
      '```portico\nbeds: int(precision: 99)\n```',
    )
  })

  it('is plain text if the client supports nothing else', async () => {
    const plain = await startServer()
    expect(await hoverOn('beds', STAYS, plain)).toContain('beds: int(40, 1)\n\nHow many')
    expect(await hoverOn('beds', STAYS, plain)).not.toContain('`')
    await plain.stop()
  })
})

describe('signature help', () => {
  const help = async (marked: string) => {
    const { text, offset } = cursorIn(marked)
    const uri = await client.open(text)
    const found = await client.request(SignatureHelpRequest.type, client.at(uri, offset))
    const [signature] = found?.signatures ?? []
    if (found === null || signature === undefined) return undefined
    const place = signature.parameters?.[found.activeParameter ?? 0]?.label
    const active = Array.isArray(place) ? signature.label.slice(...place) : place
    return { label: signature.label, active }
  }

  it('follows positional arguments', async () => {
    const label = 'int(max: integer, min: integer, precision: integer)'
    expect(await help('A: service { a: int(‸) }')).toEqual({ label, active: 'max: integer' })
    expect(await help('A: service { a: int(1, 0‸) }')).toEqual({ label, active: 'min: integer' })
    expect(await help('A: service { a: int(1, 0, ‸')).toEqual({ label, active: 'precision: integer' })
    expect(await help('A: service { a: int(1, 0, 4, ‸')).toEqual({ label, active: undefined })
  })

  it('is absent elsewhere', async () => {
    expect(await help('A: service { a: int‸ }')).toBeUndefined()
  })
})

const labelOf = ({ label }: InlayHint): string => (typeof label === 'string' ? label : 'parts')

describe('inlay hints', () => {
  const shownIn = async (text: string, by: Client, from = 0, to = text.length) => {
    const uri = await by.open(text)
    const document = by.document(uri)
    const hints = await by.request(InlayHintRequest.type, {
      textDocument: { uri },
      range: { start: document.positionAt(from), end: document.positionAt(to) },
    })
    return (hints ?? []).map((hint) => {
      const at = document.offsetAt(hint.position)
      return `${text.slice(Math.max(0, at - 6), at)}‹${labelOf(hint)}›${hint.textEdits === undefined ? '' : '+'}`
    })
  }

  it('name positional arguments and show default access', async () => {
    expect(await shownIn(STAYS, client)).toEqual([
      'ethod(‹method:›+',
      'vice {‹writable by: this›',
      'tring(‹maxLength:›+',
      'dable(‹by:›+',
      'vice {‹readable by: this, writable by: this›',
      ': int(‹max:›',
      't(40, ‹min:›+',
      'ruct {‹readable by: this, writable by: this›',
      ' data(‹maxSize:›+',
    ])
  })

  it('are those of the range', async () => {
    const at = STAYS.indexOf('beds')
    expect(await shownIn(STAYS, client, at, at + 20)).toEqual([': int(‹max:›', 't(40, ‹min:›+'])
  })

  it('omit access without authentication', async () => {
    expect(await shownIn('P: project {} A: service { a: int(min: 1); #language(go); }', client)).toEqual([])
  })

  it('omit names where the type takes its arguments by name', async () => {
    expect(await shownIn('P: project {} A: service { a: decimal(10, 2); }', client)).toEqual([])
  })

  it('can be turned off', async () => {
    const access = await startServer({ initializationOptions: { inlayHints: { parameterNames: false } } })
    expect(await shownIn(STAYS, access)).toHaveLength(3)
    await access.stop()
    const names = await startServer({
      capabilities: { workspace: { configuration: true } },
      settings: { inlayHints: { inheritedAccess: false } },
    })
    await expect.poll(() => shownIn(STAYS, names), { timeout: 20_000 }).toHaveLength(6)
    await names.stop()
  })
})

describe('semantic tokens', () => {
  const legend = () => client.initialized?.capabilities.semanticTokensProvider?.legend.tokenTypes ?? []
  const decoded = (text: string, uri: string, data: readonly number[]) => {
    const words: string[] = []
    let line = 0
    let character = 0
    for (let index = 0; index < data.length; index += 5) {
      const [lines = 0, characters = 0, length = 0, type = 0, modifiers = 0] = data.slice(index, index + 5)
      character = lines === 0 ? character + characters : characters
      line += lines
      const at = client.document(uri).offsetAt({ line, character })
      words.push(`${text.slice(at, at + length)} ${legend()[type]}${modifiers === 0 ? '' : ` ${modifiers}`}`)
    }
    return words
  }
  const TEXT = `P: project {}
Home: service {
  a: int(max: 40) @unique;
  b: Host; c: Odd;
  Tag: struct { t: Label; } Label: struct {}
  #omit[delete]; #uses[Host]; #readable(by: all);
}
Host: service {}
`

  it('have the meaning of each word', async () => {
    const uri = await client.open(TEXT)
    const found = await client.request(SemanticTokensRequest.type, { textDocument: { uri } })
    expect(decoded(TEXT, uri, found?.data ?? []).join(', ')).toBe(
      [
        'P namespace 1, project keyword, Home class 1, service keyword',
        'a property 1, int type 2, max parameter, 40 number, @ decorator, unique decorator',
        'b property 1, Host class, c property 1',
        'Tag struct 1, struct keyword, t property 1, Label struct, Label struct 1, struct keyword',
        '# macro, omit macro, delete enumMember, # macro, uses macro, Host class',
        '# macro, readable macro, by parameter, all enumMember',
        'Host class 1, service keyword',
      ].join(', '),
    )
  })

  it('are given for a range', async () => {
    const uri = await client.open(TEXT)
    const range = { start: { line: 3, character: 0 }, end: { line: 4, character: 0 } }
    const found = await client.request(SemanticTokensRangeRequest.type, { textDocument: { uri }, range })
    expect(decoded(TEXT, uri, found?.data ?? [])).toEqual(['b property 1', 'Host class', 'c property 1'])
  })

  it('are given as changes', async () => {
    const uri = await client.open(TEXT)
    const before = await client.request(SemanticTokensRequest.type, { textDocument: { uri } })
    const at = TEXT.indexOf('b: Host')
    await client.edit(uri, 'z: bool;\n  ', at)
    const changed = (await client.request(SemanticTokensDeltaRequest.type, {
      textDocument: { uri },
      previousResultId: before?.resultId ?? '',
    })) as SemanticTokensDelta
    const after = await client.request(SemanticTokensRequest.type, { textDocument: { uri } })
    const data = [...(before?.data ?? [])]
    expect(changed.edits).toHaveLength(1)
    for (const { start, deleteCount, data: inserted = [] } of changed.edits) {
      expect(inserted.length).toBeLessThan(20)
      data.splice(start, deleteCount, ...inserted)
    }
    expect(data).toEqual(after?.data)
    const unknown = await client.request(SemanticTokensDeltaRequest.type, {
      textDocument: { uri },
      previousResultId: 'odd',
    })
    expect(unknown).toMatchObject({ data })
  })
})

describe('code lenses', () => {
  const titles = async (by: Client, text = STAYS) => {
    const uri = await by.open(text)
    const lenses = (await by.request(CodeLensRequest.type, { textDocument: { uri } })) ?? []
    return lenses.map(({ command, range }) => {
      expect(command?.arguments?.[0]).toBe(uri)
      return `${by.textAt(uri, range)}: ${command?.title} (${command?.command} ${command?.arguments?.length})`
    })
  }

  it('count references and endpoints, run and generate', async () => {
    expect(await titles(client)).toEqual([
      'Stays: Run (portico.run 1)',
      'Stays: Generate (portico.generate 1)',
      'Host: 2 references (portico.showReferences 2)',
      'Host: 6 endpoints (portico.showEndpoints 2)',
      'Home: 0 references (portico.showReferences 2)',
      'Home: 4 endpoints (portico.showEndpoints 2)',
      'Photo: 0 references (portico.showReferences 2)',
      'Photo: 6 endpoints (portico.showEndpoints 2)',
    ])
  })

  it('count endpoints that are declared', async () => {
    const text = 'P: project {} Home: service { Quote: endpoint { #get("quote"); } }'
    expect((await titles(client, text)).slice(2)).toEqual([
      'Home: 0 references (portico.showReferences 2)',
      'Home: 6 endpoints (portico.showEndpoints 2)',
    ])
  })

  it('can be turned off', async () => {
    const codeLens = { references: false, endpoints: false, commands: true }
    const quiet = await startServer({ initializationOptions: { codeLens } })
    expect(await titles(quiet)).toHaveLength(2)
    await quiet.stop()
  })
})
