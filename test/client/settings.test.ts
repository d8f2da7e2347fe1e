import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hundred } from '../../scripts/hundred-definition.ts'
import { typescriptClient } from '../../src/emit/client/typescript/emit.ts'
import { platformOf } from '../emit/platform.ts'
import { typeErrors } from '../compiler.ts'
import { type GeneratedClient, generateClient } from './generated-client.ts'

/** Names of the client itself, structs, lists, every type, and omitted endpoints. */
const AWKWARD = `/// Rents */ lets.
P: project { #authMethod(email); }
/// @ts-expect-error
Session: service { name: string(9, 1) @unique; #auth; #omit[read, delete]; }
Result: service {
  /// A | "quoted"
  /// comment. */
  constructor: string; class: int(5, 1); at: time; when: datetime; day: date; blob: data(4); rate: float(2.0, precision: 4);
  session: Session; secret: string(8) @client; seen: bool @serverSet; hidden: int @server;
  Promise: struct { result: Result; #enumerable; }
  Page: struct { promise: Promise; #omit[create, read, update, delete]; #enumerable; }
  Criteria: struct { n: int; #enumerable(filter: [n]); }
  /// Read */ it.
  Class: endpoint { #get("{id}/class/{number}"); number: int @client; default: string? @client; constructor: data @serverSet; }
  Latest: endpoint { #get("latest/{day}"); day: date @client; delete: bool @client; #returns(list: Page); }
  Find: endpoint { #post("find"); words: string @client; #returns(list: Criteria); }
  Put: endpoint { #put("put"); secret: string = "x" @client; #returns(Result); #public; }
  Touch: endpoint { #delete("{id}/touch"); }
  Ping: endpoint { #get("ping"); }
  #enumerable; #readable(by: all);
}
Empty: service { #omit[create, read, update, delete]; }
Bare: service { Pages: struct { n: int @serverSet; } #omit[create, read, update, delete]; }`

const STRICTEST = {
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  skipLibCheck: false,
}

/** Common settings of projects that include the sources. */
const SETTINGS: Readonly<Record<string, object>> = {
  'nodenext with the DOM': { module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [] },
  'nodenext with the types of Node': {
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024'],
    types: ['node'],
  },
  'a bundler': {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    jsx: 'react-jsx',
    allowImportingTsExtensions: true,
  },
  'isolated declarations': {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    declaration: true,
    isolatedDeclarations: true,
  },
}

let client: GeneratedClient
beforeAll(async () => {
  client = await generateClient(AWKWARD)
})
afterAll(() => client.discard())

test.each(Object.entries(SETTINGS))('a client compiles in a project set to %s', async (name, settings) => {
  const file = path.join(client.directory, `tsconfig.${name.replaceAll(' ', '-')}.json`)
  await writeFile(file, JSON.stringify({ compilerOptions: { ...STRICTEST, ...settings }, include: ['src'] }))
  expect(await typeErrors(file)).toBe('')
})

test('decoded bytes can be given to what a browser does with them', async () => {
  const program = `import { fromBase64 } from './index.js'
export const picture: Blob = new Blob([fromBase64('AAAA')])
export const digest: Promise<ArrayBuffer> = crypto.subtle.digest('SHA-256', fromBase64('AAAA'))\n`
  await writeFile(path.join(client.directory, 'src/program.ts'), program)
  expect(await typeErrors(client.directory, '--noEmit')).toBe('')
})

test('the README describes filters only if a list has some', () => {
  const readmeOf = (definition: string) =>
    typescriptClient(platformOf(definition)).find(({ path: name }) => name === 'README.md')?.content
  expect(readmeOf(AWKWARD)).toContain('can be filtered or sorted')
  expect(readmeOf('P: project {} Note: service { n: int; #enumerable; }')).not.toContain('filtered')
})

test('names of the client itself are not replaced', () => {
  const files = typescriptClient(platformOf(AWKWARD))
  const text = files.find(({ path: name }) => name === 'src/services/result.ts')?.content
  expect(text).toContain('export interface Result_ {')
  expect(text).toContain(
    'createResult(request: ResultRequest, options?: CallOptions): Promise<Result<Result_>>',
  )
  expect(files.map(({ path: name }) => name).filter((name) => name.includes('services'))).toEqual([
    'src/services/bare.ts',
    'src/services/result.ts',
    'src/services/session.ts',
  ])
})

test('clients of the examples compile, the one of 100 services too', async () => {
  const examples = ['tiny', 'stays'].map((name) => readFileSync(`examples/${name}/${name}.portico`, 'utf8'))
  for (const definition of [...examples, hundred(100)]) {
    const other = await generateClient(definition)
    try {
      expect(await typeErrors(other.directory, '--noEmit')).toBe('')
    } finally {
      await other.discard()
    }
  }
})
