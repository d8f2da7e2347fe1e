import { describe, expect, it } from 'vitest'
import { plainText } from '../../../src/language/editor/completion/offer.ts'
import { offersAt } from '../../../src/language/editor/completion/offers.ts'
import { checkText } from '../../../src/language/parse.ts'
import { read } from '../../../src/language/syntax/read.ts'
import { cursorIn } from '../../lsp/harness.ts'

/** Labels of what is offered where `‸` is, in the order that it is shown. */
function labels(marked: string): string[] {
  const { text, offset } = cursorIn(marked)
  return offersAt(read(text), offset)
    .offers.toSorted((a, b) => a.rank - b.rank)
    .map(({ label }) => label)
}

/** The text after accepting what is offered under a label. */
function accepting(marked: string, label: string): string {
  const { text, offset } = cursorIn(marked)
  const offer = offersAt(read(text), offset).offers.find((candidate) => candidate.label === label)
  if (offer === undefined) throw new Error(`${label} is not offered`)
  const edits = [
    { at: offer.span.start, end: offer.span.end, text: plainText(offer.snippet) },
    ...(offer.further ?? []),
  ]
  return edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((done, { at, end = at, text: by }) => done.slice(0, at) + by + done.slice(end), text)
}

const TYPES = ['bool', 'string', 'int', 'float', 'date', 'time', 'datetime', 'data']

describe('at the top', () => {
  it('offers blocks, the project where there is none', () => {
    expect(labels('‸')).toEqual(['project', 'service'])
    expect(labels('P: project {}\n‸')).toEqual(['service'])
    expect(labels('P: project {}\nHome: service {}\nser‸')).toEqual(['service'])
  })

  it('offers kinds behind a name', () => {
    expect(labels('Home: ‸')).toEqual(['service', 'project'])
    expect(labels('P: project {}\nHome: ‸')).toEqual(['service'])
    expect(labels('P: project {}\nHome: ser‸vice {}')).toEqual(['service'])
    expect(labels('P: project {}\nHome: ‸\nHost: service {}')).toEqual(['service'])
  })

  it('capitalises the name of a block', () => {
    expect(accepting('P: project {}\nhome: ‸', 'service')).toBe('P: project {}\nHome: service {\n  \n}')
    expect(labels('P: project {}\nho_me: ‸')).toEqual([])
  })

  it('writes whole blocks with names that are free', () => {
    const text = accepting('P: project {}\nItem: service {}\n‸', 'service')
    expect(text).toBe('P: project {}\nItem: service {}\nItem2: service {\n  name: string;\n}')
    expect(checkText(text).valid).toBe(true)
  })

  it('offers nothing where a name is made up, in comments and in numbers', () => {
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
  it('offers what a project takes', () => {
    expect(labels('P: project { ‸ }')).toEqual([
      '#language',
      '#provider',
      '#authMethod',
      '#metrics',
      '#database',
      '#readable',
      '#writable',
    ])
    expect(labels('P: project { #authMethod(email); ‸ } A: service { #auth; }')).toEqual([
      '#language',
      '#provider',
      '#metrics',
      '#readable',
      '#database',
      '#writable',
    ])
  })

  it('offers what a service takes', () => {
    expect(labels('P: project {} Host: service {} Home: service { ‸ }')).toEqual([
      'attribute',
      'reference',
      'struct',
      '#language',
      '#auth',
      '#enumerable',
      '#omit',
      '#uses',
      '#database',
      '#readable',
      '#writable',
    ])
  })

  it('offers what a struct takes', () => {
    expect(labels('P: project {} Home: service { Photo: struct { ‸ } }')).toEqual([
      'attribute',
      'reference',
      '#enumerable',
      '#omit',
    ])
  })

  it('offers the name behind a hash', () => {
    expect(labels('P: project {} Home: service { Photo: struct { #‸ } }')).toEqual(['#enumerable', '#omit'])
    expect(labels('P: project {} Home: service { Photo: struct { #enumerable; #om‸ } }')).toEqual(['#omit'])
  })

  it('ends the declaration before', () => {
    expect(accepting('P: project {} Home: service {\n  name: string\n  ‸\n}', '#enumerable')).toBe(
      'P: project {} Home: service {\n  name: string;\n  #enumerable;\n}',
    )
  })

  it('writes no second semicolon', () => {
    expect(accepting('P: project {} Home: service { #en‸; }', '#enumerable')).toBe(
      'P: project {} Home: service { #enumerable; }',
    )
  })

  it('brings `#authMethod` with `#auth`', () => {
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
  it('is built in, a service or a sibling', () => {
    expect(labels('P: project {} Host: service {} Home: service { a: ‸ }')).toEqual([...TYPES, 'Host'])
    expect(
      labels('P: project {} Host: service {} Home: service { Photo: struct { a: ‸ } Tag: struct {} }'),
    ).toEqual(['Tag', ...TYPES, 'Host', 'Home'])
    expect(labels('P: project { a: ‸ }')).toEqual([])
  })

  it('closes no cycle', () => {
    const cycle = (annotation: string) =>
      labels(`P: project {} A: service { b: B; } B: service { c: C; } C: service { a: ‸ ${annotation}; }`)
    expect(cycle('')).toEqual(TYPES)
    expect(cycle('@serverSet')).toEqual([...TYPES, 'A', 'B', 'C'])
  })

  it('takes the arguments that are there', () => {
    expect(labels('P: project {} A: service { a: str‸ing(80); }')).toEqual(['string', 'int', 'float', 'data'])
    expect(labels('P: project {} A: service { a: da‸ta(5G); }')).toEqual(['string', 'float', 'data'])
    expect(labels('P: project {} A: service { a: in‸t(min: 0); }')).toEqual(['int', 'float'])
  })

  it('is a struct behind a capital letter', () => {
    expect(labels('P: project {} A: service { Photo: ‸ }')).toEqual(['struct'])
    expect(labels('P: project {} A: service { Photo: struct { Tag: ‸ } }')).toEqual([])
  })

  it('is offered where the next declaration follows', () => {
    expect(labels('P: project {} A: service { a: ‸\n  b: string; }')).toEqual(TYPES)
    expect(labels('P: project {}\nHost: service {}\nA: service {\n  a: ‸\n\nB: service {\n}')).toEqual([
      ...TYPES,
      'Host',
      'B',
    ])
  })
})

describe('an annotation', () => {
  it('is offered where it does not stand', () => {
    expect(labels('P: project {} A: service { a: string ‸; }')).toEqual([
      '@unique',
      '@server',
      '@serverSet',
      '@client',
    ])
    expect(labels('P: project {} A: service { a: string @unique @‸; }')).toEqual(['@server', '@serverSet'])
    expect(labels('P: project {} A: service { a: string @server @‸; }')).toEqual(['@unique'])
    expect(labels('P: project {} A: service { a: string @client @‸; }')).toEqual([])
    expect(labels('P: project {} A: service { a: string @‸ @client; }')).toEqual([])
  })

  it('keeps a reference from closing a cycle', () => {
    expect(labels('P: project {} A: service { a: A @‸serverSet; }')).toEqual(['@server', '@serverSet'])
  })

  it('stands behind a space', () => {
    expect(accepting('P: project {} A: service { a: string(80)‸; }', '@unique')).toContain(
      'string(80) @unique;',
    )
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

  it('are those that it takes', () => {
    expect(inService('#readable(‸);')).toEqual(['by: this', 'by: all'])
    expect(inService('#readable(by: ‸);')).toEqual(['this', 'all'])
    expect(inService('#readable(by: a‸ll);')).toEqual(['this', 'all'])
    expect(inService('#language(‸);')).toEqual(['typescript', 'go', 'language:'])
    expect(inService('#language(‸')).toEqual(['typescript', 'go', 'language:'])
    expect(inService('#enumerable(‸)')).toEqual([])
    expect(labels('P: project { #authMethod(‸); } U: service { #auth; }')).toEqual(['email', 'method:'])
    expect(labels('P: project { #provider(‸); } U: service { }')).toEqual([
      'dockerCompose',
      'kube',
      'provider:',
    ])
  })

  it('are no mistake', () => {
    expect(inService('#writable(by: ‸);')).toEqual(['this'])
    expect(inService('#readable(by: all); #writable(by: ‸);')).toEqual(['this', 'all'])
    expect(labels('P: project {} A: service { #readable(by: ‸); }')).toEqual(['all'])
  })

  it('stand in a list once', () => {
    expect(inService('#omit[‸];')).toEqual(['create', 'read', 'update', 'delete'])
    expect(inService('#omit[delete, ‸];')).toEqual(['create', 'read', 'update'])
    expect(inService('#omit[‸, delete];')).toEqual(['create', 'read', 'update'])
    expect(inService('#omit[del‸];')).toEqual(['create', 'read', 'update', 'delete'])
    expect(inService('#auth; #omit[‸];')).toEqual(['create', 'read', 'update', 'delete', 'identify'])
    expect(inService('#readable[‸]')).toEqual([])
  })

  it('are other services', () => {
    expect(inService('#uses[‸];')).toEqual(['U'])
    expect(inService('#uses[U, ‸];')).toEqual([])
  })
})
