import { describe, expect, test } from 'vitest'
import { expectDiagnostics } from '../../host.ts'

const REST = '\nP: project {}\nS: service {}\n'

describe('required blocks', () => {
  test('both are missing in an empty text', () => {
    expectDiagnostics('«»«»', 'missing-project', 'missing-service')
  })
  test('any order is valid, and so is `;` after a block', () => {
    expectDiagnostics('S: service {};\n;P: project {};')
  })
  test('every project except the first, related to the first', () => {
    const found = expectDiagnostics(
      'P: project {}\nS: service {}\n«Q»: project {}\n«P»: project {}',
      'second-project',
      'second-project',
    )
    expect(found[0]?.related[0]?.range.start.line).toBe(1)
  })
  test('a misspelled kind is not also a missing block, and its name can be referred to', () => {
    expectDiagnostics(
      'P: «projct» {}\nHome: «servise» {}\nHost: service { home: Home; }',
      'unknown-block-kind',
      'unknown-block-kind',
    )
    expectDiagnostics('P: project {}\nHome: «servce» { a: int; }', 'unknown-block-kind')
  })
  test('the incomplete head of a block is one mistake', () => {
    for (const [written, kind] of [
      ['s', 'service {}'],
      ['servce', 'service {}'],
      ['Service', 'service {}'],
      ['nonsense', undefined],
    ] as const) {
      for (const end of ['', ';', '\n', '\nB: service {}']) {
        const [found] = expectDiagnostics(
          `P: project {}\nA: service {}\nC: «${written}»${end}`,
          'unknown-block-kind',
        )
        expect(found?.data?.replacement).toBe(kind)
      }
    }
    expectDiagnostics('P: «pro»\nA: «serv»', 'unknown-block-kind', 'unknown-block-kind')
    expectDiagnostics('P: project {}\nA: service {\n T: «str»\n #enumerable;\n}', 'unknown-block-kind')
    expectDiagnostics(
      'P: project {}\nA: service {\n «T»: «odd»;\n}',
      'invalid-attribute-name',
      'unknown-type',
    )
  })
  test('an unknown kind gets a list of the kinds', () => {
    const [found] = expectDiagnostics(`A: «table» {}${REST}`, 'unknown-block-kind')
    expect(found?.help).toContain('`project`, a `service`, a `struct`, an `endpoint` or a `job`')
  })
})

describe('where blocks are allowed', () => {
  test.each([
    ['a struct at the top', `«T»: struct {}${REST}`],
    ['a struct in a struct', `A: service { T: struct { «U»: struct {} } }${REST}`],
    ['a struct in a project', 'P: project { «T»: struct {} } S: service {}'],
    ['a service in a service', `A: service { «B»: service {} }${REST}`],
    ['a service in a project', 'P: project { «B»: service {} } S: service {}'],
    ['a project in a service', 'S: service { «P»: project {} }'],
  ])('%s', (_, text) => {
    expectDiagnostics(text, 'misplaced-block')
  })
  test('the content of a misplaced block is checked, and its name can be referred to', () => {
    expectDiagnostics(
      `A: service { «B»: service { x: «in»; } }\nC: service { b: B; }${REST}`,
      'misplaced-block',
      'unknown-type',
    )
  })
  test('an attribute outside any block and in a project', () => {
    expectDiagnostics(
      'P: project { «a»: int; }\n«b»: int;\nS: service {}',
      'misplaced-attribute',
      'misplaced-attribute',
    )
  })
})

describe('names of blocks', () => {
  test.each(['«home»', '«Home_Owner»', '«HomeÖ»', '«$Home»', '«Home-Owner»', '«_H»'])('%s', (name) => {
    expectDiagnostics(`${name}: service {}${REST}`, 'invalid-block-name')
  })
  test.each([
    ['home_owner', 'HomeOwner'],
    ['home', 'Home'],
    ['home-owner2', 'HomeOwner2'],
  ])('%s: `%s` is suggested', (name, suggestion) => {
    const [found] = expectDiagnostics(`«${name}»: service {}${REST}`, 'invalid-block-name')
    expect(found?.data?.replacement).toBe(suggestion)
  })
  test('unique in the whole file, including the project and structs of different services', () => {
    const found = expectDiagnostics(
      'P: project {}\nA: service { T: struct {} }\nB: service { «T»: struct {} «A»: struct {} }\n«P»: service {}\n«B»: service {}',
      'duplicate-block',
      'duplicate-block',
      'duplicate-block',
      'duplicate-block',
    )
    expect(found.map(({ related }) => related[0]?.range.start.line)).toEqual([2, 2, 1, 3])
  })
  test('unique in the output', () => {
    expectDiagnostics(
      'P: project {}\nHTTPProxy: service { «HttpProxy»: struct {} }\nHome: service {}\n«HOME»: service {}',
      'block-name-collision',
      'block-name-collision',
    )
  })
  test('a name of 63 bytes in the output is not too long, one of 64 is', () => {
    expectDiagnostics(`A: service { A${'a'.repeat(62)}: struct {} }${REST}`)
    expectDiagnostics(`A: service { «A${'a'.repeat(63)}»: struct {} }${REST}`, 'name-too-long')
    // Underscores count.
    expectDiagnostics(`A: service { «${'Aa'.repeat(22)}»: struct {} }${REST}`, 'name-too-long')
  })
  test('the host name of a database has at most 63 characters', () => {
    expectDiagnostics(`A${'a'.repeat(59)}: service {}${REST}`)
    expectDiagnostics(`«A${'a'.repeat(60)}»: service {}${REST}`, 'name-too-long')
  })
  test.each([
    'BeforeCreate',
    'AfterIdentify',
    'AfterList',
    'BEFOREDelete',
    'RequireReadable',
    'RequireWritable',
    'Unknown',
  ])('a struct %s', (name) => {
    expectDiagnostics(`A: service { «${name}»: struct {} }${REST}`, 'hook-name')
    expectDiagnostics(`${name}: service {}${REST}`)
  })
  test.each(['Api', 'API', 'Dockerfile', 'Gateway', 'Kube', 'Lib', 'Localhost', 'Prometheus', 'Grafana'])(
    'a service %s',
    (name) => {
      expectDiagnostics(`«${name}»: service {}${REST}`, 'reserved-service-name')
      expectDiagnostics(`A: service { ${name}: struct {} }${REST}`)
    },
  )
  test('the schema of another service, in either order', () => {
    expectDiagnostics(`Home: service {}\n«HomeDb»: service {}${REST}`, 'reserved-service-name')
    expectDiagnostics(`HomeDB: service {}\n«Home»: service {}${REST}`, 'reserved-service-name')
    expectDiagnostics(`HomeDb: service {}${REST}`)
  })
  test('the authentication service, if there is one', () => {
    expectDiagnostics(`Auth: service {}\nAuthDb2: service {}${REST}`)
    expectDiagnostics(
      'P: project { #authMethod(email); }\nU: service { #auth; Auth: struct {} }\n«AuthDb»: service {}',
      'reserved-service-name',
    )
    expectDiagnostics(
      'P: project { #authMethod(email); }\n«Auth»: service { #auth; }',
      'reserved-service-name',
    )
  })
})
