import { describe, expect, test } from 'vitest'
import { expectDiagnostics, expectInService } from '../../host.ts'

function expectInProject(
  metadata: string,
  ...codes: Parameters<typeof expectDiagnostics>[1][]
): ReturnType<typeof expectDiagnostics> {
  return expectDiagnostics(`P: project { ${metadata} }\nS: service {}`, ...codes)
}

function authenticated(project: string, user: string, other = ''): string {
  return `P: project {\n#authMethod(email); ${project}\n}\nUser: service {\n#auth; ${user}\n}\nHome: service {\n${other}\n}`
}

describe('metadata', () => {
  test('unknown, with the nearest one that the block supports', () => {
    const found = expectDiagnostics(
      'P: project { #«lang»(go); #«providr»(kube); }\nS: service { #«Auth»; #«omits»[delete]; T: struct { #«auht»; } }',
      ...Array<'unknown-metadata'>(5).fill('unknown-metadata'),
    )
    expect(found.map(({ data }) => data?.replacement)).toEqual([
      undefined,
      'provider',
      'auth',
      'omit',
      undefined,
    ])
    expect(found[4]?.help).toBe(
      'structs support `#enumerable`, `#omit`, `#timestamps`, `#versioned`, `#unique` and `#was`',
    )
  })
  test('in a block that does not support it', () => {
    expectDiagnostics(
      'P: project { #«auth»; #«omit»[delete]; }\nS: service { #«provider»(kube); T: struct { #«language»(go); #«uses»[S]; } }\n#«enumerable»;',
      ...Array<'misplaced-metadata'>(6).fill('misplaced-metadata'),
    )
  })
  test('a struct inherits access', () => {
    const found = expectInService(
      'T: struct { #«readable»(by: all); #«writable»(all); }',
      'misplaced-metadata',
      'misplaced-metadata',
    )
    expect(found[0]?.help).toBe('a struct inherits the access of its service')
  })
  test('duplicate: each later one', () => {
    const found = expectInService(
      '#enumerable;\n#«enumerable»;\n#omit[delete];\n#«omit»[delete];',
      'duplicate-metadata',
      'duplicate-metadata',
    )
    expect(found.map(({ related }) => related[0]?.range.start.line)).toEqual([4, 6])
  })
  test('without its value', () => {
    expectDiagnostics(
      'P: project { #«language»; #«provider»(); }\nS: service { #«omit»; #«uses»(); }',
      ...Array<'missing-value'>(4).fill('missing-value'),
    )
    const [found] = expectDiagnostics(
      'P: project { #authMethod(email); }\nS: service { #auth; #«public»; }',
      'missing-value',
    )
    expect(found?.help).toBe('for example `#public[webhook]`')
  })
  test('with an invalid value', () => {
    const found = expectDiagnostics(
      'P: project { #language(«rust»); #provider(«kubernets»); #database(«mysql»); }\nS: service { #omit[delete, «remove», «list»]; #readable(by: «nobody»); }',
      ...Array<'unknown-value'>(6).fill('unknown-value'),
    )
    expect(found.map(({ data }) => data?.replacement)).toEqual([
      undefined,
      'kubernetes',
      undefined,
      'delete',
      undefined,
      undefined,
    ])
    expectDiagnostics('P: project { #authMethod(«sms»); }\nS: service { #auth; }', 'unknown-value')
  })
  test('values of the wrong kind', () => {
    expectInProject('#language(«1»);', 'wrong-argument-kind')
    expectInProject('#language«[go]»;', 'wrong-argument-kind')
    expectInProject('#language(«[go]»);', 'wrong-argument-kind')
    const [found] = expectInService('#omit«(create, delete)»;', 'wrong-argument-kind')
    expect(found?.data?.replacement).toBe('[create, delete]')
    expectInService('#omit[«1»];', 'wrong-argument-kind')
    expectInService('#omit(«5»);', 'wrong-argument-kind')
  })
  test('arguments', () => {
    expectInProject('#language(«lang»: go);', 'unknown-argument')
    expectInProject('#language(go, «kube»);', 'surplus-argument')
    expectInService(
      '#enumerable(«all»); T: struct { #enumerable«[x]»; }',
      'wrong-argument-kind',
      'wrong-argument-kind',
    )
    expectInService('#enumerable(); T: struct { a: int; #enumerable() }')
  })
  test('named and positional, aliases, lists with and without parentheses, trailing commas', () => {
    expectInProject('#language(language: go); #provider(k8s);')
    expectInProject('#provider(provider: kubernetes);')
    expectInService(
      '#omit([create, delete,]); T: struct { #omit[update,]; } U: struct { #omit(endpoints: [read]); }',
    )
    expectDiagnostics(authenticated('#readable(by: all);', '#readable(all);'))
  })
  test('metrics', () => {
    expectInProject('#metrics(prometheus);')
    expectInProject('#metrics(«statsd»);', 'unknown-value')
  })
})

describe('the server of databases', () => {
  test('is dedicated or shared, and set by name in the project', () => {
    expectInProject('#database(postgres, server: shared);')
    expectInProject('#database(server: shared);')
    const [unknown] = expectInProject('#database(postgres, server: «shard»);', 'unknown-value')
    expect(unknown?.data?.replacement).toBe('shared')
    const [unnamed] = expectInProject('#database(postgres, «shared»);', 'unnamed-argument')
    expect([unnamed?.message, unnamed?.help]).toEqual([
      '`#database` takes `server` by name',
      'use `server: shared`',
    ])
    expectInProject('#database(postgres, «host»: shared);', 'unknown-argument')
    expectInProject('#database(postgres, server: «[shared]»);', 'wrong-argument-kind')
  })
  test('is that of the whole platform', () => {
    for (const server of ['shared', 'dedicated', 'own'])
      expectInService(`#database(postgres, «server: ${server}»);`, 'misplaced-argument')
  })
  test('is redundant if it is the default', () => {
    expectInProject('«#database(postgres, server: dedicated)»;', 'redundant-metadata')
    expectInProject('«#database(server: dedicated)»;', 'redundant-metadata')
  })
  test('has the host `postgres` if it is shared', () => {
    const named = (service: string, server: string) =>
      `P: project { #database(server: ${server}); } ${service}`
    expectDiagnostics(
      named('Postgres: service {}', 'dedicated').replace(/#database.*?\)/, '«$&»'),
      'redundant-metadata',
    )
    expectDiagnostics(named('«Postgres»: service {}', 'shared'), 'reserved-service-name')
    expectDiagnostics(named('«Pg»: service { #was(Postgres); }', 'shared'), 'reserved-service-name')
  })
})

describe('redundant metadata', () => {
  test('in a project without authentication', () => {
    expectInProject(
      '«#language(ts)»; «#database(postgres)»; «#provider(dc)»; «#readable(by: all)»; «#writable(all)»;',
      ...Array<'redundant-metadata'>(5).fill('redundant-metadata'),
    )
  })
  test('a service repeats the project', () => {
    expectDiagnostics(
      authenticated(
        '#language(go); #readable(by: all);',
        '«#readable(by: this)»;',
        '«#language(go)»; «#database(postgres)»; «#readable(by: all)»; «#writable(by: this)»;',
      ),
      ...Array<'redundant-metadata'>(5).fill('redundant-metadata'),
    )
    expectDiagnostics(
      authenticated(
        '#language(go); #readable(by: all);',
        '#readable(by: all);',
        '#language(typescript); #readable(by: this);',
      ),
    )
  })
  test('with authentication it is `this`', () => {
    expectDiagnostics(
      authenticated('«#readable(by: this)»; «#writable(by: this)»;', ''),
      'redundant-metadata',
      'redundant-metadata',
    )
  })
  test('an empty list', () => {
    expectInService('«#omit[]»; «#uses[]»;', 'redundant-metadata', 'redundant-metadata')
  })
})

describe('authentication', () => {
  test('`#auth` without `#authMethod` is one mistake, with everything that depends on it', () => {
    const [found] = expectDiagnostics(
      'P: project {}\nA: service {\n#«auth»;\n#readable(by: this);\n}\nB: service {\n#auth;\n#enumerable;\n}',
      'auth-without-method',
    )
    expect(found?.related).toHaveLength(1)
  })
  test('a misspelled `#authMethod` or `#auth` is one mistake, with everything that depends on it', () => {
    expectDiagnostics(
      'P: project { #«authMethd»(email); #readable(by: all); }\nA: service { #auth; #readable(by: this); }',
      'unknown-metadata',
    )
    expectDiagnostics(
      'P: project { #«authMethd»(email); }\nA: service { #readable(by: this); }',
      'unknown-metadata',
    )
    expectDiagnostics(
      'P: project { #authMethod(email); }\nA: service { #«auht»; #readable(by: this); }',
      'unknown-metadata',
    )
    expectDiagnostics('P: project { #authMethod(email); }\nA: «servce» { #auth; }', 'unknown-block-kind')
  })
  test('defaults that depend on invalid metadata are uncertain', () => {
    expectDiagnostics(
      'P: project { #authMethod(email); #readable(by: «al»); }\nA: service { #auth; }\nB: service { #readable(by: this); }',
      'unknown-value',
    )
    expectDiagnostics(
      'P: project { #«languag»(go); }\nB: service { #language(typescript); }',
      'unknown-metadata',
    )
    expectDiagnostics('«»B: service { #readable(by: all); }', 'missing-project')
    expectInService('#readable(by: all); #«readable»(by: all);', 'duplicate-metadata')
  })
  test('`#authMethod` without `#auth`', () => {
    expectInProject('#«authMethod»(email);', 'method-without-auth')
    expectDiagnostics('«P»: project { #authMethod(email); }', 'missing-service')
  })
  test('`by: this` without authentication', () => {
    expectDiagnostics(
      'P: project { #readable(by: «this»); }\nS: service { #writable(«this»); }',
      'this-without-authentication',
      'this-without-authentication',
    )
  })
  test('without a project block, only that is reported', () => {
    expectDiagnostics('«»S: service { #auth; #readable(by: this); }', 'missing-project')
  })
})

describe('access', () => {
  test('writing without reading: where it is reported', () => {
    const found = expectDiagnostics(authenticated('#writable(by: «all»);', ''), 'writable-but-not-readable')
    expect(found[0]?.related).toEqual([])
    expectDiagnostics(
      authenticated('', '#writable(«all»);', '#writable(by: «all»);'),
      'writable-but-not-readable',
      'writable-but-not-readable',
    )
    expectDiagnostics(
      authenticated('#readable(by: all);', '', '#readable(by: this); #writable(by: «all»);'),
      'writable-but-not-readable',
    )
  })
  test('a service that restricts only reading', () => {
    const [found] = expectDiagnostics(
      authenticated('#readable(by: all); #writable(by: all);', '', '#readable(by: «this»);'),
      'writable-but-not-readable',
    )
    expect(found?.related[0]?.range.start.line).toBe(2)
  })
  test('valid combinations', () => {
    expectDiagnostics(authenticated('#readable(by: all); #writable(by: all);', ''))
    expectDiagnostics(
      authenticated(
        '#readable(by: all); #writable(by: all);',
        '',
        '#readable(by: this); #writable(by: this);',
      ),
    )
    expectDiagnostics(authenticated('', '#readable(by: all); #writable(by: all);', '#readable(by: all);'))
  })
})

describe('versions', () => {
  test('with and without their parameter', () => {
    for (const text of ['#versioned;', '#versioned();', '#versioned(required: true);', '#versioned(false);'])
      expectInService(`${text} T: struct { ${text} }`)
    expectInProject('#«versioned»;', 'misplaced-metadata')
  })
  test('invalid values', () => {
    expectInService('#versioned(required: «yes»);', 'unknown-value')
    expectInService('#versioned(«maybe»: true);', 'unknown-argument')
    const [list] = expectInService('#versioned«[true]»;', 'wrong-argument-kind')
    expect(list?.help).toBe('use `#versioned(required: true)`')
  })
  test('that no response has, or no request needs', () => {
    const code = 'versioned-without-effect'
    expectInService('#«versioned»; #omit[create, read, update];', code)
    expectInService('#«versioned»(required: true); #omit[update, delete];', code)
    expectInService('#versioned; #omit[update, delete];')
    expectInService('T: struct { #«versioned»; #omit[create, read, update]; }', code)
  })
})

describe('keys', () => {
  test('are for creates of a service or its structs', () => {
    expectInService('#idempotent;')
    expectInService('#idempotent; #omit[create]; T: struct { }')
    expectInService('#«idempotent»; #omit[create]; T: struct { #omit[create]; }', 'idempotent-without-create')
    expectInService('T: struct { #«idempotent»; }', 'misplaced-metadata')
  })
})

describe('endpoints', () => {
  test('`identify` is omitted where it does not exist', () => {
    expectInService(
      '#omit[«identify»]; T: struct { #omit[delete, «identify»]; }',
      'omit-identify-without-auth',
      'omit-identify-without-auth',
    )
    expectDiagnostics(authenticated('', '#omit[identify, delete];'))
  })
  test('duplicate values', () => {
    const [found] = expectInService('#omit[delete, update, «delete»];', 'duplicate-value')
    expect(found?.severity).toBe('warning')
    expectInService('#uses[Host, «Host»];', 'duplicate-value')
  })
  test('all are omitted', () => {
    expectInService(
      '#«omit»[create, read, update, delete]; T: struct { #«omit»[create, read, update, delete]; }',
      'no-endpoints',
      'no-endpoints',
    )
    expectInService('#omit[create, read, update, delete]; #enumerable;')
    expectDiagnostics(authenticated('', '#omit[create, read, update, delete];'))
    expectDiagnostics(authenticated('', '#«omit»[create, read, update, delete, identify];'), 'no-endpoints')
  })
  test('a list of one entity', () => {
    expectDiagnostics(authenticated('', '#«enumerable»;', '#enumerable;'), 'enumerable-shows-one')
    expectDiagnostics(authenticated('#readable(by: all);', '#«enumerable»;'), 'enumerable-shows-one')
    expectDiagnostics(authenticated('', '#enumerable; #readable(by: all);'))
  })
  test('the authentication service, which exists with authentication', () => {
    const used = (inProject: string, inService: string) =>
      `P: project { ${inProject} }\nUser: service { #auth; }\nHome: service { ${inService} }`
    expectDiagnostics(used('#authMethod(email); #uses[User, Home];', '#uses[Auth, User];'))
    expectDiagnostics(used('#authMethod(email); #uses[User, «Auth»];', ''), 'unknown-service')
    expectDiagnostics(used('#authMethod(email); #uses[User, «User»];', ''), 'duplicate-value')
    expectDiagnostics(
      used('#authMethod(email); #uses[«Usre»];', '#uses[Auth, «Auth»];'),
      ...(['unknown-service', 'duplicate-value'] as const),
    )
    const [misspelled] = expectDiagnostics(used('#authMethod(email);', '#uses[«Atuh»];'), 'unknown-service')
    expect(misspelled?.data?.replacement).toBe('Auth')
    // The method is missing, which is reported once.
    expectDiagnostics(
      used('#uses[User];', '#uses[Auth];').replace('#auth;', '#«auth»;'),
      'auth-without-method',
    )
    expectDiagnostics('P: project { #«uses»[Home]; }\nHome: service {}', 'uses-without-authentication')
    expectInService('#uses[Host, «Auth»];', 'uses-without-authentication')
    // Without authentication, it is a name like others.
    expectDiagnostics('P: project {}\nAuth: service {}\nHome: service { auth: Auth; #uses[Auth]; }')
    expectDiagnostics(
      'P: project { #authMethod(email); }\n«Auth»: service { #auth; }\nHome: service { #uses[Auth]; }',
      'reserved-service-name',
    )
  })
  test('services that it uses', () => {
    const found = expectInService(
      '#uses[Host, «Hots», «T», «P»]; T: struct {}',
      ...Array<'unknown-service'>(3).fill('unknown-service'),
    )
    expect(found.map(({ message }) => message)).toEqual([
      'Unknown service `Hots`',
      '`T` is a struct, not a service',
      '`P` is a project, not a service',
    ])
  })
})
