import { describe, expect, test } from 'vitest'
import { compile } from '../../../src/compile.ts'
import { hundred } from '../../../scripts/hundred-definition.ts'
import type { GeneratedFile } from '../../../src/emit/contract.ts'
import { emitProject } from '../../../src/emit/project.ts'
import type { Overrides } from '../../../src/model/resolve.ts'
import { readInput } from '../../goldens/cases.ts'
import { wholeDefinition } from '../../example-definition.ts'
import { platformOf } from '../platform.ts'

const linesOf = (files: readonly GeneratedFile[]) =>
  files.reduce((sum, { content }) => sum + content.split('\n').length - 1, 0)

/** The files of a directory of the project that are code. */
function filesOf(definition: string, directory: string, overrides: Overrides = {}) {
  const { platform } = compile(definition, overrides)
  return emitProject(platform ?? expect.unreachable('The definition has errors')).filter(
    ({ path }) => path.startsWith(`${directory}/`) && /\.(?:ts|go)$/.test(path),
  )
}

/** What a service with one entity can have at most: references, every kind of attribute, a list. */
const HOME = `
Home: service {
  host: Host;
  address: string(200, 1) @unique;
  description: string;
  rate: float(min: 0.0);
  beds: int(max: 40, min: 1);
  listedAt: datetime @serverSet;
  secret: string @server;
  note: string(80)?;
  sort: int = 0;
  code: string @client;
  plan: data(5M);
  #enumerable;
}`
const WITHOUT_USERS = `P: project {}\nHost: service { name: string; }${HOME}`
const WITH_USERS = `P: project { #authMethod(email); }\nHost: service { name: string; #auth; }${HOME}`

describe.each([
  ['without authentication', WITHOUT_USERS],
  ['with authentication', WITH_USERS],
])('a service with one entity, %s', (_title, definition) => {
  test('has at most 13 files and 545 lines, without its test', () => {
    const files = filesOf(definition, 'home').filter(({ path }) => !path.endsWith('.test.ts'))
    expect(files.length).toBeLessThanOrEqual(13)
    expect(linesOf(files)).toBeLessThanOrEqual(545)
  })
})

describe('in Go', () => {
  test.each([
    { title: 'without authentication', directory: 'home', definition: WITHOUT_USERS, files: 9, lines: 645 },
    { title: 'with authentication', directory: 'home', definition: WITH_USERS, files: 9, lines: 645 },
    {
      title: 'with a filter and an order',
      directory: 'loan',
      definition: readInput('go'),
      files: 9,
      lines: 645,
    },
    {
      title: 'with every feature',
      directory: 'booking',
      definition: readInput('all-features'),
      files: 10,
      lines: 760,
    },
  ])(
    'a service with one entity, $title, has at most $files files and $lines lines, without its test',
    ({ directory, definition, files: most, lines }) => {
      const files = filesOf(definition, directory, { language: 'go' }).filter(
        ({ path }) => !path.endsWith('_test.go'),
      )
      expect(files.length).toBeLessThanOrEqual(most)
      expect(linesOf(files)).toBeLessThanOrEqual(lines)
    },
  )

  test.each([
    { name: 'go', lines: 5155 },
    { name: 'all-features', lines: 5595 },
  ])('internal/platform of $name has at most $lines lines', ({ name, lines }) => {
    const files = filesOf(readInput(name), 'internal/platform', { language: 'go' })
    const tests = filesOf(readInput(name), 'internal/platform/platformtest', { language: 'go' })
    expect(linesOf(files) - linesOf(tests)).toBeLessThanOrEqual(lines)
  })
})

/** Tests have files of their own in lib. */
const isOfServices = ({ path }: GeneratedFile) => !path.startsWith('lib/testing')

describe('lib', () => {
  const all = filesOf(WITH_USERS, 'lib').filter(isOfServices)
  const added = /^lib\/(?:migrat|observe|opentelemetry|traces)/

  test('has at most 25 files and 2,545 lines', () => {
    expect(all.length).toBeLessThanOrEqual(25)
    expect(linesOf(all)).toBeLessThanOrEqual(2545)
  })

  test('has at most 19 files and 1,935 lines without what migrations and traces add', () => {
    const basic = all.filter(({ path }) => !added.test(path))
    expect(basic.length).toBeLessThanOrEqual(19)
    expect(linesOf(basic)).toBeLessThanOrEqual(1935)
  })

  test('has at most 16 files and 1,685 lines of these if no service refers to another', () => {
    const one = 'P: project { #authMethod(email); }\nHost: service { name: string; #auth; #enumerable; }'
    const basic = filesOf(one, 'lib').filter((file) => isOfServices(file) && !added.test(file.path))
    expect(basic.length).toBeLessThanOrEqual(16)
    expect(linesOf(basic)).toBeLessThanOrEqual(1685)
  })

  test.each([
    { example: 'stays', lines: 2950 },
    { example: 'desk', lines: 3610 },
  ])('has at most $lines lines in $example', ({ example, lines }) => {
    const definition = wholeDefinition(`examples/${example}/${example}.portico`)
    expect(linesOf(filesOf(definition, 'lib').filter(isOfServices))).toBeLessThanOrEqual(lines)
  })
})

test.each([
  { target: 'Compose', provider: 'dockerCompose', lines: 400 },
  { target: 'Kubernetes', provider: 'kube', lines: 470 },
])('the script that deploys a platform with $target has at most $lines lines', ({ provider, lines }) => {
  const settings = `#provider(${provider}); #metrics(prometheus); #authMethod`
  const definition = WITH_USERS.replace('#authMethod', settings)
  const script = emitProject(platformOf(definition)).filter(({ path }) => path === 'deploy.sh')
  expect(script).toHaveLength(1)
  expect(linesOf(script)).toBeLessThanOrEqual(lines)
})

test('a platform of 100 services has at most 1,800 files', () => {
  const platform = platformOf(hundred(100))
  expect(platform.services).toHaveLength(100)
  expect(emitProject(platform).length).toBeLessThanOrEqual(1800)
})

test('files that no service uses are not generated', () => {
  const names = (definition: string) => filesOf(definition, 'lib').map(({ path }) => path)
  const plain = names('P: project {}\nHome: service { name: string; }')
  for (const name of ['dates', 'lists', 'references', 'search', 'services', 'times', 'tokens'])
    expect(plain).not.toContain(`lib/${name}.ts`)
  expect(names('P: project {}\nHome: service { name: string; #enumerable; }')).toContain('lib/lists.ts')
  // Comments are no imports.
  const comment = "/// import { a } from '#lib/none.ts'\nHome: service { name: string; }"
  expect(names(`P: project {}\n${comment}`)).toEqual(plain)
})
