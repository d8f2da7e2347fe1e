import type { Fault } from './fault.ts'

/** Bodies and values. */
export const VALUE_FAULTS: readonly Fault[] = [
  {
    description: 'a new entity has any value',
    files: { 'note/src/routes/note.ts': [["request.status !== 'draft'", "request.status === 'void'"]] },
    foundBy: 'Note: create accepts only `draft` for `status`',
  },
  {
    description: 'a value changes in any way',
    files: { 'note/src/queries/note.ts': [['...states.conditions', '']] },
    foundBy: 'Note: `status` cannot change from `draft` to 1 other value',
  },
  {
    description: 'a declared change is refused',
    files: { 'note/src/queries/note.ts': [["['draft', 'sent', 'void']", "['draft', 'void']"]] },
    foundBy: 'Note: `status` can change from `draft` to `sent`',
  },
  {
    description: 'the error names the new value first',
    files: { 'lib/transitions.ts': [['from ${from} to ${to}`)', 'from ${to} to ${from}`)']] },
    foundBy: 'Note: `status` cannot change from `paid` to 3 other values',
  },
  {
    description: 'a change is checked before it is stored',
    files: {
      'note/src/queries/note.ts': [['...states.conditions', '']],
      'lib/transitions.ts': [
        [
          'const [updated] = await write()',
          'const [before] = await read()\nif (before !== undefined) check(before, input)\nawait new Promise((resolve) => setTimeout(resolve, 50))\nconst [updated] = await write()',
        ],
      ],
    },
    foundBy: 'Note: of concurrent changes of `status` to ',
  },
  {
    description: 'missing attributes are in another order',
    files: {
      'lib/requests.ts': [['[...missing].join(', '[...missing].reverse().join(']],
    },
    foundBy:
      'Home: create requires `owner`, `address`, `beds`, `rate`, `fee`, `state`, `code`, `pin`; the error names missing and invalid ones',
  },
  {
    description: 'a @client attribute is not required',
    files: {
      'home/src/entities.ts': [['pin: text({ max: 8 }),', 'pin: text({ max: 8 }).optional(),']],
    },
    foundBy:
      'Home: update requires `owner`, `address`, `beds`, `rate`, `fee`, `state`, `code`, `pin`; the error names missing and invalid ones',
  },
  {
    description: 'null is a value',
    files: {
      'lib/requests.ts': [['(given.get(name) ?? undefined) === undefined', 'given.get(name) === undefined']],
    },
    foundBy:
      'Memo: create requires `note`, `home`, `late`, `opens`; the error names missing and invalid ones',
  },
  {
    description: 'an optional attribute is required',
    files: {
      'topic/src/entities.ts': [
        ['slug: text({ max: 20 }).nullable().default(null)', 'slug: text({ max: 20 })'],
      ],
    },
    foundBy: 'Topic: create without `parent`, `slug`, `rank`, `weight`, `made` stores null or the default',
  },
  {
    description: 'an update keeps an optional attribute that it leaves out',
    files: {
      'lib/queries.ts': [['ELSE ${param(name)} END', 'ELSE coalesce(${param(name)}, ${column}) END']],
    },
    foundBy: 'Topic: update without `parent`, `slug`, `rank`, `weight`, `made` stores null or the default',
  },
  {
    description: 'another default is stored',
    files: { 'topic/src/entities.ts': [[/(withDefault\(.*, )3\)/, '$14)']] },
    foundBy: 'Topic: create without `parent`, `slug`, `rank`, `weight`, `made` stores null or the default',
  },
  {
    description: 'null stores the default of an optional attribute',
    files: {
      'topic/src/entities.ts': [['.nullable().default(3)', '.nullish().transform((value) => value ?? 3)']],
    },
    foundBy:
      'Topic: create with null for `parent`, `slug`, `rank`, `weight`, `made` stores null, or the default where null is not allowed',
  },
  {
    description: 'null is not a default',
    files: { 'lib/values.ts': [['schema.nullish()', 'schema.optional()']] },
    foundBy:
      'Topic: create with null for `parent`, `slug`, `rank`, `weight`, `made` stores null, or the default where null is not allowed',
  },
  {
    description: 'the default is a time of the past',
    files: { 'topic/src/entities.ts': [['new Date()', 'new Date(0)']] },
    foundBy: 'Topic: create without `parent`, `slug`, `rank`, `weight`, `made` stores null or the default',
  },
  {
    description: 'a value outside the bounds is accepted',
    files: {
      'home/src/entities.ts': [['min: 1, max: 40', 'min: 0, max: 40']],
    },
    foundBy: 'Home: `beds` (integer, 1 to 40) rejects',
  },
  {
    description: 'the bound is rejected',
    files: {
      'home/src/entities.ts': [['min: 1, max: 40', 'min: 1, max: 39']],
    },
    foundBy: 'Home: `beds` (integer, 1 to 40) accepts',
  },
  {
    description: 'decimals lose their trailing zeros',
    files: { 'home/src/entities.ts': [['fee: home.fee', 'fee: String(Number(home.fee))']] },
    foundBy: 'Home: `fee` (decimal with 2 digits after the point, 0.00 to 99.99) accepts',
  },
  {
    description: 'decimals are rounded',
    files: {
      'lib/decimal.ts': [
        ['exactDecimal(value) : value),', 'String(Math.round(value * 100) / 100) : value),'],
      ],
    },
    foundBy: 'Home: `fee` (decimal with 2 digits after the point, 0.00 to 99.99) rejects',
  },
  {
    description: 'the upper bound of a decimal is missing',
    files: { 'home/src/entities.ts': [[", max: '99.99'", '']] },
    foundBy: 'Home: `fee` (decimal with 2 digits after the point, 0.00 to 99.99) rejects',
  },
  {
    description: 'another word is accepted for an enum',
    files: {
      'lib/values.ts': [['z.enum(words,', 'z.enum([...words, words[0].toUpperCase()],']],
    },
    foundBy: 'Home: `state` (one of `open`, `sold-out`, `closed`) rejects',
  },
  {
    description: 'a value of an enum is missing',
    files: { 'home/src/entities.ts': [["'sold-out', ", '']] },
    foundBy: 'Home: `state` (one of `open`, `sold-out`, `closed`) accepts',
  },
  {
    description: 'lengths count UTF-16 units',
    files: {
      'lib/values.ts': [["value.replace(/[\\ud800-\\udbff]/g, '').length", 'value.length']],
    },
    foundBy: 'Note: `text` (string, at most 50 characters) accepts',
  },
  {
    description: 'U+0000 reaches the database',
    files: {
      'lib/values.ts': [["value.includes('\\0')", "value.includes('\\0\\0')"]],
    },
    foundBy: 'Note: `text` (string, at most 50 characters) rejects',
  },
  {
    description: 'fractions of integers are truncated',
    files: {
      'lib/values.ts': [['return z.int(range)', 'return z.number(range).overwrite(Math.trunc)']],
    },
    foundBy: 'Home: `beds` (integer, 1 to 40) rejects',
  },
  {
    description: 'offsets of datetimes have the wrong sign',
    files: {
      'lib/times.ts': [
        [
          'Temporal.Instant.from(value)',
          "Temporal.Instant.from(value.replace(/[+-](?=\\d\\d:\\d\\d$)/, (sign) => (sign === '-' ? '+' : '-')))",
        ],
      ],
    },
    foundBy: 'Note: `at` (date and time, RFC 3339) accepts',
  },
  {
    description: 'non-canonical base64 is accepted',
    files: {
      'lib/values.ts': [["bytes.toString('base64') === encoded", 'bytes.length <= encoded.length']],
    },
    foundBy: 'Note: `image` (base64, at most 100 bytes) rejects',
  },
  {
    description: 'an invalid day is accepted',
    files: {
      'lib/dates.ts': [[/z\.iso\s*\.date\(/, 'z.string(']],
    },
    foundBy: 'Home.Photo: `taken` (date, `YYYY-MM-DD`) rejects',
  },
  {
    description: 'a body that is too large is 400',
    files: {
      'lib/errors.ts': [['HTTPException(413,', 'HTTPException(400,']],
    },
    foundBy: 'Note: create rejects a body of more than 65536 bytes with 413',
  },
  {
    description: 'invalid UTF-8 is accepted',
    files: {
      'lib/requests.ts': [['fatal: true', 'fatal: false']],
    },
    foundBy: 'Note: create rejects bodies that are not JSON objects',
  },
]
