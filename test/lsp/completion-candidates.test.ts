import { describe, expect, it } from 'vitest'
import { porticoServices, checkText, readText } from '../../src/language/parse.ts'
import type { CompletionCandidate } from '../../src/lsp/completion/candidate.ts'
import { plainText } from '../../src/lsp/completion/candidate.ts'
import { completionAt } from '../../src/lsp/completion/candidates.ts'
import { cursorIn } from './harness.ts'

function candidates(marked: string): readonly CompletionCandidate[] {
  const { text, offset } = cursorIn(marked)
  return completionAt(readText(text), offset, porticoServices()).candidates
}

/** Labels of the candidates at `‸`, in the order that they are shown. */
function labels(marked: string): string[] {
  return candidates(marked)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ label }) => label)
}

/** The text after accepting the candidate with a label. */
function accepting(marked: string, label: string): string {
  const candidate = candidates(marked).find((other) => other.label === label)
  if (candidate === undefined) throw new Error(`${label} is not offered`)
  const { additionalEdits = [], snippet, span } = candidate
  return [{ ...span, text: plainText(snippet) }, ...additionalEdits]
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (done, { start, end, text }) => done.slice(0, start) + text + done.slice(end),
      cursorIn(marked).text,
    )
}

const TYPES = ['string', 'bool', 'int', 'float', 'decimal', 'date', 'time', 'datetime', 'data', 'enum']

describe('at the top level', () => {
  it('offers blocks, and a project if the definition has none', () => {
    expect(labels('‸')).toEqual(['definition', 'project', 'service', 'import'])
    expect(labels('Home: service {}\n‸')).toEqual(['project', 'service'])
    expect(labels('P: project {}\n‸')).toEqual(['service'])
    expect(labels('P: project {}\nHome: service {}\nser‸')).toEqual(['service'])
  })

  it('offers block kinds after a name', () => {
    expect(labels('Home: ‸')).toEqual(['service', 'project'])
    expect(labels('P: project {}\nHome: ‸')).toEqual(['service'])
    expect(labels('P: project {}\nHome: ser‸vice {}')).toEqual(['service'])
    expect(labels('P: project {}\nHome: ‸\nHost: service {}')).toEqual(['service'])
  })

  it('capitalizes the name of a block', () => {
    expect(accepting('P: project {}\nhome: ‸', 'service')).toBe('P: project {}\nHome: service {\n  \n}')
    expect(labels('P: project {}\nho_me: ‸')).toEqual([])
  })

  it('writes whole blocks with unused names', () => {
    const text = accepting('P: project {}\nItem: service {}\n‸', 'service')
    expect(text).toBe('P: project {}\nItem: service {}\nItem2: service {\n  name: string;\n}')
    expect(checkText(text).valid).toBe(true)
  })

  it('offers nothing for new names, in comments and in numbers', () => {
    expect(labels('Ho‸me: service {}')).toEqual([])
    expect(labels('Home‸ service {}')).toEqual([])
    expect(labels('Home: service { Photo‸ struct {} }')).toEqual([])
    expect(labels('// ‸\nHome: service {}')).toEqual([])
    expect(labels('/* ‸ */')).toEqual([])
    expect(labels('/// ‸')).toEqual([])
    expect(labels('Home: service { /* ‸')).toEqual([])
    expect(labels('Home: service { a: int(4‸0); }')).toEqual([])
    expect(labels('Home: service { na‸me: string; }')).toEqual([])
    expect(labels('Home: service { a: int(1k, -‸')).toEqual([])
    expect(labels('Home: service ‸ {}')).toEqual([])
  })
})

describe('in a block', () => {
  it('offers what a project supports', () => {
    expect(labels('P: project { ‸ }')).toEqual([
      '#language',
      '#provider',
      '#authMethod',
      '#metrics',
      '#roles',
      '#database',
      '#database(...)',
      '#readable',
      '#writable',
    ])
    expect(labels('P: project { #authMethod(email); ‸ } A: service { #auth; }')).toEqual([
      '#language',
      '#provider',
      '#metrics',
      '#readable',
      '#roles',
      '#uses',
      '#database',
      '#database(...)',
      '#writable',
    ])
  })

  it('offers what a service supports', () => {
    expect(labels('P: project {} Host: service {} Home: service { ‸ }')).toEqual([
      'attribute',
      'reference',
      'struct',
      'endpoint',
      'job',
      '#language',
      '#public',
      '#auth',
      '#enumerable',
      '#omit',
      '#uses',
      '#timestamps',
      '#versioned',
      '#versioned(...)',
      '#idempotent',
      '#was',
      '#database',
      '#readable',
      '#writable',
    ])
  })

  it('offers what a job supports', () => {
    const home = (members: string) =>
      `P: project {} Home: service { Photo: struct {} Tidy: job { ${members} } }`
    expect(labels(home('‸'))).toEqual(['attribute', 'reference', '#was', '#schedule'])
    expect(labels(home('#schedule("0 3 * * *"); ‸'))).toEqual(['attribute', 'reference', '#was'])
    expect(labels(home('a: int; ‸'))).toEqual(['attribute', 'reference', '#was'])
    expect(labels(home('a: ‸'))).toContain('Home')
    expect(labels(home('a: ‸'))).not.toContain('Photo')
    expect(labels(home('a: int ‸')).filter((label) => label.startsWith('@'))).toEqual([])
  })

  it('offers what an endpoint supports', () => {
    const desk = (members: string) =>
      `P: project { #authMethod(email); #roles[agent]; } U: service { #auth; } Home: service { Photo: struct {} Quote: endpoint { ${members} } }`
    expect(labels(desk('‸'))).toEqual([
      'attribute',
      'reference',
      '#public',
      '#get',
      '#post',
      '#put',
      '#patch',
      '#delete',
      '#returns',
      '#status',
      '#access',
    ])
    expect(labels(desk('#get("x"); ‸'))).toEqual([
      'attribute',
      'reference',
      '#public',
      '#returns',
      '#status',
      '#access',
    ])
    expect(labels(desk('#get("{id}/x"); #returns(‸)'))).toEqual(['Home', 'Photo', 'list:'])
    expect(labels(desk('#get("{id}/x"); #returns(list: ‸)'))).toEqual(['Home', 'Photo'])
    expect(labels(desk('#get("{id}/x"); #access(‸)'))).toEqual(['readable', 'writable', 'none', 'by:'])
    expect(labels(desk('#get("{id}/x"); #access(by: [‸])'))).toEqual(['agent'])
    expect(labels(desk('#get("x"); a: int ‸'))).toContain('@client')
    expect(labels(desk('#get("x"); a: int ‸'))).not.toContain('@unique')
  })

  it('offers what a struct supports', () => {
    expect(labels('P: project {} Home: service { Photo: struct { ‸ } }')).toEqual([
      'attribute',
      'reference',
      '#enumerable',
      '#omit',
      '#timestamps',
      '#versioned',
      '#versioned(...)',
      '#was',
    ])
  })

  it('offers combinations that are not listed yet', () => {
    const struct = (members: string) =>
      labels(`P: project {} Home: service { Photo: struct { #timestamps; ${members} } }`)
    expect(struct('size: int; data: data; #‸')).toEqual([
      '#enumerable',
      '#enumerable(...)',
      '#omit',
      '#versioned',
      '#versioned(...)',
      '#unique',
      '#was',
    ])
    expect(struct('size: int; #unique[parent, size]; #‸')).not.toContain('#unique')
    expect(struct('size: int; pin: int @client; image: data; text: string; #unique[‸]')).toEqual([
      'size',
      'parent',
    ])
    expect(struct('size: int; at: date; #unique[size, ‸]')).toEqual(['at', 'parent'])
  })

  it('offers names of metadata after `#`', () => {
    expect(labels('P: project {} Home: service { Photo: struct { #‸ } }')).toEqual([
      '#enumerable',
      '#omit',
      '#timestamps',
      '#versioned',
      '#versioned(...)',
      '#was',
    ])
    expect(labels('P: project {} Home: service { Photo: struct { #enumerable; #om‸ } }')).toEqual([
      '#omit',
      '#timestamps',
      '#versioned',
      '#versioned(...)',
      '#was',
    ])
  })

  it('terminates the previous declaration', () => {
    expect(accepting('P: project {} Home: service {\n  name: string\n  ‸\n}', '#enumerable')).toBe(
      'P: project {} Home: service {\n  name: string;\n  #enumerable;\n}',
    )
  })

  it('adds no second semicolon', () => {
    expect(accepting('P: project {} Home: service { #en‸; }', '#enumerable')).toBe(
      'P: project {} Home: service { #enumerable; }',
    )
  })

  it('offers `#enumerable` with tab stops for its lists', () => {
    const offered = candidates('P: project {} Home: service { rate: float; photo: data; total: int; #en‸ }')
    expect(offered.flatMap(({ label, snippet }) => (label.startsWith('#enum') ? [snippet] : []))).toEqual([
      '#enumerable;',
      '#enumerable(filter: [${1:rate}], sort: [${2:rate}]);',
    ])
  })

  it('offers `#roles` before `#authMethod`, and that before `#auth`', () => {
    const marked = 'P: project { #‸ } U: service {}'
    expect(accepting(marked, '#roles')).toContain('project { #roles[')
    expect(accepting(marked, '#authMethod')).toContain('project { #authMethod(email);')
  })

  it('adds `#authMethod` together with `#auth`', () => {
    expect(accepting('P: project {\n}\nHome: service { ‸ }', '#auth')).toBe(
      'P: project {\n  #authMethod(email);\n}\nHome: service { #auth; }',
    )
    expect(labels('P: project {} A: service { #writable(by: all); } Home: service { #‸ }')).not.toContain(
      '#auth',
    )
    expect(labels('P: project {} Auth: service {} Home: service { #‸ }')).not.toContain('#auth')
  })
})

describe('a type', () => {
  it('is a built-in type, a service or a sibling struct', () => {
    expect(labels('P: project {} Host: service {} Home: service { a: ‸ }')).toEqual([
      ...TYPES,
      'Host',
      'Home?',
    ])
    expect(
      labels('P: project {} Host: service {} Home: service { Photo: struct { a: ‸ } Tag: struct {} }'),
    ).toEqual([...TYPES, 'Tag', 'Photo?', 'Host', 'Home'])
    expect(labels('P: project { a: ‸ }')).toEqual([])
  })

  it('is optional if it would close a cycle', () => {
    const cycle = (annotation: string) =>
      labels(`P: project {} A: service { b: B; } B: service { c: C; } C: service { a: ‸ ${annotation}; }`)
    expect(cycle('')).toEqual([...TYPES, 'A?', 'B?', 'C?'])
    expect(cycle('@client')).toEqual(TYPES)
    expect(cycle('@serverSet')).toEqual([...TYPES, 'A', 'B', 'C'])
  })

  it('is chosen from all entities in a new reference', () => {
    const found = candidates('P: project {} A: service { ‸ } B: service { a: A; } C: service {}')
    expect(found.find(({ label }) => label === 'reference')?.snippet).toContain('${2|C,A?,B?|}')
  })

  it('stays what was typed in full', () => {
    expect(labels('P: project {} A: service { b: B; } B: service { a: A‸; }')).toEqual([...TYPES, 'A', 'B?'])
  })

  it('is not one that a list with the attribute rules out', () => {
    const withoutData = TYPES.filter((type) => type !== 'data')
    for (const list of ['#unique[a, b]', '#enumerable(filter: [b])', '#enumerable(sort: [b])']) {
      expect(labels(`P: project {} A: service { a: int; b: ‸; ${list}; }`)).toEqual([...withoutData, 'A?'])
      expect(labels(`P: project {} A: service { a: int; b: int @‸; ${list}; }`)).not.toContain('@client')
      expect(labels(`P: project {} A: service { a: int; c: ‸; b: int; ${list}; }`)).toContain('data')
    }
    expect(labels('P: project {} A: service { a: int; b: int; #enumerable(filter: ‸[a]); }')).toEqual([])
    expect(labels('P: project {} A: service { #omit(‸[delete]); }')).toEqual([])
  })

  it('supports the arguments that follow it', () => {
    expect(labels('P: project {} A: service { a: str‸ing(80); }')).toEqual(['string', 'int', 'float', 'data'])
    expect(labels('P: project {} A: service { a: da‸ta(5G); }')).toEqual(['string', 'float', 'data'])
    expect(labels('P: project {} A: service { a: e‸(open, 2xl); }')).toEqual(['enum'])
    expect(labels('P: project {} A: service { a: in‸t(min: 0); }')).toEqual(['int', 'float', 'decimal'])
  })

  it('supports the default that follows it', () => {
    expect(labels('P: project {} A: service { a: ‸ = 3; }')).toEqual(['int', 'float', 'decimal'])
    expect(labels('P: project {} B: service {} A: service { a: ‸? = now; }')).toEqual([
      'date',
      'time',
      'datetime',
    ])
    expect(labels('P: project {} A: service { a: ‸(2) = "NL"; }')).toEqual(['string'])
  })

  it('can be its own service if it is optional', () => {
    expect(labels('P: project {} A: service { a: ‸?; }')).toEqual([...TYPES, 'A'])
  })

  it('is `struct`, `endpoint` or `job` after a name with a capital letter', () => {
    expect(labels('P: project {} A: service { Photo: ‸ }')).toEqual(['struct', 'endpoint', 'job'])
    expect(labels('P: project {} A: service { Photo: struct { Tag: ‸ } }')).toEqual([])
  })

  it('is offered before the next declaration', () => {
    expect(labels('P: project {} A: service { a: ‸\n  b: string; }')).toEqual([...TYPES, 'A?'])
    expect(labels('P: project {}\nHost: service {}\nA: service {\n  a: ‸\n\nB: service {\n}')).toEqual([
      ...TYPES,
      'Host',
      'B',
      'A?',
    ])
  })
})

describe('a default', () => {
  const defaults = (attribute: string): string[] =>
    labels(`P: project {} B: service {} A: service { a: ${attribute} }`)

  it('is one of the words that the type has', () => {
    expect(defaults('bool = ‸;')).toEqual(['true', 'false'])
    expect(defaults('bool? = tr‸ @unique;')).toEqual(['true', 'false'])
    expect(defaults('enum(open, 2xl) = ‸')).toEqual(['open', '2xl'])
    expect(defaults('datetime =‸')).toEqual(['now'])
    expect(accepting('P: project {} A: service { a: date =‸; }', 'now')).toContain('a: date = now;')
  })

  it('is not offered where there is none, or where it is not a word', () => {
    for (const attribute of [
      'B = ‸;',
      'data = ‸;',
      'int = ‸;',
      'string = ‸;',
      'string = "a ‸ b";',
      'bool = ‸ @client;',
    ])
      expect(defaults(attribute), attribute).toEqual([])
  })

  it('excludes `@client`, and so does `?`', () => {
    expect(defaults('bool = true ‸;')).not.toContain('@client')
    expect(defaults('bool? ‸;')).not.toContain('@client')
  })
})

describe('an annotation', () => {
  it('is offered once, and only if it can be combined with the others', () => {
    expect(labels('P: project {} A: service { a: string ‸; }')).toEqual([
      '@unique',
      '@server',
      '@serverSet',
      '@client',
      '@was',
    ])
    expect(labels('P: project {} A: service { a: string @unique @‸; }')).toEqual([
      '@server',
      '@serverSet',
      '@was',
    ])
    expect(labels('P: project {} A: service { a: string @server @‸; }')).toEqual(['@unique', '@was'])
    expect(labels('P: project {} A: service { a: string @client @‸; }')).toEqual([])
    expect(labels('P: project {} A: service { a: string @‸ @client; }')).toEqual([])
    expect(labels('P: project {} A: service { a: string @was(b) @‸; }')).not.toContain('@client')
  })

  it('keeps a reference from closing a cycle', () => {
    expect(labels('P: project {} A: service { a: A @‸serverSet; }')).toEqual(['@server', '@serverSet'])
  })

  it('is written after a space', () => {
    expect(accepting('P: project {} A: service { a: string(80)‸; }', '@unique')).toContain(
      'string(80) @unique;',
    )
  })

  it('has a placeholder for the name that it requires', () => {
    const accept = (annotation: string) =>
      accepting(`P: project {} A: service { a: string ${annotation}; }`, '@was')
    expect(accept('‸')).toContain('string @was(oldName);')
    expect(accept('@wa‸(b)')).toContain('string @was(b);')
    expect(labels('P: project {} A: service { a: enum(b, c, d) @was(b: x, ‸); }')).toEqual(['c:', 'd:'])
    expect(labels('P: project {} A: service { a: enum(b, c) @was(b: ‸); }')).toEqual([])
  })
  it('offers what a value can become', () => {
    const inEnum = (text: string) =>
      labels(`P: project {} A: service { a: enum(b, c, 2d) @transitions(${text}); }`)
    expect(inEnum('b: c, ‸')).toEqual(['c:', '2d:'])
    expect(inEnum('b: ‸')).toEqual(['c', '2d'])
    expect(inEnum('b: [‸]')).toEqual(['c', '2d'])
    expect(inEnum('b: [c, ‸]')).toEqual(['2d'])
    expect(accepting('P: project {} A: service { a: enum(b, c) @transitions(‸); }', 'b:')).toContain(
      '@transitions(b: []);',
    )
    expect(labels('P: project {} A: service { a: enum(b, c) @‸; }')).toContain('@transitions')
    expect(labels('P: project {} A: service { a: string @‸; }')).not.toContain('@transitions')
  })
})

describe('arguments', () => {
  it('are named once', () => {
    const inType = (type: string) => labels(`P: project {} A: service { a: ${type}; }`)
    expect(inType('int(‸)')).toEqual(['max:', 'min:', 'precision:'])
    expect(inType('int(100, ‸)')).toEqual(['min:', 'precision:'])
    expect(inType('int(min: 1, ‸)')).toEqual(['max:', 'precision:'])
    expect(inType('int(‸, min: 1)')).toEqual(['max:', 'precision:'])
    expect(inType('int(max: 1, mi‸)')).toEqual(['min:', 'precision:'])
    expect(inType('int(m‸ax: 1)')).toEqual(['max:', 'min:', 'precision:'])
    expect(inType('int(max: ‸)')).toEqual([])
    expect(inType('bool(‸)')).toEqual([])
    expect(inType('string[‸]')).toEqual([])
  })

  it('have a precision that holds the bounds', () => {
    const inType = (type: string) => labels(`P: project {} A: service { a: ${type}; }`)
    expect(inType('int(precision: ‸)')).toEqual(['1', '2', '4', '8'])
    expect(inType('int(max: 40k, precision: ‸)')).toEqual(['4', '8'])
    expect(inType('float(precision: ‸)')).toEqual(['4', '8'])
    expect(inType('int(1000, 1, ‸)')).toEqual(['precision:', '2', '4', '8'])
  })

  it('are offered while the bracket is open', () => {
    expect(labels('P: project {} A: service {\n  a: int(‸\n  b: string;\n}')).toEqual([
      'max:',
      'min:',
      'precision:',
    ])
    expect(labels('P: project {} A: service {\n  a: int(\n    min: 0,\n    ‸\n  );\n}')).toEqual([
      'max:',
      'precision:',
    ])
  })
})

describe('values of metadata', () => {
  const inService = (metadata: string) =>
    labels(`P: project { #authMethod(email); } U: service { #auth; } A: service { ${metadata} }`)

  it('are the ones that it supports', () => {
    expect(inService('#readable(‸);')).toEqual(['by: this', 'by: all'])
    expect(inService('#readable(by: ‸);')).toEqual(['this', 'all'])
    expect(inService('#readable(by: a‸ll);')).toEqual(['this', 'all'])
    expect(inService('#language(‸);')).toEqual(['typescript', 'go', 'language:'])
    expect(inService('#language(‸')).toEqual(['typescript', 'go', 'language:'])
    expect(inService('#auth(‸)')).toEqual([])
    expect(labels('P: project { #authMethod(‸); } U: service { #auth; }')).toEqual(['email', 'method:'])
    expect(labels('P: project { #provider(‸); } U: service { }')).toEqual([
      'dockerCompose',
      'kube',
      'provider:',
    ])
  })

  it('are those of the option of a project', () => {
    const inProject = (metadata: string) => labels(`P: project { ${metadata} } A: service {}`)
    expect(inProject('#database(‸);')).toEqual(['postgres', 'server:'])
    expect(inProject('#database(postgres, ‸);')).toEqual(['server:'])
    expect(inProject('#database(postgres, server: ‸);')).toEqual(['dedicated', 'shared'])
    expect(inService('#database(‸);')).toEqual(['postgres'])
    expect(inService('#database(postgres, ‸);')).toEqual([])
  })

  it('are valid', () => {
    expect(inService('#writable(by: ‸);')).toEqual(['this'])
    expect(inService('#readable(by: all); #writable(by: ‸);')).toEqual(['this', 'all'])
    expect(labels('P: project {} A: service { #readable(by: ‸); }')).toEqual(['all'])
  })

  it('are attributes that clients can filter and sort by', () => {
    const attributes =
      'beds: int; name: string(80); total: int; title: string; photo: data; pin: int @server;'
    const inLists = (metadata: string) => inService(`${attributes} ${metadata}`)
    expect(inLists('#enumerable(‸)')).toEqual(['filter:', 'sort:'])
    expect(inLists('#enumerable(filter: [beds], ‸)')).toEqual(['sort:'])
    expect(inLists('#enumerable(filter: [‸])')).toEqual(['beds', 'name'])
    expect(inLists('#enumerable(filter: ‸)')).toEqual(['[beds]', '[name]'])
    expect(inLists('#enumerable(filter: [beds], sort: to‸')).toEqual(['[beds]', '[name]', '[total]'])
    expect(inLists('#enumerable(filter: [beds], sort: [beds, ‸])')).toEqual(['name', 'total'])
  })

  it('are listed once', () => {
    expect(inService('#omit[‸];')).toEqual(['create', 'read', 'update', 'delete'])
    expect(inService('#omit[delete, ‸];')).toEqual(['create', 'read', 'update'])
    expect(inService('#omit[‸, delete];')).toEqual(['create', 'read', 'update'])
    expect(inService('#omit[del‸];')).toEqual(['create', 'read', 'update', 'delete'])
    expect(inService('#auth; #omit[‸];')).toEqual(['create', 'read', 'update', 'delete', 'identify'])
    expect(inService('#language[‸]')).toEqual([])
    expect(inService('#omit(‸')).toEqual(['[create]', '[read]', '[update]', '[delete]'])
    expect(inService('#uses(‸);')).toEqual(['[U]', '[Auth]'])
  })

  it('are roles of the project', () => {
    const withRoles = (metadata: string) =>
      labels(
        `P: project { #authMethod(email); #roles[agent, admin]; } U: service { #auth; } A: service { ${metadata} }`,
      )
    expect(withRoles('#writable(by: agent); #readable(by: ‸);')).toEqual(['this', 'all', 'agent', 'admin'])
    expect(withRoles('#readable(by: [this, ‸]);')).toEqual(['agent', 'admin'])
    expect(withRoles('#readable[agent, ‸];')).toEqual(['this', 'admin'])
    expect(withRoles('#readable(by: [‸]); #writable(by: [this, agent]);')).toEqual(['this', 'agent', 'admin'])
    // The other list comes next.
    for (const open of ['#writable(by: ‸', '#readable(by: ‸', '#writable[this, ‸', '#readable[this, ‸'])
      expect(withRoles(open)).toEqual(expect.arrayContaining(['agent', 'admin']))
  })

  it('are other services', () => {
    expect(inService('#uses[‸];')).toEqual(['U', 'Auth'])
    expect(inService('#uses[U, ‸];')).toEqual(['Auth'])
  })

  it('are services in the project, and without authentication', () => {
    expect(
      labels('P: project { #authMethod(email); #uses[‸]; } U: service { #auth; } A: service {}'),
    ).toEqual(['U', 'A'])
    expect(labels('P: project {} U: service {} A: service { #uses[‸]; }')).toEqual(['U'])
  })
})

describe('unfinished text', () => {
  it('is completed if brackets and braces are not closed', () => {
    expect(labels('P: project {}\nHome: service {\n  name: ‸')).toEqual([...TYPES, 'Home?'])
    expect(labels('P: project {}\nHome: service {\n  #omit[delete, ‸')).toEqual(['create', 'read', 'update'])
    expect(labels('P: project {}\nHome: service {\n  a: int(max: 5,\n  ‸\n')).toEqual(['min:', 'precision:'])
    expect(labels('P: project {}\nHome: service {\n  Photo: struct {\n    #‸\n')).toEqual([
      '#enumerable',
      '#omit',
      '#timestamps',
      '#versioned',
      '#versioned(...)',
      '#was',
    ])
  })

  it('does not prevent completion on the next line', () => {
    const marked = 'P: project {}\nHome: service {\n  foo bar baz\n  ‸\n}'
    expect(labels(marked)).toContain('attribute')
    expect(accepting(marked, '#enumerable')).toContain('foo bar baz\n  #enumerable;')
  })

  it('is completed next to other mistakes', () => {
    expect(labels('P: project {}\nHome: service {\n  a = int;\n  b: ‸\n  c string;\n}')).toEqual([
      ...TYPES,
      'Home?',
    ])
    expect(labels('P: project {}\nHome: servce {\n}\nHost: service {\n  a: ‸;\n}')).toEqual([
      ...TYPES,
      'Host?',
    ])
    expect(labels('}\nP: project {}\nHost: service {\n  #readable(‸);\n}')).toEqual(['by: all'])
  })
})

describe('the first definition', () => {
  it('is offered as a whole in an empty file', () => {
    expect(accepting('‸', 'definition')).toBe(
      'MyProject: project {}\n\nItem: service {\n  name: string;\n  #enumerable;\n}',
    )
    expect(accepting('// Rooms to rent.\n\ndef‸', 'definition')).toContain('// Rooms to rent.\n\nMyProject')
    expect(checkText(accepting('‸', 'definition')).diagnostics).toEqual([])
  })
})
