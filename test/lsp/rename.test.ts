import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PrepareRenameRequest, RenameRequest } from 'vscode-languageserver-protocol/node'
import { type Client, cursorIn, startServer } from './harness.ts'

let client: Client
beforeAll(async () => {
  client = await startServer()
})
afterAll(async () => {
  expect(await client.stop()).toBe(0)
  expect(client.complaints).toEqual([])
})

async function renamed(marked: string, newName: string): Promise<string> {
  const { text, offset } = cursorIn(marked)
  const uri = await client.open(text)
  const edit = await client.request(RenameRequest.type, { ...client.at(uri, offset), newName })
  return client.applied(uri, edit?.changes?.[uri] ?? [])
}

describe('renames', () => {
  test('a service with all that refers to it, and nothing in comments', async () => {
    const text = await renamed(
      `/// Host in words.
P: project {}
Ho‸st: service { a: int; } // Host
Home: service { host: Host; /* Host */ #uses[Host]; Part: struct { owner: Host @server; } }
Hosts: service {}
`,
      'Landlord',
    )
    expect(text).toBe(`/// Host in words.
P: project {}
Landlord: service { a: int; } // Host
Home: service { host: Landlord; /* Host */ #uses[Landlord]; Part: struct { owner: Landlord @server; } }
Hosts: service {}
`)
  })

  test('a service, from where it is referred to', async () => {
    expect(await renamed('P: project {}\nHost: service {}\nHome: service { #uses[Ho‸st]; }', 'Guest')).toBe(
      'P: project {}\nGuest: service {}\nHome: service { #uses[Guest]; }',
    )
  })

  test('a struct', async () => {
    expect(
      await renamed(
        'P: project {}\nHome: service { Photo: struct {} Album: struct { cover: Pho‸to; } }',
        'Image',
      ),
    ).toBe('P: project {}\nHome: service { Image: struct {} Album: struct { cover: Image; } }')
  })

  test('an attribute', async () => {
    expect(await renamed('P: project {}\nHome: service { be‸ds: int; }', 'rooms')).toBe(
      'P: project {}\nHome: service { rooms: int; }',
    )
  })

  test('the project', async () => {
    expect(await renamed('P‸: project {}\nHome: service {}', 'Stays')).toBe(
      'Stays: project {}\nHome: service {}',
    )
  })

  test('in a text with mistakes, which are none of the new name', async () => {
    expect(
      await renamed('P: project {}\nHo‸st: service { a: itn }\nHome: service { b Host; c: Host; ', 'Guest'),
    ).toBe('P: project {}\nGuest: service { a: itn }\nHome: service { b Guest; c: Guest; ')
  })
})

describe('refuses', () => {
  test.each([
    [
      'the name of another block',
      'P: project {}\nHost: service {}\nHo‸me: service {}',
      'Host',
      'There is a block `Host` already.',
    ],
    [
      'one that differs in case alone',
      'P: project {}\nHomePage: service {}\nHo‸me: service {}',
      'Homepage',
      '',
    ],
    [
      'another attribute',
      'P: project {}\nHome: service { a: int; b‸: int; }',
      'a',
      'There is an attribute `a` already.',
    ],
    ['the same column', 'P: project {}\nHome: service { aB: int; b‸: int; }', 'aB', 'already'],
    ['the identity', 'P: project {}\nHome: service { b‸: int; }', 'id', 'Every entity has an `id`'],
    ['a small first letter', 'P: project {}\nHo‸me: service {}', 'home', 'The name of a block'],
    ['no name at all', 'P: project {}\nHo‸me: service {}', 'a b', '`a b` is no name.'],
    ['nothing', 'P: project {}\nHo‸me: service {}', '', '`` is no name.'],
    [
      'a reserved directory',
      'P: project {}\nHo‸me: service {}',
      'Gateway',
      'A service cannot be called `Gateway`',
    ],
    [
      'a built-in type',
      'P: project {}\nHo‸me: service {}\nA: service { b: Home; }',
      'int',
      'The name of a block',
    ],
  ])('%s', async (what, marked, newName, message) => {
    if (what === 'one that differs in case alone') {
      // `home-page` and `homepage` are two directories.
      expect(await renamed(marked, newName)).toContain('Homepage: service')
      return
    }
    await expect(renamed(marked, newName)).rejects.toThrow(message)
  })
})

describe('says beforehand', () => {
  const prepared = async (marked: string): Promise<string> => {
    const { text, offset } = cursorIn(marked)
    const uri = await client.open(text)
    const range = await client.request(PrepareRenameRequest.type, client.at(uri, offset))
    return range === null || !('start' in range) ? '' : client.textAt(uri, range)
  }
  test('what would be renamed', async () => {
    expect(await prepared('P: project {}\nHome: service { owner: Ho‸me @server; }')).toBe('Home')
  })
  test.each([
    'P: project {}\nHome: service { a: in‸t; }',
    'P: project {}\nHome: service { // Ho‸me\n }',
    'P: project {}\nHome: ser‸vice {}',
    'P: project {}\nHome: service { a: Nowh‸ere; }',
  ])('that %j cannot be', async (marked) => {
    await expect(prepared(marked)).rejects.toThrow('can be changed')
  })
})
