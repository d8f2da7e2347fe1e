import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diagnosticsPage } from '../../scripts/diagnostics-page.ts'
import { llmsPage } from '../../scripts/llms-page.ts'
import { languagePage } from '../../scripts/language-page.ts'
import { CATALOGUE, DIAGNOSTIC_CODES } from '../../src/diagnostics/catalogue.ts'
import { checkText } from '../../src/language/parse.ts'
import { ANNOTATIONS, METADATA, TYPES } from '../../src/language/builtins.ts'
import { run, runProcess } from './harness.ts'

describe('portico explain', () => {
  it('shows the meaning and both examples', async () => {
    const { status, stdout, stderr } = await runProcess(['explain', 'unknown-type'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "error[unknown-type]: Unknown type

      The type of an attribute is a built-in type (\`bool\`, \`string\`, \`int\`, \`float\`,
      \`decimal\`, \`date\`, \`time\`, \`datetime\`, \`data\`, \`enum\`), the name of a service
      or, inside a struct, the name of another struct of the same service.

      Incorrect:

        Stays: project {}

        Home: service {
          name: text;
        }

      error[unknown-type]: Unknown type \`text\`
        example.portico:4:9
        |
      4 |   name: text;
        |         ^^^^
        |
        = help: did you mean \`string\`?

      Correct:

        Stays: project {}

        Home: service {
          name: string;
        }

      "
    `)
  })

  it.each(DIAGNOSTIC_CODES)('wraps the text about %s and shows both examples', async (code) => {
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

  it('accepts a code copied from a printed diagnostic', async () => {
    const { stdout } = await run(['explain', 'unknown-type'])
    for (const printed of ['error[unknown-type]', 'error[unknown-type]:', '[unknown-type]'])
      expect(await run(['explain', printed])).toMatchObject({ status: 0, stdout })
  })

  it('suggests the nearest code, if there is one', async () => {
    expect((await run(['explain', 'unkown-tpye'])).stderr).toContain('did you mean `unknown-type`?')
    expect((await run(['explain', 'zzz'])).stderr).toBe(
      'error: Unknown diagnostic `zzz`\nhelp: run `portico explain` to list all diagnostics\n',
    )
  })
})

describe('the reference pages', () => {
  it.each([
    ['language.md', languagePage],
    ['diagnostics.md', diagnosticsPage],
  ])('docs/%s is current: run `npm run docs`', (name, page) => {
    const written = readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')
    expect(written).toBe(`${page()}\n`)
  })

  it('are listed in llms.txt, with all others: run `npm run docs`', () => {
    const root = join(import.meta.dirname, '../..')
    expect(readFileSync(join(root, 'llms.txt'), 'utf8')).toBe(`${llmsPage()}\n`)
    const pages = globSync(['docs/*.md', 'examples/*/README.md'], { cwd: root })
    const entries = llmsPage().match(/^- \[.+?\]\(\S+\): .*\w.*\.$/gm) ?? []
    expect(pages.filter((page) => !entries.some((entry) => entry.includes(`](${page}): `)))).toEqual([])
  })

  it('have every built-in and every code', () => {
    const page = languagePage()
    for (const { name, parameters } of TYPES) {
      expect(page).toContain(`| \`${name}\` |`)
      for (const { name: argument } of parameters)
        expect(page).toMatch(new RegExp(`^\\| \`${argument}:?\``, 'm'))
    }
    for (const { name } of ANNOTATIONS) expect(page).toContain(`| \`@${name}`)
    for (const { name } of METADATA) expect(page).toMatch(new RegExp(`^\\| .*\`#${name}[(\`[]`, 'm'))
    for (const code of DIAGNOSTIC_CODES) expect(diagnosticsPage()).toContain(`## ${code}\n`)
  })

  it('introduce the language with a valid definition', () => {
    const [, example = ''] = /```portico\n([\s\S]*?)```/.exec(languagePage()) ?? []
    expect(checkText(example).diagnostics).toEqual([])
  })
})
