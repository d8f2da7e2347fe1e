import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkText, readText } from '../../src/language/parse.ts'
import type { Figure } from '../figures.ts'
import { ROOT } from '../processes.ts'

/** Tokens that are inserted before each token of an example, and that replace it. */
const INSERTED = ['}', ';', 'x'] as const

/** Counts one-token slips of the examples that are reported with more than one message. */
export function measureSlips(): Figure {
  let slips = 0
  let reportedOften = 0
  for (const text of exampleTexts()) {
    const own = checkText(text).diagnostics.length
    for (const slip of slipsOf(text)) {
      slips++
      if (checkText(slip).diagnostics.length > own + 1) reportedOften++
    }
  }
  return {
    what: 'one-token slips of the examples with more than one message',
    value: reportedOften,
    unit: 'slips',
    must: { atMost: 300 },
    detail: `${slips} slips: each token removed, doubled, and with ${INSERTED.map((token) => `\`${token}\``).join(', ')} before it`,
  }
}

function exampleTexts(): string[] {
  const directory = join(ROOT, 'examples')
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'hundred')
    .flatMap(({ name }) =>
      readdirSync(join(directory, name))
        .filter((file) => /\.(?:portico|temple)$/.test(file))
        .map((file) => readFileSync(join(directory, name, file), 'utf8')),
    )
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
