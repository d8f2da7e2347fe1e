import { describe, expect, test } from 'vitest'
import { PrepareRenameRequest, RenameRequest } from 'vscode-languageserver-protocol/node'
import { cursorIn } from './harness.ts'
import { serverOfFile } from './server-of-file.ts'

const client = await serverOfFile()

async function renamed(marked: string, newName: string): Promise<string> {
  const { text, offset } = cursorIn(marked)
  const uri = await client.open(text)
  const edit = await client.request(RenameRequest.type, { ...client.at(uri, offset), newName })
  return client.applied(uri, edit?.changes?.[uri] ?? [])
}

describe('renames', () => {
  test('an attribute in the lists of its block, from one of them', async () => {
    const text = await renamed(
      'P: project {}\nHome: service { name: string(9); city: string(9); #unique[na‸me, city]; #enumerable(sort: [name]); T: struct { name: string(9); #unique[parent, name]; } }\n',
      'title',
    )
    expect(text).toBe(
      'P: project {}\nHome: service { title: string(9) @was(name); city: string(9); #unique[title, city]; #enumerable(sort: [title]); T: struct { name: string(9); #unique[parent, name]; } }\n',
    )
  })

  test('a job keeps its former name', async () => {
    const home = (name: string, was = ''): string =>
      `P: project {}\nHome: service { ${name}: job { a: int;${was} } }`
    expect(await renamed(home('Re‸mind'), 'Nudge')).toBe(
      home('Nudge', '\n  #was(Remind);\n').replace('\n }', '\n}'),
    )
  })

  test('an attribute of an endpoint in its path, and a struct that an endpoint returns', async () => {
    const home = (name: string, struct: string): string =>
      `P: project {}\nHome: service { Quote: endpoint { #get("by/{${name}}"); ${name}: string @client; #returns(list: ${struct}); } ${struct}: struct { a: int;`
    expect(await renamed(`${home('place', 'Photo').replace(' place:', ' pla‸ce:')} } }`, 'town')).toBe(
      `${home('town', 'Photo')} } }`,
    )
    expect(
      await renamed(`${home('place', 'Photo').replace('list: Photo', 'list: Pho‸to')} } }`, 'Image'),
    ).toBe(`${home('place', 'Image')}\n  #was(Photo);\n} }`)
  })

  test('a role, from where it is declared and from where it is admitted', async () => {
    const desk = (name: string, other = name): string =>
      `P: project { #authMethod(email); #roles[${name}, admin]; #writable(by: [this, ${name}]); }\nTicket: service { agent: int; #readable(by: ${other}); }\n`
    expect(await renamed(desk('agent', 'ag‸ent'), 'helper')).toBe(desk('helper'))
    expect(await renamed(desk('agent').replace('[agent', '[age‸nt'), 'helper')).toBe(desk('helper'))
    await expect(renamed(desk('agent', 'ag‸ent'), 'admin')).rejects.toThrow()
  })

  test('a service with all references, but not in comments', async () => {
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
Landlord: service { a: int;
  #was(Host);
} // Host
Home: service { host: Landlord; /* Host */ #uses[Landlord]; Part: struct { owner: Landlord @server; } }
Hosts: service {}
`)
  })

  test('a service, from a reference', async () => {
    expect(await renamed('P: project {}\nHost: service {}\nHome: service { #uses[Ho‸st]; }', 'Guest')).toBe(
      'P: project {}\nGuest: service {\n  #was(Host);\n}\nHome: service { #uses[Guest]; }',
    )
  })

  test('a service that the project uses', async () => {
    const text = (host: string, declared = host, was = '') =>
      `P: project { #authMethod(email); #uses[${host}, Home]; }\n${declared}: service { #auth;${was} }\nHome: service { #uses[Auth]; }`
    const was = '\n  #was(Host);\n'
    expect(await renamed(text('Host', 'Ho‸st'), 'Guest')).toBe(
      text('Guest').replace('#auth; }', `#auth;${was}}`),
    )
    expect(await renamed(text('Ho‸st', 'Host'), 'Guest')).toBe(
      text('Guest').replace('#auth; }', `#auth;${was}}`),
    )
  })

  test('not the authentication service', async () => {
    const text = 'P: project { #authMethod(email); }\nHost: service { #auth; #uses[Au‸th]; }'
    expect(await renamed(text, 'Accounts')).toBe(text.replace('‸', ''))
  })

  test('a struct', async () => {
    expect(
      await renamed(
        'P: project {}\nHome: service { Photo: struct {} Album: struct { cover: Pho‸to; } }',
        'Image',
      ),
    ).toBe(
      'P: project {}\nHome: service { Image: struct {\n  #was(Photo);\n} Album: struct { cover: Image; } }',
    )
  })

  test('an attribute in the lists of its metadata', async () => {
    expect(
      await renamed(
        'P: project {}\nHome: service { be‸ds: int; #enumerable(filter: [beds], sort: [beds]); }',
        'rooms',
      ),
    ).toBe(
      'P: project {}\nHome: service { rooms: int @was(beds); #enumerable(filter: [rooms], sort: [rooms]); }',
    )
  })

  test('the project', async () => {
    expect(await renamed('P‸: project {}\nHome: service {}', 'Stays')).toBe(
      'Stays: project {}\nHome: service {}',
    )
  })

  test('in a block with syntax errors', async () => {
    const host = (name: string, was: string, members: string): string =>
      `P: project {}\n${name}: service {${was}\n  ${members}\nA: service { h: ${name.replace('‸', '')}; }`
    const broken = 'a: int(;\n  b: int;'
    expect(await renamed(host('Ho‸st', '', `${broken}\n}`), 'Guest')).toBe(
      host('Guest', '', `${broken}\n  #was(Host);\n}`),
    )
    expect(await renamed(host('Ho‸st', '', 'a: int;'), 'Guest')).toBe(
      host('Guest', ' #was(Host);', 'a: int;'),
    )
    expect(await renamed(host('Host', '', 'a: int(;\n  b‸: int;\n}\n}'), 'c')).toBe(
      host('Host', '', 'a: int(;\n  c: int @was(b);\n}\n}'),
    )
  })

  test('in a text with errors that the new name does not cause', async () => {
    expect(
      await renamed('P: project {}\nHo‸st: service { a: itn }\nHome: service { b Host; c: Host; ', 'Guest'),
    ).toBe('P: project {}\nGuest: service { a: itn;\n  #was(Host);\n}\nHome: service { b Guest; c: Guest; ')
  })
})

describe('keeps the name that the database has', () => {
  const renamedIn = async (members: string, newName: string): Promise<string> => {
    const text = await renamed(`P: project {}\nHome: service { ${members} }`, newName)
    return text.slice('P: project {}\nHome: service { '.length, -' }'.length)
  }

  test('after the other annotations of an attribute', async () => {
    expect(await renamedIn('be‸ds: int(9) @unique @server; a: int;', 'rooms')).toBe(
      'rooms: int(9) @unique @server @was(beds); a: int;',
    )
    expect(await renamedIn('T: struct { be‸ds: int }', 'rooms')).toBe('T: struct { rooms: int @was(beds) }')
  })

  test.each([
    ['int(;', 'int( @was(beds);'],
    ['int(max: 40 @unique;', 'int(max: 40 @unique @was(beds);'],
    ['int max: 40;', 'int max: 40 @was(beds);'],
    ['int = ;', 'int = @was(beds) ;'],
    ['int @unique, @server;', 'int @unique, @server @was(beds);'],
    ['Optional<string>; // text', 'Optional<string> @was(beds); // text'],
    ['string NOT NULL // text', 'string NOT NULL @was(beds) // text'],
    // They keep what is written, and an attribute without a type has no column.
    ['int( @was(rooms);', 'int( @was(rooms);'],
    [';', ';'],
  ])('of an attribute with a syntax error: %j', async (written, expected) => {
    expect(await renamedIn(`be‸ds: ${written}\n a: int;`, 'sleeps')).toBe(`sleeps: ${expected}\n a: int;`)
  })

  test('where the `;` is missing', async () => {
    expect(await renamedIn('be‸ds: int a: int;', 'rooms')).toBe('rooms: int @was(beds) a: int;')
  })

  test('through several renamings', async () => {
    expect(await renamedIn('roo‸ms: int @was(beds);', 'bedrooms')).toBe('bedrooms: int @was(beds);')
    expect(await renamed('P: project {}\nHo‸me: service { #was(House); }', 'Building')).toBe(
      'P: project {}\nBuilding: service { #was(House); }',
    )
  })

  test('until the name is the same again', async () => {
    expect(await renamedIn('roo‸ms: int @was(beds) @unique;', 'beds')).toBe('beds: int @unique;')
    expect(await renamedIn('url‸: string @was(homeUrl);', 'homeURL')).toBe('homeURL: string;')
    expect(await renamed('P: project {}\nHo‸me: service {\n  #was(House);\n  a: int;\n}', 'House')).toBe(
      'P: project {}\nHouse: service {\n  a: int;\n}',
    )
  })

  test('of a block, on a line of its own', async () => {
    expect(await renamed('P: project {}\nHo‸me: service {\n  a: int;\n}\n', 'House')).toBe(
      'P: project {}\nHouse: service {\n  a: int;\n  #was(Home);\n}\n',
    )
  })

  test('of a value of an enum, with its default', async () => {
    expect(await renamedIn('state: enum(wai‸ting, 2xl) = waiting @unique;', 'pending')).toBe(
      'state: enum(pending, 2xl) = pending @unique @was(pending: waiting);',
    )
    expect(await renamedIn('state: enum(waiting, 2xl) = wait‸ing; a: int;', 'pending')).toBe(
      'state: enum(pending, 2xl) = pending @was(pending: waiting); a: int;',
    )
    expect(await renamedIn('state: enum(waiting, 2x‸l) = 2xl;', 'large')).toBe(
      'state: enum(waiting, large) = large @was(large: 2xl);',
    )
    expect(await renamedIn('state: enum(waiting, 2x‸l) @was(status);', 'large')).toBe(
      'state: enum(waiting, large) @was(status, large: 2xl);',
    )
    expect(await renamedIn('state: enum(pending, done) @was(pen‸ding: waiting);', 'queued')).toBe(
      'state: enum(queued, done) @was(queued: waiting);',
    )
    expect(await renamedIn('state: enum(pending, do‸ne) @was(pending: waiting);', '2xl')).toBe(
      'state: enum(pending, 2xl) @was(pending: waiting, 2xl: done);',
    )
    expect(await renamedIn('state: enum(pend‸ing) @was(pending: waiting);', 'waiting')).toBe(
      'state: enum(waiting);',
    )
    expect(
      await renamedIn(
        'state: enum(draft, 2xl, done) = draft @transitions(draft: [2xl, done], 2xl: done, done: [dr‸aft]);',
        'open',
      ),
    ).toBe(
      'state: enum(open, 2xl, done) = open @transitions(open: [2xl, done], 2xl: done, done: [open]) @was(open: draft);',
    )
    expect(
      await renamedIn(
        'state: enum(draft, 2xl) @transitions(draft: [2xl], 2x‸l: draft) @was(2xl: xxl);',
        'large',
      ),
    ).toBe('state: enum(draft, large) @transitions(draft: [large], large: draft) @was(large: xxl);')
    expect(await renamedIn('state: enum(pend‸ing, b) @was(pending: waiting, b: a);', 'waiting')).toBe(
      'state: enum(waiting, b) @was(b: a);',
    )
    expect(await renamedIn('sta‸te: enum(pending) @was(pending: waiting);', 'status')).toBe(
      'status: enum(pending) @was(state, pending: waiting);',
    )
    expect(await renamedIn('sta‸te: enum(a) @was(status, a: b);', 'status')).toBe(
      'status: enum(a) @was(a: b);',
    )
    expect(await renamedIn('state: enum(wai‸ting) @client;', 'pending')).toBe('state: enum(pending) @client;')
  })

  test('but not where the database has none', async () => {
    expect(await renamedIn('pi‸n: string @client;', 'code')).toBe('code: string @client;')
    expect(await renamedIn('homeUrl‸: string;', 'homeURL')).toBe('homeURL: string;')
    expect(await renamedIn('Wro‸ng: string;', 'right')).toBe('right: string;')
    expect(await renamedIn('a: int; a‸: string;', 'b')).toBe('a: int; b: string;')
    expect(await renamedIn('a: int @was(b); b‸: string;', 'c')).toBe('a: int @was(b); c: string;')
  })
})

test('renames to a name that differs only in case', async () => {
  // `home-page` and `homepage` are two directories.
  const text = await renamed('P: project {}\nHomePage: service {}\nHo‸me: service {}', 'Homepage')
  expect(text).toContain('Homepage: service')
})

describe('rejects', () => {
  test.each([
    [
      'the name of another block',
      'Host: service {}\nHo‸me: service {}',
      'Host',
      '`Host` is already declared',
    ],
    [
      'the name of a block that refers to it',
      'Host: service { home: Home; }\nHo‸me: service {}',
      'Host',
      '`Host` is already declared',
    ],
    ['another attribute', 'Home: service { a: int; b‸: int; }', 'a', 'Duplicate attribute `a`'],
    ['the same column', 'Home: service { aB: int; b‸: int; }', 'aB', 'Duplicate attribute `aB`'],
    ['the identity', 'Home: service { b‸: int; }', 'id', '`id` is declared implicitly'],
    ['a former name', 'Home: service { a: int @was(b); c‸: int; }', 'b', '`b` is still declared'],
    ['a small first letter', 'Ho‸me: service {}', 'home', 'Block names are PascalCase'],
    ['no name at all', 'Ho‸me: service {}', 'a b', 'Invalid name `a b`'],
    ['nothing', 'Ho‸me: service {}', '', 'Invalid name ``'],
    ['another value of an enum', 'Home: service { a: enum(b‸, c); }', 'c', 'Duplicate value `c`'],
    ['what cannot be a value of an enum', 'Home: service { a: enum(b‸, c); }', '-d', 'Invalid value `-d`'],
    ['a reserved directory', 'Ho‸me: service {}', 'Gateway', 'A service cannot be named `Gateway`'],
    ['a built-in type', 'Ho‸me: service {}\nA: service { b: Home; }', 'int', 'Block names are PascalCase'],
  ])('%s', async (_, marked, newName, message) => {
    await expect(renamed(`P: project {}\n${marked}`, newName)).rejects.toThrow(message)
  })
})

describe('prepares', () => {
  const prepared = async (marked: string): Promise<string> => {
    const { text, offset } = cursorIn(marked)
    const uri = await client.open(text)
    const range = await client.request(PrepareRenameRequest.type, client.at(uri, offset))
    return range === null || !('start' in range) ? '' : client.textAt(uri, range)
  }
  test('the range that would be renamed', async () => {
    expect(await prepared('P: project {}\nHome: service { owner: Ho‸me @server; }')).toBe('Home')
  })
  test.each([
    'P: project {}\nHome: service { a: in‸t; }',
    'P: project {}\nHome: service { // Ho‸me\n }',
    'P: project {}\nHome: ser‸vice {}',
    'P: project {}\nHome: service { a: Nowh‸ere; }',
  ])('that %j cannot be', async (marked) => {
    await expect(prepared(marked)).rejects.toThrow('can be renamed')
  })
})
