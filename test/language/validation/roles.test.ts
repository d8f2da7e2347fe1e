import { describe, expect, test } from 'vitest'
import { expectDiagnostics } from '../../host.ts'

const withRoles = (home: string, roles = 'agent, admin') =>
  `P: project {\n#authMethod(email); #roles[${roles}];\n}\nUser: service {\n#auth;\n}\nHome: service {\n${home}\n}`

describe('#roles', () => {
  test('requires authentication', () => {
    expectDiagnostics('P: project { #«roles»[agent]; }\nS: service {}', 'roles-without-authentication')
  })
  test('takes names of attributes, other than those of `by:`', () => {
    expectDiagnostics(
      withRoles('', 'agent, «this», «all», «Agent», «my-role»'),
      'reserved-role',
      'reserved-role',
      'invalid-role-name',
      'invalid-role-name',
    )
  })
  test('takes each role once', () => {
    expectDiagnostics(withRoles('', 'agent, «agent»'), 'duplicate-value')
  })
})

describe('callers', () => {
  test.each([
    '#readable(by: [this, agent]);',
    '#readable[this, agent,];',
    '#readable([this, agent]); #writable(agent);',
    '#readable(by: [agent, admin]); #writable(by: admin);',
    '#readable(by: all); #writable[this, admin];',
  ])('%s is valid', (home) => {
    expectDiagnostics(withRoles(home))
  })
  test('are known roles, with the nearest one', () => {
    const [found] = expectDiagnostics(withRoles('#readable(by: [this, «agnet»]);'), 'unknown-role')
    expect(found?.help).toBe('did you mean `agent`?')
  })
  test('are unknown where the list of roles is empty', () => {
    const platform = (roles: string) =>
      `P: project { #authMethod(email); ${roles}; }\nUser: service { #auth; #readable(by: [«agent»]); }`
    expectDiagnostics(platform('«#roles[]»'), 'redundant-metadata', 'unknown-value')
    expectDiagnostics(platform('#roles([])'), 'unknown-value')
    expectDiagnostics(platform('#roles(roles: [])'), 'unknown-value')
  })
  test('are `this` and `all` in a project without roles', () => {
    expectDiagnostics(
      'P: project { #authMethod(email); }\nU: service { #auth; #readable(by: [this, «agent»]); }',
      'unknown-value',
    )
  })
  test('are known if `#roles` is only in the wrong place', () => {
    expectDiagnostics(
      'P: project { #authMethod(email); }\nU: service { #auth; #«roles»[agent]; #readable(by: [this, agent]); }',
      'misplaced-metadata',
    )
  })
  test('are not `all` in a list', () => {
    expectDiagnostics(withRoles('#readable(by: [agent, «all»]);'), 'all-in-list')
  })
  test('are a list if there are several', () => {
    for (const home of ['#readable«(this, agent)»;', '#readable«(by: this, agent)»;']) {
      const [found] = expectDiagnostics(withRoles(home), 'wrong-argument-kind')
      expect(found?.help).toBe('use `#readable[this, agent]`')
    }
  })
  test('that are wrong are reported once, whatever they repeat or narrow', () => {
    expectDiagnostics(withRoles('#readable(by: agent); #writable(by: «this»);'), 'writable-but-not-readable')
    expectDiagnostics(
      'P: project { #authMethod(email); #roles[agent]; }\nU: service { #auth; #enumerable; #readable(by: «agnet»); }',
      'unknown-role',
    )
  })
  test('are not empty', () => {
    expectDiagnostics(withRoles('#«readable»(by: []); #«writable»[];'), 'missing-value', 'missing-value')
  })
  test('can read where they can write', () => {
    const cases = [
      [
        '#readable(by: «agent»);',
        'add `#writable(by: agent);` to this service, or use `#readable(by: [this, agent]);`',
      ],
      [
        '#writable(by: «[this, agent]»);',
        'add `#readable(by: [this, agent]);`, or use `#writable(by: this);`',
      ],
      [
        '#readable(by: [this, agent]); #writable(by: «[agent, admin]»);',
        'use `#readable(by: [this, agent, admin]);`, or use `#writable(by: agent);`',
      ],
      [
        '#readable(by: agent); #writable(by: «admin»);',
        'use `#readable(by: [agent, admin]);`, or use `#writable(by: agent);`',
      ],
    ] as const
    for (const [home, help] of cases)
      expect(expectDiagnostics(withRoles(home), 'writable-but-not-readable')[0]?.help).toBe(help)
  })
  test('come from the project, but do not widen a service with `#auth`', () => {
    expectDiagnostics(
      'P: project { #authMethod(email); #roles[agent]; #readable(by: [this, agent]); #writable(by: [this, agent]); }\nU: service { #auth; }\nS: service {}',
    )
  })
})

describe('#public', () => {
  test('takes segments that no generated path has', () => {
    expectDiagnostics(
      withRoles(
        '#public[webhook, «all», «read», «photo», «aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee», «naïve»];\nPhoto: struct { n: int; }',
      ),
      'public-path-in-use',
      'public-path-in-use',
      'public-path-in-use',
      'public-path-in-use',
      'invalid-path-segment',
    )
  })
})
