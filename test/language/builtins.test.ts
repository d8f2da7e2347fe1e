import { describe, expect, test } from 'vitest'
import {
  canonicalWords,
  floatArgument,
  integerArgument,
  metadataValues,
  bindTypeArguments,
} from '../../src/language/argument-binding.ts'
import { type Attribute, isBlock, isService, type Metadata } from '../../src/language/generated/ast.ts'
import { SpellingSuggester } from '../../src/language/spelling.ts'
import { parseFloatingPoint, parseInteger } from '../../src/language/numbers.ts'
import { checkText } from '../../src/language/parse.ts'
import {
  allowedValue,
  ANNOTATIONS,
  annotationNamed,
  METADATA,
  metadataNamed,
  TYPES,
  typeNamed,
} from '../../src/language/builtins.ts'

function member(text: string): Attribute | Metadata {
  const [found] = checkText(`S: service { ${text} }`).ast.members.filter(isService)[0]?.members ?? []
  if (found === undefined || isBlock(found)) throw new Error('no member')
  return found
}

describe('the built-ins', () => {
  test('every entry is found by its name, and other names are not found', () => {
    for (const entry of TYPES) expect(typeNamed(entry.name)).toBe(entry)
    for (const entry of ANNOTATIONS) expect(annotationNamed(entry.name)).toBe(entry)
    for (const entry of METADATA) expect(metadataNamed(entry.name)).toBe(entry)
    for (const name of ['constructor', '__proto__', 'toString', '']) {
      expect([typeNamed(name), annotationNamed(name), metadataNamed(name)]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    }
  })

  test('aliases are found as their values', () => {
    const words = (name: string, ...spellings: string[]): (string | undefined)[] => {
      const parameter = metadataNamed(name)?.parameter
      return spellings.map((spelling) => parameter && allowedValue(parameter, spelling)?.name)
    }
    expect(words('language', 'ts', 'typescript', 'TS')).toEqual(['typescript', 'typescript', undefined])
    expect(words('provider', 'dc', 'kubernetes', 'k8s')).toEqual(['dockerCompose', 'kube', 'kube'])
  })

  test('every entry has documentation', () => {
    const docs = [
      ...TYPES,
      ...ANNOTATIONS,
      ...METADATA,
      ...TYPES.flatMap(({ parameters }) => parameters),
      ...METADATA.flatMap(({ parameter }) =>
        parameter === undefined ? [] : [parameter, ...parameter.values],
      ),
    ]
    for (const entry of docs) expect(entry.docs).toMatch(/^[A-Z`].*\.$/)
  })
})

describe('arguments', () => {
  test('positional, then named', () => {
    const call = bindTypeArguments((member('a: int(10k, precision: 8, min: -5);') as Attribute).type)
    expect(['max', 'min', 'precision', 'odd'].map((name) => integerArgument(call, name))).toEqual([
      10_000n,
      -5n,
      8n,
      undefined,
    ])
    const float = bindTypeArguments((member('a: float(1.5, -1e3);') as Attribute).type)
    expect([floatArgument(float, 'max'), floatArgument(float, 'min')]).toEqual([1.5, -1000])
  })

  test('arguments of the wrong kind are not bound', () => {
    const call = bindTypeArguments((member('a: int(lots, 1.5);') as Attribute).type)
    expect([call.values.size, call.problems.length]).toEqual([0, 2])
  })

  test('words of metadata', () => {
    const words = (text: string): readonly string[] => canonicalWords(member(text) as Metadata)
    expect(words('#language(language: ts);')).toEqual(['typescript'])
    expect(words('#omit[delete, odd, create, delete];')).toEqual(['delete', 'create'])
    expect(words('#omit([read]);')).toEqual(['read'])
    expect(words('#uses[A, B];')).toEqual(['A', 'B'])
    expect([words('#auth;'), words('#odd(a);'), words('#omit(read);'), words('#language;')]).toEqual([
      [],
      [],
      [],
      [],
    ])
    expect(metadataValues(member('#odd[a];') as Metadata)).toEqual([])
  })
})

describe('numbers', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['007', 7n],
    ['5k', 5000n],
    ['5K', 5000n],
    ['-2M', -2_000_000n],
    ['3g', 3_000_000_000n],
    ['9223372036854775807', 9223372036854775807n],
    ['9007199254740993', 9007199254740993n],
    ['1.5', undefined],
    ['1e3', undefined],
    ['+5', undefined],
    ['5kk', undefined],
    ['', undefined],
    ['k', undefined],
    ['0x10', undefined],
  ])('the integer %s', (text, value) => {
    expect(parseInteger(text)).toBe(value)
  })

  test('leading zeros do not change a number', () => {
    expect(parseInteger(`${'0'.repeat(1000)}5`)).toBe(5n)
    expect(parseInteger(`-${'9'.repeat(1000)}`)).toBeLessThan(-(2n ** 63n))
  })

  test.each([
    ['1.5', 1.5],
    ['-0.25', -0.25],
    ['1e6', 1e6],
    ['1.5E-3', 0.0015],
    ['10k', 10_000],
    ['7', 7],
    ['1e400', Infinity],
    ['1.', undefined],
    ['.5', undefined],
    ['1.5k', undefined],
    ['1e', undefined],
    ['NaN', undefined],
  ])('the float %s', (text, value) => {
    expect(parseFloatingPoint(text)).toBe(value)
  })
})

describe('the nearest name', () => {
  test.each([
    ['Hoem', ['Host', 'Home'], 'Home'],
    ['servce', ['project', 'service', 'struct'], 'service'],
    ['STRING', ['int', 'string'], 'string'],
    ['dtaetime', ['date', 'time', 'datetime'], 'datetime'],
    ['x', ['int', 'bool'], undefined],
    ['', ['a'], undefined],
    ['Home', ['Home'], undefined],
    ['completely', ['different', 'names'], undefined],
  ])('%s', (name, candidates, expected) => {
    expect(new SpellingSuggester().suggest(name, candidates)).toBe(expected)
  })

  test('is searched for within a budget', () => {
    const nearest = new SpellingSuggester()
    const names = Array.from({ length: 300_000 }, (_, index) => `Name${index}`)
    nearest.suggest('Nmae', names)
    nearest.suggest('Nam3333333', names)
    expect(nearest.suggest('Hoem', ['Home'])).toBeUndefined()
  })
})
