import * as fc from 'fast-check'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../../src/compile.ts'
import type { Check } from '../../src/conformance/check.ts'
import { derive } from '../../src/conformance/derive.ts'
import type { Platform } from '../../src/model/platform.ts'
import { definitions } from './definitions.ts'

const ROOT = join(import.meta.dirname, '../..')

function platformOf(text: string): Platform {
  const { platform, diagnostics } = compile(text)
  if (!platform) throw new Error(`${JSON.stringify(diagnostics)}\n${text}`)
  return platform
}

function checksOf(text: string): Check[] {
  return derive(platformOf(text))
}

/** Why checks of a group are skipped. */
function reasons(text: string, group: string): Set<string> {
  const own = checksOf(text).filter((check) => check.group === group)
  return new Set(own.flatMap(({ skip }) => (skip === undefined ? [] : [skip])))
}

function sentences(checks: readonly Check[], group: string): string[] {
  return checks.filter((check) => check.group === group).map(({ sentence }) => sentence)
}

describe('checks', () => {
  test('each have a name of their own, in any definition', () => {
    fc.assert(
      fc.property(definitions, (text) => {
        const names = checksOf(text).map(({ group, sentence }) => `${group}: ${sentence}`)
        expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
      }),
    )
  })

  test('have a name of their own in every example', () => {
    for (const file of globSync('examples/*/*.{portico,temple}', { cwd: ROOT })) {
      const names = checksOf(readFileSync(join(ROOT, file), 'utf8')).map(
        (check) => `${check.group}: ${check.sentence}`,
      )
      expect(new Set(names).size, file).toBe(names.length)
    }
  })

  test('are derived in the order of the definition', () => {
    const groups = checksOf('A: project {} C: service { D: struct {} } B: service {}').map(
      ({ group }) => group,
    )
    expect([...new Set(groups)]).toEqual(['Gateway', 'C', 'C.D', 'B'])
  })

  test('ask nothing of endpoints that are omitted', () => {
    const checks = checksOf('A: project {} B: service { a: int; #omit[create, read, update, delete]; }')
    expect(sentences(checks, 'B')).toEqual([
      'serves nothing, and 405 or 404 for the rest',
      'paths below it that it does not serve are 404',
    ])
  })

  test('tell users apart only where there are any', () => {
    const open = checksOf('A: project {} B: service { #enumerable; }')
    expect(sentences(open, 'B').filter((sentence) => sentence.includes('users'))).toEqual([])
    const closed = checksOf(
      'A: project { #authMethod(email); } B: service { #enumerable; #auth; } C: service {}',
    )
    expect(sentences(closed, 'C').filter((sentence) => sentence.includes('users'))).toEqual([
      'headers that claim to be another user are ignored (2 users)',
      'only the creator can read (3 users)',
      'only the creator can update, others get 404 (3 users)',
      'only the creator can delete, others get 404 (3 users)',
    ])
  })
})

describe('a check is skipped, with its reason,', () => {
  test('where nothing can be created', () => {
    expect(reasons('A: project {} B: service { #omit[create]; }', 'B')).toEqual(
      new Set(['B has no create endpoint']),
    )
  })

  test('where what a reference needs cannot be created', () => {
    const text = 'A: project {} B: service { #omit[create]; } C: service { b: B; }'
    expect(reasons(text, 'C')).toEqual(new Set(['B has no create endpoint']))
  })

  test('where a hook has to set a value first', () => {
    const text = 'A: project {} B: service { a: string(5, 1) @server; }'
    expect(reasons(text, 'B')).toEqual(new Set(['`a` of B holds no value until a hook sets one']))
  })

  test('where a @unique range is too small for it', () => {
    const text = 'A: project {} B: service { a: bool @unique; #enumerable; }'
    expect(
      [...reasons(text, 'B')].every((reason) =>
        reason.startsWith('a @unique attribute lets only 2 of B exist'),
      ),
    ).toBe(true)
    expect(reasons(text, 'B').size).toBeGreaterThan(0)
  })

  test('where one user would need two entities of an #auth service', () => {
    const text = 'A: project { #authMethod(email); } B: service { a: int; #auth; }'
    expect(reasons(text, 'B')).toEqual(new Set(['one user can have only one of B']))
  })
})
