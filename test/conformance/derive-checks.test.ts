import * as fc from 'fast-check'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../../src/compile.ts'
import type { Check } from '../../src/conformance/check.ts'
import { deriveChecks } from '../../src/conformance/derive-checks.ts'
import type { Platform } from '../../src/model/platform.ts'
import { definitions } from './definitions.ts'

const ROOT = join(import.meta.dirname, '../..')

function platformOf(text: string): Platform {
  const { platform, diagnostics } = compile(text)
  if (!platform) throw new Error(`${JSON.stringify(diagnostics)}\n${text}`)
  return platform
}

function checksOf(text: string): Check[] {
  return deriveChecks(platformOf(text))
}

/** Returns why checks of a group are skipped. */
function reasons(text: string, group: string): Set<string> {
  const own = checksOf(text).filter((check) => check.group === group)
  return new Set(own.flatMap(({ skip }) => (skip === undefined ? [] : [skip])))
}

function titles(checks: readonly Check[], group: string): string[] {
  return checks.filter((check) => check.group === group).map(({ title }) => title)
}

describe('checks', () => {
  test('have unique names in any definition', () => {
    fc.assert(
      fc.property(definitions, (text) => {
        const names = checksOf(text).map(({ group, title }) => `${group}: ${title}`)
        expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
      }),
    )
  })

  test('have unique names in every example', () => {
    for (const file of globSync('examples/*/*.{portico,temple}', { cwd: ROOT })) {
      const names = checksOf(readFileSync(join(ROOT, file), 'utf8')).map(
        (check) => `${check.group}: ${check.title}`,
      )
      expect(new Set(names).size, file).toBe(names.length)
    }
  })

  test('name entities with their article', () => {
    const checks = checksOf(
      'A: project {} Order: service { Item: struct { next: Entry?; } Entry: struct {} }',
    )
    expect(titles(checks, 'Order.Item')).toEqual(
      expect.arrayContaining([
        'deleting an Order deletes its entries',
        'an Entry referenced by `next` cannot be deleted',
      ]),
    )
  })

  test('create the second parent of a user only where there can be one', () => {
    const skipped = (service: string) =>
      checksOf(`A: project { #authMethod(email); } User: service { #auth; } ${service}`)
        .filter(({ title }) => title === 'create accepts the same `parent` and `n` under another parent')
        .map(({ skip }) => skip !== undefined)
    const struct = 'D: struct { n: int; #unique[parent, n]; }'
    expect(skipped(`C: service { ${struct} }`)).toEqual([false])
    expect(skipped(`C: service { ${struct} #auth; }`)).toEqual([true])
  })

  test('are derived in the order of the definition', () => {
    const groups = checksOf('A: project {} C: service { D: struct {} } B: service {}').map(
      ({ group }) => group,
    )
    expect([...new Set(groups)]).toEqual(['Gateway', 'C', 'C.D', 'B'])
  })

  test('skip endpoints that are omitted', () => {
    const checks = checksOf('A: project {} B: service { a: int; #omit[create, read, update, delete]; }')
    expect(titles(checks, 'B')).toEqual([
      'serves nothing; other requests return 405 or 404',
      'unknown paths below it return 404',
    ])
  })

  test('distinguish users only with authentication', () => {
    const open = checksOf('A: project {} B: service { #enumerable; }')
    expect(titles(open, 'B').filter((title) => title.includes('users'))).toEqual([])
    const closed = checksOf(
      'A: project { #authMethod(email); } B: service { #enumerable; #auth; } C: service {}',
    )
    expect(titles(closed, 'C').filter((title) => title.includes('users'))).toEqual([
      'headers that claim to be another user are ignored (2 users)',
      'only the creator can read (3 users)',
      'only the creator can update, others get 404 (3 users)',
      'only the creator can patch, others get 404 (3 users)',
      'only the creator can delete, others get 404 (3 users)',
    ])
  })
})

describe('a check is skipped', () => {
  test('if nothing can be created', () => {
    expect(reasons('A: project {} B: service { #omit[create]; }', 'B')).toEqual(
      new Set(['B has no create endpoint']),
    )
  })

  test('if the target of a reference cannot be created', () => {
    const text = 'A: project {} B: service { #omit[create]; } C: service { b: B; }'
    expect(reasons(text, 'C')).toEqual(new Set(['B has no create endpoint']))
  })

  test('if a hook must set a value first', () => {
    const text = 'A: project {} B: service { a: string(5, 1) @server; }'
    expect(reasons(text, 'B')).toEqual(new Set(['a hook must set `a` of B first']))
  })

  test('if a @unique range is too small', () => {
    const text = 'A: project {} B: service { a: bool @unique; #enumerable; }'
    expect(
      [...reasons(text, 'B')].every((reason) => reason.startsWith('a @unique attribute allows only 2 of B')),
    ).toBe(true)
    expect(reasons(text, 'B').size).toBeGreaterThan(0)
  })

  test('if one user would need two entities of an #auth service', () => {
    const text = 'A: project { #authMethod(email); } B: service { a: int; #auth; }'
    expect(reasons(text, 'B')).toEqual(new Set(['a user can have only one B']))
  })
})
