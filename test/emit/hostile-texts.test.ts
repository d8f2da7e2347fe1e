import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { transformSync } from 'esbuild'
import * as fc from 'fast-check'
import { JSDOM } from 'jsdom'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { compile } from '../../src/compile.ts'
import { typescriptClient } from '../../src/emit/client/typescript/emit.ts'
import type { GeneratedFile } from '../../src/emit/contract.ts'
import { databases } from '../../src/emit/database/databases.ts'
import { literal } from '../../src/emit/database/identifiers.ts'
import { firstLine, markdownText, oneLine } from '../../src/emit/docs/markdown.ts'
import { diagramMermaid } from '../../src/emit/diagram/mermaid.ts'
import { backfillSql } from '../../src/emit/migrations/backfill.ts'
import { planMigrations } from '../../src/emit/migrations/plan.ts'
import type { MigrationFolder } from '../../src/migration/folder.ts'
import { emitProject } from '../../src/emit/project.ts'
import type { Platform } from '../../src/model/platform.ts'
import { describeDefault } from '../../src/model/type-description.ts'
import { applyMigrations } from '#lib/migrate.ts'
import { freshDatabase, type TestDatabase } from '../postgres.ts'

/** Texts that end, escape from or mean something in one of the formats. */
const HOSTILE = [
  'Hello\nWorld',
  "'; DROP TABLE canary; --",
  '\r\nDROP TABLE canary;\r',
  `\n-- schema: none -> ${'a'.repeat(64)}\n-- no transaction\nDROP TABLE canary;`,
  `\u2028-- schema: none -> ${'a'.repeat(64)}`,
  '$$; DROP TABLE canary; DO $$ BEGIN END $$; $_1$ $_2$ $',
  "E'\\'; \\\\ /* /* */ ; COMMIT; %s %% {} ${x} {{x}} #{x} :x ?",
  '*/ throw new Error() /*',
  '@ts-nocheck',
  '`${process.exit()}` </script><script>',
  '$(touch /tmp/x) `touch /tmp/x` \' " \\ ! & ; | > <',
  'a: b #c\n- d\n%YAML 1.1\n---\n...',
  '\t|\n  - &a *a !b',
  '# Heading\n\n```\n| a | b |\n|---|---|\n<b onclick=x>&amp; ![x](y) [z]: w\n===\n- # x\n1. # y\n__init__ *e* ~~s~~',
  ']]> <!-- <?xml ?> <!DOCTYPE x [ <!ENTITY y "z"> ]> &y;',
  '\\u0041 \\x41 \u0085 \ufeff \u202e \u200d 😀',
  'FROM scratch\nRUN false \\\n',
]
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary-ascii' }),
  fc.constantFrom(...HOSTILE),
)

/** Harmless texts, each in the place of a hostile one. */
const PLAIN = { documentation: 'Plaindocumentation', value: 'Plaindefault' }
type Texts = typeof PLAIN

const docComment = (documentation: string) =>
  documentation
    .split(/[\n\r]/)
    .map((line) => `\n/// ${line}`)
    .join('')

const definition = ({ documentation, value }: Texts) => {
  const doc = docComment(documentation)
  return `${doc}\nP: project { #authMethod(email); #metrics(prometheus); }${doc}
Home: service { #auth;${doc}
  plain: string = ${JSON.stringify(value)};
  Room: struct {${doc}
    plain: string = ${JSON.stringify(value)}; #enumerable; }
}`
}

const platformOf = (texts: Texts): Platform | undefined => compile(definition(texts)).platform

const filesOf = (platform: Platform): GeneratedFile[] => [
  ...emitProject(platform),
  ...typescriptClient(platform).map((file) => ({ ...file, path: `client/${file.path}` })),
  { path: 'diagram.mmd', content: diagramMermaid(platform), owner: 'generated' },
]

type Replace = (text: string) => string

/** What a parser of the format finds in a file. `replace` is applied to each text. */
function parsed({ path, content }: GeneratedFile, replace: Replace = (each) => each): unknown {
  switch (extname(path)) {
    case '.json':
      return mapped(JSON.parse(content), replace)
    case '.yaml':
      return mapped(parse(content), replace)
    case '.ts':
      return replaceLiteral(transformSync(content, { loader: 'ts', minifyWhitespace: true }).code, replace)
    case '.svg': {
      const { document } = new JSDOM(content, { contentType: 'image/svg+xml' }).window
      return Array.from(document.querySelectorAll('*'), (element) => [
        element.tagName,
        element.getAttributeNames(),
        element.children.length === 0 ? replace(element.textContent).trim() : '',
      ])
    }
    default:
      return content
  }
}

function mapped(value: unknown, replace: Replace): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map((each) => mapped(each, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each, replace)]))
}

/** Replaces the literal of the plain default in minified code by that of its replacement. */
const replaceLiteral = (code: string, replace: Replace) =>
  code.replaceAll(`"${PLAIN.value}"`, () =>
    transformSync(`x=${JSON.stringify(replace(PLAIN.value))}`, { minifyWhitespace: true }).code.slice(2, -2),
  )

const plain = platformOf(PLAIN)

function withTexts(check: (texts: Texts, platform: Platform) => void | Promise<void>, numRuns: number) {
  return fc.assert(
    fc.asyncProperty(text, text, async (documentation, value) => {
      const texts = { documentation, value }
      const platform = platformOf(texts)
      // The README falls back to the name of a service.
      fc.pre((platform?.services[0]?.entity.documentation ?? '').split('\n', 1)[0]?.trim() !== '')
      if (platform !== undefined) await check(texts, platform)
    }),
    { numRuns, endOnFailure: true, examples: HOSTILE.map((each): [string, string] => [each, each]) },
  )
}

/** The plain README with other texts, whose form in Markdown the test below checks. */
function withMarkdown(readme: string, value: string, { documentation }: Platform): string {
  return readme
    .split('\n')
    .map((line) => {
      const form = !line.startsWith('|') ? markdownText : line.includes('`plain`') ? oneLine : firstLine
      return line
        .replaceAll(PLAIN.documentation, () => form(documentation) || 'Home')
        .replaceAll(`\`"${PLAIN.value}"\``, () => oneLine(describeDefault({ kind: 'value', value })))
    })
    .join('\n')
}

test('texts of a definition stay texts in every generated file', async () => {
  if (plain === undefined) throw new Error('The definition is invalid')
  const expected = filesOf(plain)
  await withTexts((texts, platform) => {
    const files = filesOf(platform)
    expect(files.map(({ path }) => path)).toEqual(expected.map(({ path }) => path))
    for (const [index, file] of files.entries()) {
      // The database is asked about these.
      if (file.path.endsWith('.sql')) continue
      const before = expected[index] as GeneratedFile
      const holdsTexts = /Plain(?:documentation|default)/.test(before.content)
      const replace = (each: string) =>
        each
          .replaceAll(PLAIN.documentation, () => platform.documentation)
          .replaceAll(`'${PLAIN.value}'`, () => literal(texts.value))
          .replaceAll(PLAIN.value, () => texts.value)
      const [found, wanted] = !holdsTexts
        ? [file.content, before.content]
        : file.path.endsWith('.md')
          ? [file.content, withMarkdown(before.content, texts.value, platform)]
          : [parsed(file), parsed(before, replace)]
      expect([file.path, found]).toEqual([file.path, wanted])
    }
  }, 40)
})

test('texts are paragraphs and lists with code in Markdown', () => {
  const words = (each: string) => each.replaceAll(/[^\p{L}\p{N}]/gu, '')
  const shows = (markdown: string, expected: string, tags: RegExp) => {
    const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
    const { textContent } = JSDOM.fragment(html)
    expect([markdown, html.match(/<\w+/g)?.filter((tag) => !tags.test(tag)), words(textContent)]).toEqual([
      markdown,
      [],
      words(expected),
    ])
  }
  fc.assert(
    fc.property(text, (each) => {
      const plainText = each.replaceAll('\0', '').replaceAll('\r', '\n')
      // A list has no item without text, and addresses are links.
      shows(`#\n\n${markdownText(plainText)}\n\n#`, plainText, /^<(?:p|ul|ol|li|code|a|h1)$/)
      shows(
        `| a |\n| --- |\n| ${oneLine(plainText)} |`,
        `a${plainText}`,
        /^<(?:table|thead|tbody|tr|th|td|code|a)$/,
      )
    }),
    { numRuns: 500, examples: HOSTILE.map((each): [string] => [each]) },
  )
})

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase('CREATE SCHEMA safe; CREATE TABLE safe.canary ()')
})
afterAll(() => database.drop())

test('texts of a definition and of the command line stay texts in migrations', async () => {
  const { sql, url } = database
  await withTexts(async ({ documentation, value }) => {
    await sql`DROP SCHEMA IF EXISTS public CASCADE`
    await sql`CREATE SCHEMA public`
    let folder: MigrationFolder = { path: 'home-db/migrations', files: [], schema: undefined }
    const migrate = async (attributes: string) => {
      const source = `P: project {}${docComment(documentation)}\nHome: service { ${attributes} }`
      const { platform } = compile(source)
      const [home] = platform === undefined ? [] : databases(platform)
      if (home === undefined) throw new Error(`Invalid definition: ${source}`)
      const plan = planMigrations(home, folder, (_, column) => {
        const result = backfillSql(column, value)
        return 'sql' in result ? result.sql : undefined
      })
      if (typeof plan === 'string') throw new Error(plan)
      folder = { ...folder, files: [...folder.files, ...plan.added], schema: plan.schema }
      const directory = await mkdtemp(join(tmpdir(), 'portico-test-'))
      for (const { name, content } of folder.files) await writeFile(join(directory, name), content)
      await applyMigrations({ connection: { connectionString: url }, directory, all: true })
      await rm(directory, { recursive: true })
      return platform?.services[0]?.entity.documentation
    }
    await migrate('filled: string?;')
    await sql`INSERT INTO home (id) VALUES (uuidv7())`
    const given = `string = ${JSON.stringify(value)}`
    const comment = await migrate(
      `filled: string; added: string; defaulted: ${given}; optional: string? = ${JSON.stringify(value)};`,
    )
    expect(
      await sql`SELECT filled, added, defaulted, optional, obj_description('home'::regclass) AS comment FROM home`,
    ).toEqual([{ filled: value, added: value, defaulted: value, optional: value, comment: comment || null }])
    expect(await sql`SELECT FROM safe.canary`).toEqual([])
  }, 30)
})
