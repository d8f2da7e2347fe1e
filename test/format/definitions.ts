import * as fc from 'fast-check'

/** The tokens of a definition, `;` and `,` that may be left out sometimes left out. */
export function definitionTokens(): fc.Arbitrary<string[]> {
  const upper = fc.constantFrom('A', 'B', 'Z').chain(name)
  const lower = fc.constantFrom('a', 'b', 'project', 'string', 'struct').chain(name)
  const value: fc.Arbitrary<string[]> = fc.oneof(
    lower.map((word) => [word]),
    fc.constantFrom('0', '-1', '5M', '1.5', '+2', '1e6', '-0.25').map((number) => [number]),
  )
  const list = separated(value, '[', ']')
  const argument = fc.oneof(
    value,
    list,
    fc.tuple(lower, fc.oneof(value, list)).map(([key, tokens]) => [key, ':', ...tokens]),
  )
  const argumentList = separated(argument, '(', ')')
  const annotation = fc.oneof(
    fc.constantFrom('unique', 'server', 'client').map((word) => ['@', word]),
    lower.map((formerName) => ['@', 'was', '(', formerName, ')']),
  )
  const text = fc.constantFrom('""', '"a {b} // c"', String.raw`"\"é\\"`).map((literal) => [literal])
  const defaultValue = fc.oneof(value, text).map((tokens) => ['=', ...tokens])
  const attribute = fc
    .tuple(
      lower,
      fc.oneof(lower, upper),
      optional(argumentList),
      optional(fc.constant(['?'])),
      optional(defaultValue),
      fc.array(annotation, { maxLength: 2 }),
    )
    .map(([key, type, ...rest]) => [key, ':', type, ...rest.flat(2)])
  const metadata = fc
    .tuple(lower, optional(fc.oneof(argumentList, list)))
    .map(([key, tokens]) => ['#', key, ...tokens])
  const declaration = fc.oneof(attribute, metadata)
  const struct = block(upper, fc.constant('struct'), declaration, fc.constant<string[]>([]))
  const service = block(upper, fc.constant('service'), declaration, struct)
  const project = block(upper, fc.constant('project'), metadata, fc.constant<string[]>([]))
  return fc
    .tuple(project, fc.array(service, { minLength: 1, maxLength: 3 }))
    .map(([first, rest]) => [first, ...rest].flat())
}

function name(first: string): fc.Arbitrary<string> {
  return fc.stringMatching(/^[A-Za-z0-9]{0,6}$/).map((rest) => first + rest)
}

/** White space and comments for the places between tokens, before the first one and after the last. */
export function gaps(): fc.Arbitrary<string[]> {
  const space = fc.constantFrom('', '', ' ', '\n', '\r\n', '\n\n\n', '\t', ' \n  ')
  const words = fc.constantFrom('', ' x', ' it is; { here', ' é\u00a0€ ', ' /', ' *', ' // y')
  const comment = fc.oneof(
    words.map((text) => `//${text}\n`),
    words.map((text) => `///${text}\r\n`),
    words.map((text) => `/*${text} */`),
    words.map((text) => `/**${text} */`),
    words.map((text) => `/*${text}\n   *${text}\r\n\n  more */`),
    words.map((text) => `/**\n      *${text}\n  * - item  \n *\n */`),
    words.map((text) => `/**${text}\n      indented${text}\n\n*/`),
  )
  const gap = fc.oneof(
    { weight: 6, arbitrary: space },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.tuple(space, comment), { minLength: 1, maxLength: 3 })
        .chain((parts) => space.map((last) => parts.flat().join('') + last)),
    },
  )
  return fc.array(gap, { minLength: 200, maxLength: 200 })
}

/** The text of tokens with these gaps between them; where two tokens would run together, a space parts them. */
export function join(tokens: readonly string[], between: readonly string[]): string {
  let text = between[0] ?? ''
  tokens.forEach((token, index) => {
    const gap = between[(index + 1) % between.length] ?? ''
    const next = tokens[index + 1]
    const parts = next !== undefined && gap === '' && isWord(token) && isWord(next)
    text += token + (parts ? ' ' : gap)
  })
  return text
}

function isWord(token: string): boolean {
  return /^[\w$+-]/.test(token)
}

function optional(tokens: fc.Arbitrary<string[]>): fc.Arbitrary<string[]> {
  return fc.oneof(fc.constant<string[]>([]), tokens)
}

function separated(item: fc.Arbitrary<string[]>, open: string, close: string): fc.Arbitrary<string[]> {
  return fc.tuple(fc.array(item, { maxLength: 3 }), fc.boolean()).map(([items, comma]) => {
    const tokens = items.flatMap((tokens_, index) => (index === 0 ? tokens_ : [',', ...tokens_]))
    return [open, ...tokens, ...(comma && items.length > 0 ? [','] : []), close]
  })
}

function block(
  blockName: fc.Arbitrary<string>,
  kind: fc.Arbitrary<string>,
  declaration: fc.Arbitrary<string[]>,
  nested: fc.Arbitrary<string[]>,
): fc.Arbitrary<string[]> {
  const member = fc.oneof(
    { weight: 4, arbitrary: declaration.map((tokens) => [...tokens, ';']) },
    { weight: 1, arbitrary: nested },
  )
  const last = fc.oneof(fc.constant<string[]>([]), declaration)
  return fc
    .tuple(blockName, kind, fc.array(member, { maxLength: 5 }), last, fc.boolean())
    .map(([word, kindWord, members, end, semicolon]) => [
      word,
      ':',
      kindWord,
      '{',
      ...members.flat(),
      ...end,
      '}',
      ...(semicolon ? [';'] : []),
    ])
}
