import { expect, test } from 'vitest'
import { expectInService } from '../../host.ts'

const ATTRIBUTES = 'status: string(600); beds: int; open: bool; owner: Host; at: datetime @serverSet;'

test('lists of attributes that clients see, each once', () => {
  expectInService(`${ATTRIBUTES} #enumerable(filter: [status, beds, open, owner, at], sort: [at, status,],);`)
  expectInService(`${ATTRIBUTES} #enumerable([beds], [beds]);`)
  expectInService('#enumerable(filter: [], sort: []);')
  expectInService('limit: int; #enumerable(sort: [limit]);')
  expectInService(`T: struct { a: int; #enumerable(filter: [a]); }`)
})

test('what a list cannot contain', () => {
  const [unknown] = expectInService(`${ATTRIBUTES} #enumerable(filter: [«statsu»]);`, 'unknown-attribute')
  expect(unknown?.data?.replacement).toBe('status')
  expectInService(`T: struct { a: int; #enumerable(filter: [«beds»]); } beds: int;`, 'unknown-attribute')
  expectInService(
    '#enumerable(filter: [«Home», «5», «[a]», «id»]);',
    ...Array<'unknown-attribute'>(4).fill('unknown-attribute'),
  )
  const [repeated] = expectInService(`${ATTRIBUTES} #enumerable(sort: [beds, «beds»]);`, 'repeated-attribute')
  expect(repeated?.related).toHaveLength(1)
  expectInService(
    'a: int @server; b: int @client; #enumerable(sort: [«a»], filter: [«b»]);',
    'hidden-attribute',
    'hidden-attribute',
  )
  expectInService('a: data; #enumerable(sort: [«a»]);', 'not-comparable')
  expectInService(
    'a: string; b: string(601); #enumerable(sort: [«a»], filter: [«b»]);',
    'not-indexable',
    'not-indexable',
  )
  expectInService(
    'limit: int; after: int; sort: int; total: int; #enumerable(filter: [«limit», «after», «sort», «total»]);',
    ...Array<'reserved-parameter'>(4).fill('reserved-parameter'),
  )
  expectInService('constructor: int; toString: int; #enumerable(sort: [constructor, toString]);')
  expectInService(
    'constructor: int; toString: int; #enumerable(filter: [«constructor», «toString»]);',
    'reserved-parameter',
    'reserved-parameter',
  )
})

test('other forms', () => {
  expectInService('a: int; #enumerable(«a»);', 'wrong-argument-kind')
  expectInService('a: int; #enumerable(filter: «a»);', 'wrong-argument-kind')
  expectInService('a: int; #enumerable«[a]»;', 'wrong-argument-kind')
  expectInService('a: int; #enumerable(«order»: [a]);', 'unknown-argument')
  expectInService('a: int; #enumerable(sort: [a], «sort»: [a]);', 'duplicate-argument')
  expectInService('a: int; #enumerable([a], [a], «[a]»);', 'surplus-argument')
})

test('a broken declaration may be the attribute', () => {
  const broken = expectInService('#enumerable(filter: [state]); state«» string(20);', 'missing-token')
  expect(broken).toHaveLength(1)
})
