import { expect, test } from 'vitest'
import { parseErrors } from '../../src/dev/type-check.ts'

test('type errors have the details that the compiler prints below them', () => {
  const output = [
    'home/src/setup.ts(8,19): error TS2769: No overload matches this call.',
    '  The last overload gave the following error.',
    "    Argument of type 'string' is not assignable to parameter of type 'null'.",
    "home/src/setup (copy).ts(12,3): error TS2304: Cannot find name 'x'.",
    '',
  ].join('\n')
  expect(parseErrors(output)).toEqual([
    {
      file: 'home/src/setup.ts',
      line: 8,
      column: 19,
      code: 'TS2769',
      message: [
        'No overload matches this call.',
        '  The last overload gave the following error.',
        "    Argument of type 'string' is not assignable to parameter of type 'null'.",
      ].join('\n'),
    },
    {
      file: 'home/src/setup (copy).ts',
      line: 12,
      column: 3,
      code: 'TS2304',
      message: "Cannot find name 'x'.",
    },
  ])
})
