import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Arbitrary,
  array,
  constant,
  constantFrom,
  integer,
  oneof,
  option,
  string,
  tuple,
} from 'fast-check'

// Definitions that follow the grammar; few of them pass the checks.

const space = constantFrom(
  ' ',
  '',
  '\n',
  '  ',
  '\t',
  '\r\n',
  ' /* c */ ',
  ' // c\n',
  '/// d\n',
  ' /** d */\n',
)
const blockName = constantFrom('Home', 'Host', 'Stays', 'HTTPProxy2', 'home', 'Auth', 'A')
const attributeName = constantFrom('name', 'id', 'service', 'string', 'constructor', 'x1', 'Wrong')
const word = constantFrom(
  'all',
  'open',
  'in-progress',
  '2xl',
  'this',
  'create',
  'ts',
  'email',
  '__proto__',
  'Home',
)
const numeral = constantFrom(
  '0',
  '1',
  '-5',
  '80',
  '10k',
  '5G',
  '1.5',
  '-0.25',
  '1e6',
  '1e400',
  '99999999999999999999',
)

const value: Arbitrary<string> = oneof(
  word,
  numeral,
  array(oneof(word, numeral), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
)
const argument = tuple(
  option(constantFrom('max', 'min', 'by', 'precision', 'scale', 'maxLength'), { nil: undefined }),
  value,
).map(([name, given]) => (name === undefined ? given : `${name}: ${given}`))
const callArguments = option(
  array(argument, { maxLength: 3 }).map((items) => `(${items.join(', ')})`),
  { nil: '' },
)
const type = oneof(
  constantFrom('bool', 'string', 'int', 'float', 'date', 'time', 'datetime', 'data', 'enum', 'decimal'),
  blockName,
)
const annotations = array(
  constantFrom(' @unique', ' @server', ' @serverSet', ' @client', ' @was(x1)', ' @odd'),
  {
    maxLength: 2,
  },
)
const defaultValue = option(
  oneof(word, numeral, constantFrom('"NL"', '"{ // "', String.raw`"\"\u00e9"`)).map((given) => ` = ${given}`),
  { nil: '' },
)
const attribute = tuple(
  space,
  attributeName,
  type,
  callArguments,
  constantFrom('', '', '?'),
  defaultValue,
  annotations,
).map(
  ([before, name, kind, given, mark, preset, marks]) =>
    `${before}${name}: ${kind}${given}${mark}${preset}${marks.join('')};`,
)
const metadata = tuple(
  space,
  constantFrom(
    'auth',
    'enumerable',
    'readable',
    'writable',
    'omit',
    'uses',
    'language',
    'authMethod',
    'was',
    'odd',
  ),
  oneof(
    callArguments,
    array(word, { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  ),
).map(([before, name, given]) => `${before}#${name}${given};`)

function block(kinds: readonly string[], member: Arbitrary<string>): Arbitrary<string> {
  return tuple(space, blockName, constantFrom(...kinds), array(member, { maxLength: 5 }), space).map(
    ([before, name, kind, members, trailing]) => `${before}${name}: ${kind} {${members.join('')}${trailing}}`,
  )
}

const struct = block(['struct'], oneof(attribute, metadata))
const topBlock = block(
  ['project', 'service', 'service', 'service', 'odd'],
  oneof(attribute, metadata, { arbitrary: struct, weight: 1 }),
)

/** A text that follows the grammar. */
export const definitionText: Arbitrary<string> = array(topBlock, { minLength: 1, maxLength: 5 }).map(
  (blocks) => blocks.join(''),
)

const insertion = oneof(
  constantFrom(
    ...'{}()[]:;,#@?="\'/*\\-+.\0'.split(''),
    '/*',
    '*/',
    '//',
    '\ud800',
    '\ufeff',
    '😀',
    'service',
    '{{{{',
  ),
  string({ maxLength: 3, unit: 'binary' }),
  constant(''),
)

/** A text with a few characters removed, inserted or put elsewhere. */
export function withSlips(texts: Arbitrary<string>): Arbitrary<string> {
  const slip = tuple(integer({ min: 0, max: 100_000 }), integer({ min: 0, max: 5 }), insertion)
  return tuple(texts, array(slip, { minLength: 1, maxLength: 3 })).map(([text, slips]) =>
    slips.reduce((sofar, [place, removed, inserted]) => {
      const at = place % (sofar.length + 1)
      return sofar.slice(0, at) + inserted + sofar.slice(at + removed)
    }, text),
  )
}

export const mutatedDefinition: Arbitrary<string> = withSlips(definitionText)

/** Paths of the examples and of the inputs of the golden cases, or of those in one of these folders. */
export function examplePaths(...roots: ('examples' | 'test/golden')[]): string[] {
  return (roots.length > 0 ? roots : ['examples', 'test/golden']).flatMap((root) =>
    readdirSync(root)
      .map((name) => join(root, name))
      .filter((path) => statSync(path).isDirectory())
      .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
      .filter((path) => /\.(portico|temple|templefile)$/.test(path)),
  )
}
