import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  CodeActionRequest,
  type ClientCapabilities,
  type CodeAction,
  CodeLensRequest,
  type CompletionItem,
  CompletionRequest,
  DefinitionRequest,
  DidChangeWatchedFilesNotification,
  DidSaveTextDocumentNotification,
  DocumentHighlightRequest,
  FileChangeType,
  HoverRequest,
  InlayHintRequest,
  LinkedEditingRangeRequest,
  DocumentLinkRequest,
  type Location,
  type LocationLink,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  SemanticTokensRequest,
  SignatureHelpRequest,
  TypeDefinitionRequest,
  ShowMessageNotification,
  WillRenameFilesRequest,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { DefinitionsRequest } from '../../src/lsp/definitions-request.ts'
import { type DiagramResult, DiagramRequest } from '../../src/lsp/diagram.ts'
import { type Client, cursorIn, startServer } from './harness.ts'

let client: Client
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-definitions-'))
})
afterEach(async () => {
  expect(await client.stop()).toBe(0)
  expect(client.complaints).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

const STAYS = `import "hosts.portico";
import "parts/homes.portico";

Stays: project { #authMethod(email); }
`
const HOSTS = 'Host: service { name: string; #auth; }\n'
const HOMES = `Home: service {
  owner: Host;
  beds: int(40, 1);
  #uses[Host];
}
`
const ALL = { 'stays.portico': STAYS, 'hosts.portico': HOSTS, 'parts/homes.portico': HOMES }

const texts = new Map<string, string>()
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href
const nameOf = (uri: string): string => uri.slice(uriOf('').length).replace(/^\//, '')

/** Writes files, and starts a server in their folder. */
async function start(
  files: Record<string, string>,
  workspace: ClientCapabilities['workspace'] = {},
): Promise<void> {
  texts.clear()
  for (const [name, text] of Object.entries(files)) write(name, text)
  client = await startServer({
    folders: [{ uri: pathToFileURL(folder).href, name: 'folder' }],
    capabilities: { workspace: { ...workspace, didChangeWatchedFiles: { dynamicRegistration: true } } },
    initializationOptions: { diagnosticsDelay: 0 },
  })
}

function write(name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
  texts.set(name, text)
}

const open = (name: string): Promise<string> => client.open(texts.get(name) ?? '', uriOf(name))

const changed = (...changes: readonly (readonly [name: string, type: FileChangeType])[]): Promise<void> =>
  client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
    changes: changes.map(([name, type]) => ({ uri: uriOf(name), type })),
  })

/** The position after the first occurrence of a text in an open file. */
function after(name: string, before: string): ReturnType<Client['at']> {
  const text = client.document(uriOf(name)).getText()
  const index = text.indexOf(before)
  if (index < 0) throw new Error(`${before} is not in ${name}`)
  return client.at(uriOf(name), index + before.length)
}

/** The codes that are shown for a file, once they are these. */
async function shows(name: string, ...codes: string[]): Promise<void> {
  await expect
    .poll(
      () =>
        client.published.findLast(({ uri }) => uri === uriOf(name))?.diagnostics.map(({ code }) => code) ??
        [],
    )
    .toEqual(codes)
}

function shown(found: readonly (Location | LocationLink)[] | Location | null): string[] {
  return [found ?? []].flat().map((place) => {
    const [uri, range] =
      'targetUri' in place ? [place.targetUri, place.targetSelectionRange] : [place.uri, place.range]
    return `${nameOf(uri)}:${range.start.line}:${range.start.character}`
  })
}

/** The files that an edit changes, with their new texts. */
function edited(edit: WorkspaceEdit | null | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(edit?.changes ?? {}).map(([uri, edits]) => {
      const name = nameOf(uri)
      const document = TextDocument.create(uri, 'portico', 0, texts.get(name) ?? '')
      return [name, TextDocument.applyEdits(document, edits)]
    }),
  )
}

/** The code actions after the first occurrence of a text in an open file. */
async function actionsAt(name: string, before: string, ...only: string[]): Promise<CodeAction[]> {
  const { position } = after(name, before)
  const found = await client.request(CodeActionRequest.type, {
    textDocument: { uri: uriOf(name) },
    range: { start: position, end: position },
    context: { diagnostics: [], ...(only.length > 0 ? { only } : {}) },
  })
  return (found ?? []) as CodeAction[]
}

/** What completion offers in an open file with this text, where the cursor is. */
async function complete(name: string, marked: string): Promise<CompletionItem[]> {
  const { text, offset } = cursorIn(marked)
  await client.edit(uriOf(name), text)
  const list = await client.request(CompletionRequest.type, client.at(uriOf(name), offset))
  return Array.isArray(list) ? list : (list?.items ?? [])
}

test('the server watches definitions, not every file', async () => {
  await start(ALL)
  const watchers = () =>
    client.registrations
      .flatMap(({ registrations }) => registrations)
      .filter(({ method }) => method === DidChangeWatchedFilesNotification.method)
      .map(({ registerOptions }) => registerOptions as unknown)
  await expect
    .poll(watchers)
    .toEqual([{ watchers: [{ globPattern: '**/{*.portico,*.temple,*.templefile,templefile}' }] }])
})

describe('a definition of several files', () => {
  test('is valid, and none of its files has a hint', async () => {
    await start(ALL)
    const uri = await open('parts/homes.portico')
    expect(await client.diagnostics(uri)).toEqual([])
    expect(client.published.filter(({ diagnostics }) => diagnostics.length > 0)).toEqual([])
  })

  test('has its diagnostics in the file that they are about, which refer to other files', async () => {
    await start({ ...ALL, 'hosts.portico': `${HOSTS}Home: service {}\n` })
    await shows('parts/homes.portico', 'duplicate-block')
    const [found] = client.published.findLast(({ uri }) => uri.endsWith('homes.portico'))?.diagnostics ?? []
    expect(found?.range.start).toEqual({ line: 0, character: 0 })
    expect(shown(found?.relatedInformation?.map(({ location }) => location) ?? [])).toEqual([
      'hosts.portico:1:0',
    ])
  })

  test('is checked with unsaved text, and files that are not open too', async () => {
    await start(ALL)
    const hosts = await open('hosts.portico')
    await client.diagnostics(hosts)
    await client.edit(hosts, HOSTS.replace('Host', 'Guest'))
    await shows('parts/homes.portico', 'unknown-type', 'unknown-service')
    await client.edit(hosts, HOSTS)
    await shows('parts/homes.portico')
    await client.edit(hosts, HOSTS.replace('Host', 'Guest'))
    await shows('parts/homes.portico', 'unknown-type', 'unknown-service')
    // Without saving.
    await client.close(hosts)
    await shows('parts/homes.portico')
  })

  test('follows its imports as they are edited', async () => {
    await start(ALL)
    const stays = await open('stays.portico')
    await client.diagnostics(stays)
    await client.edit(stays, STAYS.replace('import "hosts.portico";\n', ''))
    await shows('parts/homes.portico', 'unknown-type', 'unknown-service')
    await shows('hosts.portico', 'not-imported')
    await client.edit(stays, STAYS)
    await shows('parts/homes.portico')
    await shows('hosts.portico')
  })

  test('follows its files on the disk', async () => {
    await start(ALL)
    const homes = await open('parts/homes.portico')
    expect(await client.diagnostics(homes)).toEqual([])
    rmSync(join(folder, 'hosts.portico'))
    await changed(['hosts.portico', FileChangeType.Deleted])
    // Nothing is reported for what the missing file declares.
    await shows('stays.portico', 'unreadable-import')
    await shows('parts/homes.portico')
    write('hosts.portico', HOSTS)
    await changed(['hosts.portico', FileChangeType.Created])
    await shows('stays.portico')
    await shows('parts/homes.portico')
    await client.close(homes)
    rmSync(join(folder, 'parts'), { recursive: true })
    await changed(['parts', FileChangeType.Deleted])
    await shows('stays.portico', 'unreadable-import')
  })

  test('loses a file that is deleted before its change is read', async () => {
    await start(ALL)
    const homes = await open('parts/homes.portico')
    expect(await client.diagnostics(homes)).toEqual([])
    rmSync(join(folder, 'hosts.portico'))
    await changed(['hosts.portico', FileChangeType.Changed])
    await changed(['hosts.portico', FileChangeType.Deleted])
    await shows('stays.portico', 'unreadable-import')
  })

  test('has no file outside its folder', async () => {
    await start({
      'a/stays.portico': 'import "hosts.portico";\nStays: project {}\nHome: service {}\n',
      'b/hosts.portico': HOSTS,
    })
    symlinkSync(join(folder, 'b/hosts.portico'), join(folder, 'a/hosts.portico'))
    const uri = await open('a/stays.portico')
    await shows('a/stays.portico', 'invalid-import')
    await client.open(HOSTS, uriOf('a/hosts.portico'))
    await client.edit(uri, client.document(uri).getText().replace('Home', 'House'))
    expect((await client.diagnostics(uri)).map(({ code }) => code)).toEqual(['invalid-import'])
  })

  test('is the one that commands about its files apply to', async () => {
    await start({
      ...ALL,
      'other.portico': 'import "hosts.portico";\nOther: project {}\n',
      'single.portico': 'Single: project {}\n',
      'attribute.portico': 'Home: service {\n  x: project;\n}\n',
      'comment.portico': '/*\nOld: project {}\n*/\nHome: service {}\n',
    })
    const ask = async (...names: string[]): Promise<string[]> =>
      (await client.connection.sendRequest(DefinitionsRequest, { uris: names.map(uriOf) })).map(nameOf)
    expect(await ask('stays.portico')).toEqual(['stays.portico'])
    expect(await ask('parts/homes.portico')).toEqual(['stays.portico'])
    expect(await ask('hosts.portico')).toEqual(['other.portico', 'stays.portico'])
    expect(await ask('attribute.portico', 'comment.portico', 'missing.portico')).toEqual([])
    expect(await ask('single.portico', 'hosts.portico', 'stays.portico')).toEqual([
      'single.portico',
      'other.portico',
      'stays.portico',
    ])
    const single = await open('single.portico')
    await client.edit(single, '// Single: project {}\n')
    expect(await ask('single.portico')).toEqual([])
  })

  test('reads files that are not in a folder of the workspace', async () => {
    await start({})
    await client.stop()
    for (const [name, text] of Object.entries(ALL)) write(name, text)
    client = await startServer()
    const uri = await open('stays.portico')
    expect(await client.diagnostics(uri)).toEqual([])
    const homes = await open('parts/homes.portico')
    expect(await client.diagnostics(homes)).toEqual([])
    expect(
      shown(await client.request(DefinitionRequest.type, after('parts/homes.portico', 'owner: H'))),
    ).toEqual(['hosts.portico:0:0'])
  })
})

describe('a file in two definitions', () => {
  const TWO = {
    'one.portico': 'import "shared.portico";\n\nOne: project {}\n\nHost: service { home: Home; }\n',
    'two.portico': 'import "shared.portico";\n\nTwo: project {}\n\nGuest: service { home: Home; }\n',
    'shared.portico': 'Home: service { owner: Host; beds: itn; }\n',
  }

  test('has the diagnostics of both, each once', async () => {
    await start(TWO)
    // `Host` makes a cycle in the first definition, and is unknown in the second one.
    await shows('shared.portico', 'reference-cycle', 'unknown-type', 'unknown-type')
  })

  test('is renamed in both, and has the references in both', async () => {
    await start({ ...TWO, 'shared.portico': 'Home: service { beds: int; }\n' })
    await open('shared.portico')
    const place = after('shared.portico', 'Ho')
    const context = { includeDeclaration: true }
    expect(shown(await client.request(ReferencesRequest.type, { ...place, context }))).toEqual([
      'shared.portico:0:0',
      'one.portico:4:22',
      'two.portico:4:23',
    ])
    expect(edited(await client.request(RenameRequest.type, { ...place, newName: 'House' }))).toEqual({
      'shared.portico': 'House: service { beds: int;\n  #was(Home);\n}\n',
      'one.portico': TWO['one.portico'].replace(': Home', ': House'),
      'two.portico': TWO['two.portico'].replace(': Home', ': House'),
    })
    await expect(client.request(RenameRequest.type, { ...place, newName: 'Two' })).rejects.toThrow(
      '`Two` is already declared',
    )
  })
})

describe('a closed file that changed without a report', () => {
  const LONGER = `// Somebody.\n\n${HOSTS}`
  beforeEach(async () => {
    await start(ALL)
    await client.diagnostics(await open('parts/homes.portico'))
    write('hosts.portico', LONGER)
  })

  test('is renamed in as it is', async () => {
    const rename = { ...after('parts/homes.portico', 'owner: H'), newName: 'Guest' }
    const edit = edited(await client.request(RenameRequest.type, rename))
    expect(edit['hosts.portico']).toBe(LONGER.replace('Host', 'Guest').replace(' }', '\n  #was(Host);\n}'))
  })

  test('is read when another file is saved', async () => {
    write('hosts.portico', HOSTS.replace('Host', 'Guest'))
    const uri = uriOf('parts/homes.portico')
    await client.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } })
    await shows('parts/homes.portico', 'unknown-type', 'unknown-service')
  })

  test('has its imports updated as they are', async () => {
    write('stays.portico', `// All of them.\n${STAYS}`)
    const files = [{ oldUri: uriOf('hosts.portico'), newUri: uriOf('people.portico') }]
    const edit = edited(await client.request(WillRenameFilesRequest.type, { files }))
    expect(edit).toEqual({ 'stays.portico': `// All of them.\n${STAYS.replace('hosts', 'people')}` })
  })

  test('is fixed as it is', async () => {
    const stays = `// All of them.\n${STAYS}`
    write('stays.portico', stays.replace(' #authMethod(email); ', ''))
    await open('hosts.portico')
    const [found] = await actionsAt('hosts.portico', '#aut')
    expect(edited(found?.edit)).toEqual({
      'stays.portico': stays.replace(' #authMethod(email); ', '\n  #authMethod(email);\n'),
    })
  })
})

describe('a file that no definition imports', () => {
  test('has a hint and its own mistakes, and no error for missing blocks', async () => {
    await start({ 'hosts.portico': '// Nothing yet.\n', 'homes.portico': 'Home: service { beds: itn; }\n' })
    await shows('hosts.portico', 'not-imported')
    await shows('homes.portico', 'not-imported', 'unknown-type')
    const hosts = await open('hosts.portico')
    expect(await client.diagnostics(hosts)).toMatchObject([{ severity: 4 }])
  })

  test('may refer to what the definition has, and to files above', async () => {
    await start({
      'parts/rooms.portico': 'import "../homes.portico";\nRoom: service { home: Home; beds: itn; }\n',
      'guests.portico': 'Guest: service { room: Room; #uses[Home]; }\n',
      'trips.portico': 'import "trips.txt";\n',
    })
    await shows('parts/rooms.portico', 'not-imported', 'unknown-type')
    await shows('guests.portico', 'not-imported')
    await shows('trips.portico', 'not-imported', 'invalid-import')
  })

  test('is read with what it imports', async () => {
    await start({ 'homes.portico': `import "hosts.portico";\n\n${HOMES}`, 'hosts.portico': HOSTS })
    await shows('homes.portico', 'not-imported')
    await shows('hosts.portico', 'not-imported')
  })

  test('has no project added by fixing everything', async () => {
    await start({ 'homes.portico': 'Home: service { beds: text; }\n' })
    await open('homes.portico')
    const [action] = await actionsAt('homes.portico', 'Home', 'source.fixAll.portico')
    expect(edited(action?.edit)).toEqual({ 'homes.portico': 'Home: service { beds: string; }\n' })
  })
})

describe('features across files', () => {
  beforeEach(async () => {
    await start(ALL)
    for (const name of Object.keys(ALL)) await open(name)
  })

  test('go to a definition, a type and an imported file', async () => {
    const place = after('parts/homes.portico', 'owner: H')
    expect(shown(await client.request(DefinitionRequest.type, place))).toEqual(['hosts.portico:0:0'])
    expect(
      shown(await client.request(TypeDefinitionRequest.type, after('parts/homes.portico', 'ow'))),
    ).toEqual(['hosts.portico:0:0'])
    expect(shown(await client.request(DefinitionRequest.type, after('stays.portico', '"parts')))).toEqual([
      'parts/homes.portico:0:0',
    ])
  })

  test('hover, signatures and hints', async () => {
    const hover = await client.request(HoverRequest.type, after('parts/homes.portico', 'owner: H'))
    expect(JSON.stringify(hover?.contents)).toContain('Host: service')
    expect(hover?.range).toEqual({ start: { line: 1, character: 9 }, end: { line: 1, character: 13 } })
    const signature = await client.request(SignatureHelpRequest.type, after('parts/homes.portico', 'int('))
    expect(signature?.signatures[0]?.label).toContain('int(')
    const hints = await client.request(InlayHintRequest.type, {
      textDocument: { uri: uriOf('parts/homes.portico') },
      range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } },
    })
    expect(hints?.map(({ position, label }) => [position.line, label])).toEqual([
      [0, 'readable by: this, writable by: this'],
      [2, 'max:'],
      [2, 'min:'],
    ])
  })

  test('references, and highlights of one file', async () => {
    const place = after('parts/homes.portico', 'owner: H')
    const context = { includeDeclaration: true }
    expect(shown(await client.request(ReferencesRequest.type, { ...place, context }))).toEqual([
      'hosts.portico:0:0',
      'parts/homes.portico:1:9',
      'parts/homes.portico:3:8',
    ])
    const highlights = await client.request(DocumentHighlightRequest.type, place)
    expect(highlights?.map(({ range }) => range.start.line)).toEqual([1, 3])
    expect(await client.request(LinkedEditingRangeRequest.type, after('hosts.portico', 'Ho'))).toBeNull()
  })

  test('renaming', async () => {
    const place = after('parts/homes.portico', 'owner: H')
    expect(await client.request(PrepareRenameRequest.type, place)).toEqual({
      start: { line: 1, character: 9 },
      end: { line: 1, character: 13 },
    })
    expect(edited(await client.request(RenameRequest.type, { ...place, newName: 'Guest' }))).toEqual({
      'hosts.portico': 'Guest: service { name: string; #auth;\n  #was(Host);\n}\n',
      'parts/homes.portico': HOMES.replaceAll('Host', 'Guest'),
    })
    await expect(client.request(RenameRequest.type, { ...place, newName: 'Stays' })).rejects.toThrow(
      '`Stays` is already declared',
    )
  })

  test('completion', async () => {
    const labels = async (text: string): Promise<string[]> =>
      (await complete('hosts.portico', `${text}‸`)).map(({ label }) => label)
    const types = await labels('Host: service { #auth; }\nRoom: service { home: H')
    expect(types).toContain('Home')
    expect(types).toContain('string')
    // The project is in another file.
    expect(await labels(HOSTS)).toContain('service')
    expect(await labels(HOSTS)).not.toContain('project')
  })

  test('completion of paths to the folder above', async () => {
    write('guests.portico', 'Guest: service {}\n')
    await changed(['guests.portico', FileChangeType.Created])
    const found = await complete('parts/homes.portico', `import "‸";\n${HOMES}`)
    expect(found.map(({ label }) => label)).toEqual(['../guests.portico'])
  })

  test('code actions', async () => {
    const uri = uriOf('parts/homes.portico')
    await client.edit(uri, HOMES.replace('owner: Host', 'owner: Hosst').replace('int(40, 1)', 'int(1, 40)'))
    texts.set('parts/homes.portico', client.document(uri).getText())
    const quick = await actionsAt('parts/homes.portico', 'owner: H', 'quickfix')
    expect(quick[0]?.title).toBe('Change to `Host`')
    expect(edited(quick[0]?.edit)['parts/homes.portico']).toBe(HOMES.replace('40, 1', '1, 40'))
    const [all] = await actionsAt('parts/homes.portico', 'owner: H', 'source.fixAll')
    expect(edited(all?.edit)).toEqual({ 'parts/homes.portico': HOMES })
  })

  test('completion of imports at the top of a file, and of their paths', async () => {
    const stays = uriOf('stays.portico')
    write('guests.portico', 'Guest: service {}\n')
    write('other/trips.portico', 'Trips: project {}\n')
    await changed(['guests.portico', FileChangeType.Created], ['other', FileChangeType.Created])
    await shows('guests.portico', 'not-imported')
    const completed = async (marked: string): Promise<string[]> =>
      (await complete('stays.portico', marked)).map(({ label, textEdit }) =>
        textEdit !== undefined && 'range' in textEdit
          ? `${label}: ${client.applied(stays, [textEdit])}`
          : label,
      )
    expect(await completed('im‸')).toContain('import: import "other.portico";')
    expect((await completed('P: project {}\nim‸')).filter((each) => each.startsWith('import'))).toEqual([])
    expect(await completed('import "g‸uest";\nimport "hosts.portico";\nP: project {}\n')).toEqual([
      'guests.portico: import "guests.portico";\nimport "hosts.portico";\nP: project {}\n',
      'parts/homes.portico: import "parts/homes.portico";\nimport "hosts.portico";\nP: project {}\n',
    ])
    const paths = async (marked: string): Promise<string[]> =>
      (await complete('stays.portico', marked)).map(({ label }) => label)
    const all = ['guests.portico', 'hosts.portico', 'parts/homes.portico']
    // Wherever the grammar has an import, closed or not, and whatever follows it.
    for (const marked of [
      'import "‸',
      'import "gu‸',
      'import "‸"',
      'import\n"‸',
      'import\n  "gu‸";\nP: project {',
      '/* x */ import /* y */ "‸',
      'P: project {}\nimport "gu‸ests.portico" as guests;\n',
      'import "gu‸ests.portico\nP: project {}\nHome: service {',
      'import "‸;\nP: project {}\n',
    ])
      expect(await paths(marked), marked).toEqual(all)
    for (const marked of [
      '// import "‸',
      '// x; import "‸"',
      '/*\nimport "‸"\n*/',
      '/// x; import "‸',
      '/*\nimport "‸',
      'P: project {\n  import "‸";\n}\n',
      'P: project {\n  import "‸\n}\n',
      'Home: service { name: string = "‸"; }',
      'Home: service { name: string =\n; import "‸"; }',
      'import ‸"hosts.portico";',
      'import "hosts.portico"‸;',
      'include "‸";',
    ])
      expect(
        (await paths(marked)).filter((path) => all.includes(path)),
        marked,
      ).toEqual([])
  })

  test('links of imports', async () => {
    const links = await client.request(DocumentLinkRequest.type, {
      textDocument: { uri: uriOf('stays.portico') },
    })
    expect(links?.map(({ target = '' }) => nameOf(target))).toEqual(['hosts.portico', 'parts/homes.portico'])
  })

  test('moving a file or a folder', async () => {
    await client.edit(uriOf('parts/homes.portico'), `import "../hosts.portico";\n${HOMES}`)
    texts.set('parts/homes.portico', client.document(uriOf('parts/homes.portico')).getText())
    const move = async (from: string, to: string): Promise<Record<string, string>> =>
      edited(
        await client.request(WillRenameFilesRequest.type, {
          files: [{ oldUri: uriOf(from), newUri: uriOf(to) }],
        }),
      )
    expect(await move('hosts.portico', 'parts/people.portico')).toEqual({
      'stays.portico': STAYS.replace('hosts', 'parts/people'),
      'parts/homes.portico': `import "people.portico";\n${HOMES}`,
    })
    expect(await move('parts', 'all/parts')).toEqual({
      'stays.portico': STAYS.replace('parts/', 'all/parts/'),
      'parts/homes.portico': `import "../../hosts.portico";\n${HOMES}`,
    })
    expect(await move('stays.portico', 'main.portico')).toEqual({})
    const { workspace } = client.initialized?.capabilities ?? {}
    expect(workspace?.fileOperations?.willRename?.filters).toHaveLength(2)
  })

  test('lenses and semantic tokens of the own file', async () => {
    const textDocument = { uri: uriOf('hosts.portico') }
    const lenses = await client.request(CodeLensRequest.type, { textDocument })
    expect(lenses?.map(({ command }) => command?.title)).toEqual(['2 references', '6 endpoints'])
    const tokens = await client.request(SemanticTokensRequest.type, {
      textDocument: { uri: uriOf('parts/homes.portico') },
    })
    const lines: number[] = []
    for (let at = 0; at < (tokens?.data.length ?? 0); at += 5)
      lines.push((lines.at(-1) ?? 0) + (tokens?.data[at] ?? 0))
    expect(Math.max(...lines)).toBe(3)
    expect(lines[0]).toBe(0)
  })

  test('the diagram', async () => {
    const { svg, declarations } = await client.connection.sendRequest<DiagramResult>(DiagramRequest.method, {
      uri: uriOf('parts/homes.portico'),
    })
    expect(svg).toContain('Host')
    expect(declarations.map(({ name, uri }) => `${name} in ${nameOf(uri)}`)).toEqual([
      'Host in hosts.portico',
      'Home in parts/homes.portico',
    ])
  })
})

describe('a file that is not imported yet', () => {
  const GUESTS = 'Guest: service { name: string(80); }\n'

  test('is imported by a fix, from the file with the unknown name', async () => {
    // `Guets` is what the fix would suggest if no file declared `Guest`.
    const homes = `${HOMES.replace('#uses[Host]', '#uses[Host, Guest]; guest: Guest;')}Guets: service {}\n`
    await start({ ...ALL, 'parts/homes.portico': homes, 'parts/guests.portico': GUESTS })
    await open('parts/homes.portico')
    for (const before of ['guest: Gu', 'Host, Gu']) {
      const [first, ...others] = await actionsAt('parts/homes.portico', before)
      expect(first).toMatchObject({ title: 'Import `guests.portico`', isPreferred: true })
      expect(edited(first?.edit)).toEqual({ 'parts/homes.portico': `import "guests.portico";\n\n${homes}` })
      expect(others.map(({ title }) => title)).toContain('Change to `Guets`')
      expect(others.some(({ isPreferred }) => isPreferred)).toBe(false)
    }
  })

  test('is imported after other imports, with the line ends of the file', async () => {
    const stays =
      'import "hosts.portico"; // All.\r\n\r\nStays: project {}\r\nHome: service { guest: Guest; host: Host; }\r\n'
    await start({
      'stays.portico': stays,
      'hosts.portico': 'Host: service {}\n',
      'a/guests.portico': GUESTS,
      'b/guests.portico': GUESTS,
    })
    await open('stays.portico')
    const found = await actionsAt('stays.portico', 'guest: Gu')
    expect(found.slice(0, 2).map(({ title, isPreferred = false }) => [title, isPreferred])).toEqual([
      ['Import `a/guests.portico`', false],
      ['Import `b/guests.portico`', false],
    ])
    expect(edited(found[1]?.edit)['stays.portico']).toBe(
      stays.replace('"hosts.portico";', '"hosts.portico";\r\nimport "b/guests.portico";'),
    )
  })

  test('is imported by completion', async () => {
    await start({ ...ALL, 'parts/guests.portico': GUESTS })
    const uri = await open('parts/homes.portico')
    const completed = async (marked: string) =>
      (await complete('parts/homes.portico', marked)).flatMap(
        ({ label, textEdit, additionalTextEdits = [] }) =>
          label === 'Guest' && textEdit !== undefined && 'range' in textEdit
            ? [client.applied(uri, [...additionalTextEdits, textEdit])]
            : [],
      )
    const expected = (text: string): string[] => [`import "guests.portico";\n\n${text}`]
    expect(await completed('Home: service { guest: Gu‸; }\n')).toEqual(
      expected('Home: service { guest: Guest; }\n'),
    )
    expect(await completed('Home: service { #uses[‸]; }\n')).toEqual(
      expected('Home: service { #uses[Guest]; }\n'),
    )
    expect(await completed('Home: service { guest: Gu‸(80); }\n')).toEqual([])
    expect(await completed('Home: service { gu‸ }\n')).toEqual([])
  })

  test('is suggested for a misspelled path', async () => {
    await start({
      'stays.portico': STAYS.replace('hosts.portico', 'hots.portico').replace('parts/homes', 'homes'),
      'parts/homes.portico': HOMES,
    })
    await open('stays.portico')
    const titles = async (before: string): Promise<string[]> =>
      (await actionsAt('stays.portico', before)).map(
        ({ title, isPreferred = false }) => `${isPreferred ? '* ' : ''}${title}`,
      )
    expect((await titles('"homes'))[0]).toBe('Change to `"parts/homes.portico"`')
    expect(await titles('"hots')).toEqual([])
    write('hosts.portico', HOSTS)
    await changed(['hosts.portico', FileChangeType.Created])
    await expect.poll(async () => (await titles('"hots'))[0]).toBe('* Change to `"hosts.portico"`')
  })
})

test('text that is added to another file has the line ends of that file', async () => {
  const hosts = 'Host: service {\r\n  name: string;\r\n}\r\n'
  const stays = 'import "hosts.portico";\n\nStays: project {}\nHome: service { owner: Host; }\n'
  await start({ 'stays.portico': stays, 'hosts.portico': hosts })
  await open('stays.portico')
  const edit = await client.request(RenameRequest.type, {
    ...after('stays.portico', 'owner: Ho'),
    newName: 'Guest',
  })
  expect(edited(edit)).toEqual({
    'stays.portico': stays.replace('Host;', 'Guest;'),
    'hosts.portico': hosts.replace('Host', 'Guest').replace('}', '  #was(Host);\r\n}'),
  })
})

describe('moving a file so that an import would leave the folder', () => {
  const move = (from: string, to: string) =>
    client.request(WillRenameFilesRequest.type, { files: [{ oldUri: uriOf(from), newUri: uriOf(to) }] })

  test('asks an editor that can ask first', async () => {
    await start(ALL, { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } })
    const edit = await move('stays.portico', 'main/stays.portico')
    const [warning] = Object.values(edit?.changeAnnotations ?? {})
    expect(warning).toMatchObject({
      label: '2 imports would lead out of the folder of the definition, such as `"../hosts.portico"`',
      needsConfirmation: true,
    })
    expect(edit?.documentChanges).toMatchObject([
      {
        textDocument: { uri: uriOf('stays.portico') },
        edits: [{ annotationId: 'outside' }, { annotationId: 'outside' }],
      },
    ])
    expect(await move('hosts.portico', 'parts/hosts.portico')).toHaveProperty('changes')
  })

  test('warns in others', async () => {
    await start(ALL)
    const shownMessages: string[] = []
    client.connection.onNotification(
      ShowMessageNotification.type,
      ({ message }) => void shownMessages.push(message),
    )
    expect(await move('hosts.portico', '../hosts.portico')).toHaveProperty('changes')
    expect(await move('stays.portico', 'main.portico')).toBeNull()
    await expect
      .poll(() => shownMessages)
      .toEqual(['1 import would lead out of the folder of the definition, such as `"../hosts.portico"`.'])
  })
})
