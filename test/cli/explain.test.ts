import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languagePage } from '../../scripts/language-page.ts'
import { CATALOGUE, DIAGNOSTIC_CODES } from '../../src/diagnostics/catalogue.ts'
import { checkText } from '../../src/language/parse.ts'
import { ANNOTATIONS, METADATA, TYPES } from '../../src/language/vocabulary.ts'
import { run, runProcess } from './harness.ts'

function codesIn(text: string): string[] {
  return [...new Set(checkText(text).diagnostics.map(({ code }) => code))]
}

/** Their examples are not spelled out: they would be huge. */
const HUGE = new Set<string>(['definition-too-large', 'too-many-diagnostics'])

describe('the examples of the catalogue', () => {
  it.each(DIAGNOSTIC_CODES.filter((code) => !HUGE.has(code)))(
    '%s: one has it and nothing else, the other has nothing',
    (code) => {
      expect(codesIn(CATALOGUE[code].bad)).toEqual([code])
      expect(codesIn(CATALOGUE[code].good)).toEqual([])
    },
  )

  it('has what the huge ones stand for', () => {
    const { 'definition-too-large': large, 'too-many-diagnostics': many } = CATALOGUE
    expect(codesIn(large.bad.replace('…', 'x'.repeat(5_000_000)))).toEqual(['definition-too-large'])
    const attributes = Array.from({ length: 10_001 }, (_, index) => `  a${index}: text;\n`).join('')
    expect(codesIn(many.bad.replace(/ *\/\/ ….*\n/, attributes))).toEqual([
      'unknown-type',
      'too-many-diagnostics',
    ])
    expect(codesIn(large.good)).toEqual([])
    expect(codesIn(many.good)).toEqual([])
  })
})

describe('portico explain', () => {
  it('shows the meaning and both examples', async () => {
    const { status, stdout, stderr } = await runProcess(['explain', 'unknown-type'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "error[unknown-type]: An unknown type

      The type of an attribute is a built-in type (\`bool\`, \`string\`, \`int\`, \`float\`,
      \`date\`, \`time\`, \`datetime\`, \`data\`), the name of a service or, in a struct, the
      name of a struct of the same service.

      This has it:

        Stays: project {}

        Home: service {
          name: text;
        }

      error[unknown-type]: There is no type or service \`text\`. Did you mean \`string\`?
        example.portico:4:9
        |
      4 |   name: text;
        |         ^^^^

      This does not:

        Stays: project {}

        Home: service {
          name: string;
        }

      "
    `)
  })

  it.each(DIAGNOSTIC_CODES)('breaks the text about %s into lines and shows both examples', async (code) => {
    const { stdout } = await run(['explain', code])
    const { title, explanation, bad, good } = CATALOGUE[code]
    const [, text = ''] = stdout.split('\n\n')
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(text.replaceAll('\n', ' ')).toBe(explanation)
    expect(stdout).toContain(title)
    for (const line of `${bad}${good}`.split('\n')) expect(stdout).toContain(line)
  })

  it('lists all codes without one', async () => {
    const { status, stdout } = await run(['explain'])
    expect(status).toBe(0)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(DIAGNOSTIC_CODES)
  })

  it('takes a code as it is printed', async () => {
    const { stdout } = await run(['explain', 'unknown-type'])
    for (const printed of ['error[unknown-type]', 'error[unknown-type]:', '[unknown-type]'])
      expect(await run(['explain', printed])).toMatchObject({ status: 0, stdout })
  })

  it('suggests the nearest code, where there is one', async () => {
    expect((await run(['explain', 'unkown-tpye'])).stderr).toContain('Did you mean `unknown-type`?')
    expect((await run(['explain', 'zzz'])).stderr).toBe(
      'error: There is no diagnostic `zzz`.\n`portico explain` lists all of them.\n',
    )
  })
})

describe('docs/language.md', () => {
  it('is current: `npm run docs` makes it', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/language.md'), 'utf8')
    expect(page).toBe(`${languagePage()}\n`)
  })

  it('has every word of the vocabulary and every code', () => {
    const page = languagePage()
    for (const { name, parameters } of TYPES) {
      expect(page).toContain(`| \`${name}\` |`)
      for (const parameter of parameters) expect(page).toContain(`| \`${parameter.name}\` |`)
    }
    for (const { name } of ANNOTATIONS) expect(page).toContain(`| \`@${name}\` |`)
    for (const { name } of METADATA) expect(page).toContain(`| \`#${name}`)
    for (const code of DIAGNOSTIC_CODES) expect(page).toContain(`### ${code}\n`)
  })

  it('shows valid definitions only, besides the examples of what is wrong', () => {
    const [introduction = ''] = languagePage().split('## Types')
    const [, example = ''] = /```portico\n([\s\S]*?)```/.exec(introduction) ?? []
    expect(checkText(example).diagnostics).toEqual([])
  })
})
