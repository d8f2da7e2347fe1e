import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { invalidValues } from '../../src/conformance/values/invalid.ts'
import { givenValue } from '../../src/conformance/values/given.ts'
import { randomValue } from '../../src/conformance/values/sample.ts'
import { validValues } from '../../src/conformance/values/valid.ts'
import { matchesValue } from '../../src/conformance/values/value.ts'
import { readSamples, SamplesError } from '../../src/conformance/read-samples.ts'
import { Samples } from '../../src/conformance/samples.ts'
import type { Json } from '../../src/json.ts'
import { platformOf } from '../emit/platform.ts'
import { ownTypes } from './types.ts'

const platform = platformOf(`
Shop: project { #authMethod(email); }
City: service { name: string(20); }
Guest: service { #auth; }
Home: service {
  city: City;
  beds: int(40, 1);
  note: string(5)?;
  listed: datetime @serverSet;
  status: enum(draft, sent) @transitions(draft: sent);
  Photo: struct { caption: string(20); next: Photo?; }
}
`)

function read(json: Json): Samples {
  const samples = new Samples()
  readSamples(json, platform, samples)
  return samples
}

/** The message for samples that do not fit the definition, and the help. */
function problem(json: Json): string {
  try {
    read(json)
  } catch (error) {
    if (!(error instanceof SamplesError)) throw error
    return error.help === undefined ? error.message : `${error.message} (${error.help})`
  }
  return ''
}

describe('given values', () => {
  test('are those that services accept, and are shown in the same form', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        for (const { json, expected } of [...validValues(type), randomValue(type)]) {
          const value = givenValue(type, JSON.parse(json) as Json)
          expect({ json, shown: value && matchesValue(type, value.expected, expected) }).toEqual({
            json,
            shown: true,
          })
        }
      }),
    )
  })

  test('are none that services reject', () => {
    fc.assert(
      fc.property(ownTypes, (type) => {
        for (const { json } of invalidValues(type))
          expect({ json, value: givenValue(type, JSON.parse(json) as Json) }).toEqual({
            json,
            value: undefined,
          })
      }),
    )
  })
})

describe('samples', () => {
  test('are one value, a list, or those of operations', () => {
    const samples = read({
      Home: { beds: { create: 2, update: [3, 4] }, note: [null, 'a'] },
      'Home.Photo': { caption: 'x' },
    })
    const [home] = platform.services.filter(({ names }) => names.declared === 'Home')
    const values = (label: string, name: string, operation: 'create' | 'update'): Json[] => {
      const entities = [home?.entity, ...(home?.structs ?? [])]
      const attribute = entities
        .flatMap((each) => each?.attributes ?? [])
        .find(({ names }) => names.declared === name)
      return attribute === undefined
        ? []
        : samples.of(label, attribute, operation).map(({ expected }) => expected)
    }
    expect(values('Home', 'beds', 'create')).toEqual([2])
    expect(values('Home', 'beds', 'update')).toEqual([3, 4])
    expect(values('Home', 'note', 'update')).toEqual([null, 'a'])
    expect(values('Home.Photo', 'caption', 'create')).toEqual(['x'])
  })

  test.each<[Json, string]>([
    [[], 'Samples must be an object of services (for example {"Home": {"beds": [2, 3]}})'],
    [
      { Home: 3 },
      'The samples of `Home` must be an object of attributes (for example {"Home": {"beds": [2, 3]}})',
    ],
    [{ Hoem: {} }, 'Unknown service `Hoem` (did you mean `Home`?)'],
    [{ Zzzz: {} }, 'Unknown service `Zzzz` (expected `Auth`, `City`, `Guest`, `Home` or `Home.Photo`)'],
    [{ Home: { bed: 1 } }, 'Unknown attribute `bed` of `Home` in requests (did you mean `beds`?)'],
    [
      { Home: { listed: '2024-02-29T12:30:00Z' } },
      'Unknown attribute `listed` of `Home` in requests (expected `city`, `beds`, `note` or `status`)',
    ],
    [
      { Home: { beds: { delete: 1 } } },
      'Unknown operation `delete` of `beds` of `Home` (expected `create` or `update`)',
    ],
    [{ Home: { beds: [2, 41] } }, 'Invalid value 41 of `beds` of `Home` (expected: integer, 1 to 40)'],
    [{ Home: { beds: null } }, 'Invalid value null of `beds` of `Home` (expected: integer, 1 to 40)'],
    [
      { Home: { note: 'x'.repeat(100) } },
      `Invalid value "${'x'.repeat(59)}... of \`note\` of \`Home\` (expected: string, at most 5 characters, or null)`,
    ],
    [{ Home: { city: 'Bern' } }, 'Invalid value "Bern" of `city` of `Home` (expected: id of a City)'],
    [{ Home: { status: 'sent' } }, 'Invalid value "sent" of `status` of `Home` (expected: `draft`)'],
    [{ Home: { beds: [] } }, 'Expected at least one value of `beds` of `Home`'],
    [
      { 'Home.Photo': { next: '018f6d1e-0000-7000-8000-000000000000' } },
      'Invalid value "018f6d1e-0000-7000-8000-000000000000" of `next` of `Home.Photo` (the checks create the entries that it refers to)',
    ],
    [
      { Auth: { email: ['a@corp.example', 'b'] } },
      'Invalid value "b" of `email` of `Auth` (expected: email address, in which `*` stands for random letters and digits)',
    ],
    [
      { Auth: { password: ['long enough'] } },
      'Invalid value ["long enough"] of `password` of `Auth` (expected: one string of at least 8 characters and at most 71 bytes)',
    ],
    [{ Auth: { role: 'x' } }, 'Unknown attribute `role` of `Auth` (expected `email` or `password`)'],
  ])('%j is rejected', (json, message) => {
    expect(problem(json)).toBe(message)
  })

  test('replace `*` in emails, and take turns', () => {
    const samples = read({ Auth: { email: ['a@b.example', '*@one.example', 'x-*@two.example'] } })
    expect(samples.accounts).toEqual(['a@b.example'])
    const emails = [samples.newEmail(), samples.newEmail(), samples.newEmail()]
    expect(emails.map((email) => email?.replace(/[0-9a-f]{18}/, '*'))).toEqual([
      '*@one.example',
      'x-*@two.example',
      '*@one.example',
    ])
    expect(new Set(emails).size).toBe(3)
  })
})
