import { rm } from 'node:fs/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compile } from '../../../src/compile.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { writeFiles } from '../../emit/service-process.ts'
import { runGo } from './run-go.ts'

// Whatever things are called, services in Go compile. One module has many services, so that Go builds what they share
// only once.

/** Keywords, predeclared identifiers, initialisms, packages, and names and files of generated code. */
const WORDS =
  `break default func interface select case defer go map struct chan else goto package switch const
  fallthrough if range type continue for import return var any bool byte error float64 int rune string uint true false
  iota nil append cap clear close copy delete len make max min new panic print real recover id ids url api http https
  json uuid xml sql ip cpu db ts context errors fmt slices strings math time pgx platform slog strconv main init test
  linux windows amd64 js wasm env setup settings datastore metrics queries routes client entity value config log comm
  hooks owner owned by name create read update list identify all page limit after before sort total parent query request
  input caller created updated found lookup own generated router tokens transaction commit require readable writable
  find error names schema hash where plain values body key search columns scan in above from to below filter maybe role
  roles json stringer x y a1 b2 home`
    .split(/\s+/)
    .filter((word) => word !== '')

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
/** As people write words: `Url`, `URL`. */
const word = fc
  .tuple(fc.constantFrom(...WORDS), fc.boolean())
  .map(([text, isShort]) => (isShort && text.length <= 4 ? text.toUpperCase() : capital(text)))
const blockName = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
const attributeName = fc
  .tuple(fc.constantFrom(...WORDS), fc.array(word, { maxLength: 2 }))
  .map(([first, rest]) => [first, ...rest].join(''))
const enumValues = fc
  .uniqueArray(fc.oneof(fc.constantFrom(...WORDS), attributeName, blockName), {
    minLength: 2,
    maxLength: 5,
    selector: (value) => value.toLowerCase(),
  })
  .map((values) => values.join(', '))

const TYPES = [
  'string(20)',
  'int(max: 9)',
  'decimal(scale: 2)',
  'float',
  'date',
  'time',
  'datetime',
  'bool',
  'data(1K)',
]
const attribute = fc
  .record({
    name: attributeName,
    type: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...TYPES) },
      { weight: 1, arbitrary: enumValues.map((values) => `enum(${values})`) },
    ),
    rest: fc.constantFrom('', '', '', '?', ' @unique', ' @server', '? @serverSet', ' @client'),
  })
  .map(({ name, type, rest }) => ({
    name,
    text: `${name}: ${type}${rest};`,
    isPlain: rest === '' || rest === '?',
  }))

/** A service. Its structs refer to each other, it refers to others. */
const service = fc.record({
  name: blockName,
  attributes: fc.uniqueArray(attribute, { minLength: 1, maxLength: 5, selector: ({ name }) => name }),
  structs: fc.array(fc.tuple(blockName, attribute, attributeName), { maxLength: 2 }),
  endpoints: fc.uniqueArray(fc.tuple(blockName, attribute, attribute), {
    maxLength: 3,
    selector: ([name]) => name,
  }),
  reference: fc.option(attributeName),
  isListed: fc.boolean(),
  access: fc.constantFrom(
    '',
    '#readable(by: all);',
    '#readable(by: [this, ROLE]); #writable(by: ROLE);',
    '#readable(by: ROLE); #writable(by: [this, ROLE]);',
  ),
})

type Sample = typeof service extends fc.Arbitrary<infer Value> ? Value : never

function textOf(
  { name, attributes, structs, endpoints, reference, isListed, access }: Sample,
  target: string | undefined,
  role: string,
): string {
  const refers = reference === null || target === undefined ? '' : `  ${reference}: ${target};\n`
  const listed = attributes.filter(({ isPlain }) => isPlain).map((each) => each.name)
  const criteria = listed.length === 0 ? '' : `(filter: [${listed.join(', ')}], sort: [${listed.join(', ')}])`
  const [[first] = ['']] = structs
  return `${name}: service {
${attributes.map(({ text }) => `  ${text}\n`).join('')}${refers}${structs
  .map(([struct, only, link]) => `  ${struct}: struct { ${only.text} ${link}Of: ${first}?; #enumerable; }\n`)
  .join(
    '',
  )}${endpoints.map((each, index) => endpointOf(each, index)).join('')}  ${access.replaceAll('ROLE', role)}
${isListed ? `  #enumerable${criteria};\n` : ''}}
`
}

/** An endpoint with an attribute in requests and one in responses. */
function endpointOf([name, request, response]: Sample['endpoints'][number], index: number): string {
  const plain = ({ text }: { text: string }) => text.replaceAll(/ @\w+/g, '')
  const verb = index === 0 ? 'get' : 'post'
  return `  ${name}: endpoint { #${verb}("{id}/x${index}"); ${plain(request)} ${plain(response)} }\n`
}

/** The project with as many of the services as are legal together. */
function definition(seed: number): string {
  const some = fc.uniqueArray(attributeName, { minLength: 5, maxLength: 8 })
  const roles = fc.sample(some, { numRuns: 1, seed })[0] ?? []
  let text = `P: project { #language(go); #authMethod(email); #metrics(prometheus); #roles[${roles.join(', ')}]; }\nPerson: service { name: string(9); #auth; }\n`
  let target: string | undefined
  for (const sample of fc.sample(service, { numRuns: 60, seed })) {
    const longer = text + textOf(sample, target, roles[0] ?? '')
    if (compile(longer).platform === undefined) continue
    text = longer
    target = sample.name
  }
  return text
}

test.each([1, 2, 3])(
  'whatever things are called, the project compiles: seed %i',
  { timeout: 600_000 },
  async (seed) => {
    const text = `${definition(seed)}
HomeOwner: service { name: string(9); }
Homeowner: service { name: string(9); }
Both: service { one: HomeOwner; other: Homeowner; }`
    const { platform, diagnostics } = compile(text)
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    if (platform === undefined) return
    expect(platform.services.length).toBeGreaterThan(15)
    const directory = await writeFiles(
      emitProject(platform).filter(({ path }) => /\.go$|^go\.(?:mod|sum)$/.test(path)),
    )
    expect(await runGo('gofmt', ['-l', '.'], directory)).toBe('')
    expect(await runGo('go', ['vet', './...'], directory), text).toBe('')
    await rm(directory, { recursive: true })
  },
)
