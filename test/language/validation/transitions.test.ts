import { describe, expect, test } from 'vitest'
import { expectDiagnostics, expectInService } from '../../host.ts'

describe('transitions', () => {
  test('lead from values of an enum to one or several others', () => {
    expectInService('a: enum(draft, sent, void) @transitions(draft: [sent, void], sent: void);')
    expectInService(
      'a: enum(2xl, xl, s-1, constructor) = xl @serverSet @transitions(2xl: [], xl: [2xl, s-1], s-1: constructor,) @unique;',
    )
    expectInService('a: enum(draft, sent) @was(state) @transitions(draft: sent);')
  })
  test('name values of the enum, each once', () => {
    const [unknown, target, both] = expectInService(
      'a: enum(draft, sent) @transitions(«drft»: sent, draft: [sent, «snt»], sent: [«x»]);',
      'unknown-value',
      'unknown-value',
      'unknown-value',
    )
    expect([unknown?.help, target?.help, both?.help]).toEqual([
      'did you mean `draft`?',
      'did you mean `sent`?',
      'its values are `draft` and `sent`',
    ])
    expectInService('a: enum(b, c) @transitions(b: c, «b»: c);', 'duplicate-argument')
    expectInService('a: enum(b, c) @transitions(b: [c, «c»]);', 'duplicate-value')
    expectInService('a: enum(b, c) @transitions(b: [«b», c]);', 'redundant-transition')
    expectInService('a: enum(b, c) @transitions(b: c, c: [«[b]»]);', 'unknown-value')
  })
  test('are pairs', () => {
    expectInService('a: enum(b, c) @«transitions»;', 'missing-value')
    expectInService('a: enum(b, c) @«transitions»();', 'missing-value')
    expectInService(
      'a: enum(b, c) @transitions(«b», b: c, «[c]»);',
      'wrong-argument-kind',
      'wrong-argument-kind',
    )
  })
  test('are of a stored enum that has a value', () => {
    expectInService('a: string @«transitions»(b: c);', 'transitions-without-enum')
    expectInService('a: Home? @«transitions»(b: c);', 'transitions-without-enum')
    expectInService('a: «Hme»? @transitions(b: c);', 'unknown-type')
    expectInService('a: enum(b, c) @client @«transitions»(b: c);', 'transitions-client')
    expectInService('a: enum(b, c)«?» @transitions(b: c);', 'optional-transitions')
    expectInService('a: enum(b, c) @transitions(b: c) @«transitions»(c: b);', 'duplicate-annotation')
  })
  test('lead to every value but that of a new entity', () => {
    const [found] = expectInService(
      'a: enum(b, c, «d», «e») @transitions(b: c);',
      'unreachable-value',
      'unreachable-value',
    )
    expect(found?.message).toBe('No transition leads to `d`')
    expectInService('a: enum(«b», c, d) = c @transitions(c: d);', 'unreachable-value')
    expectInService('a: enum(b, c, d) = c @transitions(c: [b, d]);')
  })
})

test('transitions on several lines are read although something else in the block is wrong', () => {
  expectDiagnostics(
    `P: project {}
Home: service {
  a: int «b»;
  status: enum(
    draft,
    sent,
    paid,
  )
    @transitions(
      draft: [sent],
      sent: paid,
    );
}`,
    'unexpected-token',
  )
})

test('a misspelled value is reported once', () => {
  expectDiagnostics(
    'P: project {} Home: service { status: enum(draft, sent) @transitions(draft: [«snet»]); }',
    'unknown-value',
  )
})
