import { readFileSync } from 'node:fs'
import { checkParsed, porticoServices, readText } from '../../src/language/parse.ts'

/** Tokens that are inserted before each token of a definition. */
const INSERTED = ['}', ';', 'x'] as const

/** How often one wrong token is reported with more than one message, in definitions at these paths. */
export interface SlipCounts {
  readonly slips: number
  readonly withMoreThanOneMessage: number
  /** What the slips are, in words. */
  readonly kinds: string
}

/** The most slips of the examples that may have more than one message. */
export const MAX_SLIPS = 450

/** Makes every possible slip of one token in definitions, or one of so many, and counts their messages. */
export function countSlips(paths: readonly string[], oneOf = 1): SlipCounts {
  const { DefinitionParser } = porticoServices().parser
  let possible = 0
  let slips = 0
  let withMoreThanOneMessage = 0
  for (const path of paths) {
    const text = readFileSync(path, 'utf8')
    let result = readText(text)
    const own = checkParsed(result).diagnostics.length
    for (const slip of slipsOf(text)) {
      if (possible++ % oneOf !== 0) continue
      slips++
      // Faster than parsing all of it, and an editor does the same.
      result = DefinitionParser.reparse(slip, result.segments)
      if (checkParsed(result).diagnostics.length > own + 1) withMoreThanOneMessage++
    }
  }
  const inserted = INSERTED.map((token) => `\`${token}\``).join(', ')
  return {
    slips,
    withMoreThanOneMessage,
    kinds: `each token removed, doubled, and with ${inserted} before it`,
  }
}

function* slipsOf(text: string): Generator<string> {
  const { tokens } = readText(text)
  for (let index = 0; index < tokens.length; index++) {
    const before = text.slice(0, tokens.start(index))
    const image = tokens.image(index)
    const after = text.slice(tokens.end(index))
    yield before + after
    yield `${before}${image} ${image}${after}`
    for (const inserted of INSERTED) yield `${before}${inserted} ${image}${after}`
  }
}
