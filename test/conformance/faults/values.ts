import type { Fault } from './fault.ts'

/** Bodies and values. */
export const VALUE_FAULTS: readonly Fault[] = [
  {
    what: 'missing attributes are named in another order',
    files: { 'home/src/wire/home.ts': [["['owner', 'address',", "['address', 'owner',"]] },
    foundBy:
      'Home: create asks for `owner`, `address`, `beds`, `rate`, `code`, `pin`, and names what is missing or wrong',
  },
  {
    what: 'a @client attribute is not required',
    files: { 'home/src/wire/home.ts': [[", 'pin'])", '])']] },
    foundBy:
      'Home: update asks for `owner`, `address`, `beds`, `rate`, `code`, `pin`, and names what is missing or wrong',
  },
  {
    what: 'null is a value',
    files: { 'memo/src/body.ts': [[' || body.get(name) === null', '']] },
    foundBy: 'Memo: create asks for `note`, `home`, `late`, `opens`, and names what is missing or wrong',
  },
  {
    what: 'one beyond the bound is taken',
    files: { 'home/src/wire/home.ts': [["'beds', 1, 40", "'beds', 0, 40"]] },
    foundBy: 'Home: `beds` refuses what is no int from 1 to 40',
  },
  {
    what: 'the bound is refused',
    files: { 'home/src/wire/home.ts': [["'beds', 1, 40", "'beds', 1, 39"]] },
    foundBy: 'Home: `beds` takes every int from 1 to 40',
  },
  {
    what: 'lengths count UTF-16 units',
    files: {
      'note/src/values/string.ts': [['counts ? countCodePoints(value) : value.length', 'value.length']],
    },
    foundBy: 'Note: `text` takes every string of at most 50 characters',
  },
  {
    what: 'U+0000 reaches the database',
    files: { 'note/src/values/string.ts': [["value.includes('\\0')", "value.includes('\\0\\0')"]] },
    foundBy: 'Note: `text` refuses what is no string of at most 50 characters',
  },
  {
    what: 'fractions are cut off integers',
    files: {
      'home/src/values/int.ts': [
        ['if (zeros < 0) return undefined', 'if (zeros < 0) return Math.trunc(Number(text))'],
      ],
    },
    foundBy: 'Home: `beds` refuses what is no int from 1 to 40',
  },
  {
    what: 'offsets of moments are counted the wrong way',
    files: { 'note/src/values/datetime.ts': [["sign === '-' ?", "sign === '+' ?"]] },
    foundBy: 'Note: `at` takes every datetime',
  },
  {
    what: 'base64 that is not canonical is taken',
    files: {
      'note/src/values/data.ts': [
        [/if \(bytes\.toString\('base64'\) !== value\)/, 'if (bytes.length > value.length)'],
      ],
    },
    foundBy: 'Note: `image` refuses what is no data of at most 100 bytes in base64',
  },
  {
    what: 'a day that no calendar has is taken',
    files: { 'home/src/values/calendar.ts': [['day <= daysOf(year, month)', 'day <= 31']] },
    foundBy: 'Home.Photo: `taken` refuses what is no date',
  },
  {
    what: 'the first of two equal keys counts',
    files: {
      'note/src/json.ts': [
        [
          'object.set(key, this.#value())',
          'const value = this.#value()\n        if (!object.has(key)) object.set(key, value)',
        ],
      ],
    },
    foundBy: 'Note: of a key that is there twice the last counts; `__proto__` and `constructor` do no harm',
  },
  {
    what: 'a body that is too large is 400',
    files: { 'note/src/body.ts': [['ServiceError(413', 'ServiceError(400']] },
    foundBy: 'Note: create refuses a body of more than 1048576 bytes with 413',
  },
  {
    what: 'bytes that are no UTF-8 are taken',
    files: { 'note/src/body.ts': [['fatal: true', 'fatal: false']] },
    foundBy: 'Note: create refuses bodies that are no JSON object',
  },
]
