import { describe, expect, test } from 'vitest'
import { expectDiagnostics } from '../../host.ts'

/** A service with attributes of several types, and the given members. */
function service(members: string): string {
  return `P: project {}
Host: service {}
Home: service {
  name: string(80); city: string(80)?; host: Host; image: data; bio: string; pin: string(4) @client;
  secret: int @server; long: string(520); code: string(1);
  ${members}
}`
}

describe('#unique', () => {
  test('lists attributes that an index can hold', () => {
    expectDiagnostics(
      service('#unique[name, city]; #unique[host, name, secret]; #unique(attributes: [name, host]);'),
    )
    expectDiagnostics(service('#unique[name, long];'))
    expectDiagnostics(service('Room: struct { size: int; #unique[parent, size]; }'))
    expectDiagnostics(service('Room: struct { parent: int; size: int; #unique[parent, size]; }'))
  })
  test('unknown attributes, also `parent` outside of a struct', () => {
    const found = expectDiagnostics(
      service(
        '#unique[«nam», city]; #unique[«parent», name]; Room: struct { size: int; #unique[«name», «paren»]; }',
      ),
      'unknown-attribute',
      'unknown-attribute',
      'unknown-attribute',
      'unknown-attribute',
    )
    expect(found.map(({ help }) => help)).toEqual([
      'did you mean `name`?',
      'only attributes of `Home` can be listed',
      'only attributes of `Room` can be listed',
      'did you mean `parent`?',
    ])
  })
  test('`parent` in a block that may be meant as a struct', () => {
    expectDiagnostics(service('Room: «strct» { size: int; #unique[parent, size]; }'), 'unknown-block-kind')
  })
  test('attributes that cannot be compared, are not stored, or are too long', () => {
    expectDiagnostics(
      service('#unique[name, «image»]; #unique[name, «pin»]; #unique[name, «bio»];'),
      'not-comparable',
      'unique-client',
      'not-indexable',
    )
    const [found] = expectDiagnostics(service('#unique«[name, long, code]»;'), 'not-indexable')
    expect(found?.message).toBe('These strings can have up to 601 characters in total')
  })
  test('an attribute twice, and too few', () => {
    expectDiagnostics(service('#unique[name, city, «name»];'), 'repeated-attribute')
    expectDiagnostics(
      service('Room: struct { size: int; #unique[parent, size, «parent»]; }'),
      'repeated-attribute',
    )
    const found = expectDiagnostics(
      service('#unique«[name]»; #unique«[]»; Room: struct { #unique«[parent]»; }'),
      'too-few-attributes',
      'too-few-attributes',
      'too-few-attributes',
    )
    expect(found.map(({ help }) => help)).toEqual([
      'annotate a single attribute with `@unique`',
      'list the attributes whose combination is unique',
      'list the attributes whose combination is unique',
    ])
  })
  test('the same combination twice, in any order', () => {
    expectDiagnostics(
      service('#unique[name, city]; «#unique[city, name]»; #unique[name, host];'),
      'duplicate-combination',
    )
  })
  test('without a list', () => {
    expectDiagnostics(service('#«unique»;'), 'missing-value')
    expectDiagnostics(service('#unique«(name, city)»;'), 'wrong-argument-kind')
  })
})

describe('#timestamps', () => {
  test('adds attributes, so that no other can have their names', () => {
    expectDiagnostics(service('#timestamps; Room: struct { createdAt: datetime; #enumerable; }'))
    expectDiagnostics(
      service('«createdAt»: date; #timestamps; Room: struct { #timestamps; «updatedAt»: int; }'),
      'implicit-timestamp',
      'implicit-timestamp',
    )
  })
  test('takes no value, and only once', () => {
    expectDiagnostics(service('#timestamps«(all)»;'), 'surplus-argument')
    expectDiagnostics(service('#timestamps; #«timestamps»;'), 'duplicate-metadata')
  })
})
