import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  DefinitionRequest,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  DocumentDiagnosticRequest,
  FileChangeType,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver-protocol/node'
import { type Client, startServer } from './harness.ts'

let client: Client
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-workspace-'))
})
afterEach(async () => {
  expect(await client.stop()).toBe(0)
  expect(client.complaints).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

const GOOD = 'Good: project {}\nHome: service { beds: int; }\n'
const BAD = 'Bad: project {}\nHome: service { beds: itn; }\n'

function write(name: string, text: string): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return pathToFileURL(path).href
}

async function start(): Promise<void> {
  client = await startServer({
    folders: [{ uri: pathToFileURL(folder).href, name: 'folder' }],
    capabilities: {
      workspace: { workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true } },
    },
  })
}

const changed = (uri: string, type: FileChangeType): Promise<void> =>
  client.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [{ uri, type }] })

/** The codes that are shown for a file, once they are these. */
async function shows(uri: string, ...codes: string[]): Promise<void> {
  await expect
    .poll(
      () =>
        client.published.findLast((params) => params.uri === uri)?.diagnostics.map(({ code }) => code) ?? [],
    )
    .toEqual(codes)
}

describe('definitions that are not open', () => {
  test('are checked independently, and followed on the disk', async () => {
    const bad = write('one/bad.portico', BAD)
    write('two/good.temple', GOOD)
    write('node_modules/x/bad.portico', BAD)
    await start()
    await shows(bad, 'unknown-type')
    expect(new Set(client.published.map(({ uri }) => uri))).toEqual(new Set([bad]))
    write('one/bad.portico', GOOD)
    await changed(bad, FileChangeType.Changed)
    await shows(bad)
  })

  test('lose their diagnostics when they are deleted or renamed, also with their directory', async () => {
    const one = write('dir/one.portico', BAD)
    const two = write('two.portico', BAD)
    await start()
    await shows(one, 'unknown-type')
    await shows(two, 'unknown-type')
    rmSync(join(folder, 'dir'), { recursive: true })
    await changed(pathToFileURL(join(folder, 'dir')).href, FileChangeType.Deleted)
    await shows(one)
    renameSync(join(folder, 'two.portico'), join(folder, 'three.portico'))
    const three = pathToFileURL(join(folder, 'three.portico')).href
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
      changes: [
        { uri: two, type: FileChangeType.Deleted },
        { uri: three, type: FileChangeType.Created },
      ],
    })
    await shows(two)
    await shows(three, 'unknown-type')
  })

  test('are found in new folders, and follow folders that are renamed or moved', async () => {
    await start()
    const folderUri = (name: string): string => pathToFileURL(join(folder, name)).href
    const moved = (from: string, to: string): Promise<void> => {
      renameSync(join(folder, from), join(folder, to))
      return client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
        changes: [
          { uri: folderUri(from), type: FileChangeType.Deleted },
          { uri: folderUri(to), type: FileChangeType.Created },
        ],
      })
    }
    const first = write('new/deep/a.portico', BAD)
    await changed(folderUri('new'), FileChangeType.Created)
    await shows(first, 'unknown-type')
    await moved('new', 'renamed')
    await shows(first)
    await shows(folderUri('renamed/deep/a.portico'), 'unknown-type')
    await moved('renamed/deep', 'moved')
    await shows(folderUri('renamed/deep/a.portico'))
    await shows(folderUri('moved/a.portico'), 'unknown-type')
  })

  test('are not read in hidden folders and in folders with packages', async () => {
    await start()
    const folderUri = (name: string): string => pathToFileURL(join(folder, name)).href
    const skipped = ['node_modules', '.git', 'app/.hidden', 'app/node_modules'].map((name) => {
      const uri = write(`${name}/x/bad.portico`, BAD)
      return [uri, folderUri(name), folderUri(`${name}/x`)]
    })
    for (const uri of skipped.flat()) await changed(uri, FileChangeType.Created)
    const read = write('app/read/bad.portico', BAD)
    await changed(folderUri('app'), FileChangeType.Created)
    await shows(read, 'unknown-type')
    expect(new Set(client.published.map(({ uri }) => uri))).toEqual(new Set([read]))
    // Such a file is checked only while it is open.
    const [open = ''] = skipped[0] ?? []
    await client.open(BAD, open)
    await shows(open, 'unknown-type')
    await client.close(open)
    await shows(open)
  })

  test('have one of the known extensions, or the name templefile', async () => {
    const named = write('old/templefile', BAD)
    const extended = write('old/shop.templefile', BAD)
    write('old/templefile.txt', BAD)
    await start()
    await shows(named, 'unknown-type')
    await shows(extended, 'unknown-type')
    write('old/templefile', GOOD)
    await changed(named, FileChangeType.Changed)
    await shows(named)
    expect(new Set(client.published.map(({ uri }) => uri))).toEqual(new Set([named, extended]))
  })

  test('have the content of the editor while they are open, and of the disk afterwards', async () => {
    const uri = write('a.portico', BAD)
    await start()
    await shows(uri, 'unknown-type')
    await client.open(GOOD, uri)
    await shows(uri)
    await changed(uri, FileChangeType.Changed)
    await changed(uri, FileChangeType.Deleted)
    expect(await client.diagnostics(uri)).toEqual([])
    await client.close(uri)
    await shows(uri, 'unknown-type')
  })

  test('are added and removed with their folder', async () => {
    const other = mkdtempSync(join(tmpdir(), 'portico-workspace-'))
    const path = join(other, 'b.portico')
    writeFileSync(path, BAD)
    const uri = pathToFileURL(path).href
    const event = { uri: pathToFileURL(other).href, name: 'other' }
    await start()
    const change = (added: (typeof event)[], removed: (typeof event)[]): Promise<void> =>
      client.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, {
        event: { added, removed },
      })
    await change([event], [])
    await shows(uri, 'unknown-type')
    await change([], [event])
    await shows(uri)
    rmSync(other, { recursive: true })
  })
})

test('is the root of a client without folders', async () => {
  const uri = write('hosts.portico', 'Host: service { home: Home; }\n')
  write('stays.portico', 'import "hosts.portico";\nStays: project {}\nHome: service {}\n')
  client = await startServer({ root: pathToFileURL(folder).href })
  await client.open('Host: service { home: Home; }\n', uri)
  expect(await client.diagnostics(uri)).toEqual([])
})

test('has clients pull the diagnostics of an open file again when an imported file changes', async () => {
  const hosts = write('hosts.portico', 'Host: service {}\n')
  const uri = write(
    'stays.portico',
    'import "hosts.portico";\nStays: project {}\nHome: service { owner: Host; }\n',
  )
  const requests: string[] = []
  client = await startServer({
    folders: [{ uri: pathToFileURL(folder).href, name: 'folder' }],
    capabilities: {
      textDocument: { diagnostic: {} },
      workspace: { diagnostics: { refreshSupport: true } },
    },
    onRequest: (method) => requests.push(method),
  })
  const codes = async (): Promise<unknown> => {
    const report = await client.request(DocumentDiagnosticRequest.type, { textDocument: { uri } })
    return 'items' in report ? report.items.map(({ code }) => code) : undefined
  }
  const text = readFileSync(join(folder, 'stays.portico'), 'utf8')
  await client.open(text, uri)
  await client.edit(uri, '\n', text.length)
  expect(await codes()).toEqual([])
  expect(requests).toEqual([])
  write('hosts.portico', 'Guest: service {}\n')
  await changed(hosts, FileChangeType.Changed)
  await expect.poll(() => requests).toEqual(['workspace/diagnostic/refresh'])
  expect(await codes()).toEqual(['unknown-type'])
  rmSync(join(folder, 'hosts.portico'))
  await changed(hosts, FileChangeType.Deleted)
  await expect.poll(() => requests).toHaveLength(2)
  expect(await codes()).toEqual(['unreadable-import'])
})

test('finds symbols of all definitions, open or not', async () => {
  write('a.portico', 'Stays: project {}\nHome: service { beds: int; Photo: struct { image: data; } }\n')
  const open = write('b.portico', 'Old: project {}\n')
  await start()
  await client.open('Shop: project {}\nHouse: service {}\n', open)
  const symbols = async (query: string): Promise<string[]> => {
    const found = await client.request(WorkspaceSymbolRequest.type, { query })
    return (found ?? []).map(({ name, containerName }) => `${name} in ${containerName ?? 'nothing'}`)
  }
  await expect.poll(() => symbols('')).toContain('beds in Home')
  expect(await symbols('ho')).toEqual(
    expect.arrayContaining(['House in Shop', 'Home in Stays', 'Photo in Home']),
  )
  expect(await symbols('hoe')).not.toContain('Photo in Home')
  expect(await symbols('old')).toEqual([])
})

describe('opens', () => {
  beforeEach(start)
  test('a file outside any folder', async () => {
    const uri = await client.open(BAD, 'file:///nowhere/at/all.portico')
    expect(await client.diagnostics(uri)).toHaveLength(1)
  })

  test('a URI with characters that editors escape in different ways', async () => {
    const uri = await client.open(BAD, 'file:///c%3A/a%20b/%C3%A9%23.portico')
    expect(await client.diagnostics(uri)).toHaveLength(1)
    await client.connection.sendNotification('textDocument/didClose', {
      textDocument: { uri: 'file:///c%3A/a%20b/é%23.portico' },
    })
    await shows(uri)
  })

  test('a buffer without a name', async () => {
    expect(await client.diagnostics(await client.open(BAD))).toHaveLength(1)
  })

  test("CRLF and a byte order mark, with the editor's positions", async () => {
    const uri = await client.open(BAD.replaceAll('\n', '\r\n'))
    const [diagnostic] = await client.diagnostics(uri)
    expect(diagnostic?.range).toEqual({ start: { line: 1, character: 22 }, end: { line: 1, character: 25 } })
    const marked = await client.open(`\ufeffBad: project { x: int; }\nHome: service {}\n`)
    expect((await client.diagnostics(marked))[0]?.range.start).toEqual({ line: 0, character: 16 })
  })

  test('characters of two code units, and lines that end in a lone CR', async () => {
    const uri = await client.open('Bad: project {}\rHome: service { /* 😀 */ beds: itn; }')
    expect((await client.diagnostics(uri))[0]?.range.start).toEqual({ line: 1, character: 31 })
  })

  test('nothing that the client has not opened: a request for it reads the disk', async () => {
    const uri = write('c.portico', GOOD)
    const params = { textDocument: { uri }, position: { line: 1, character: 1 } }
    expect(await client.request(DefinitionRequest.type, params)).toHaveLength(1)
    const nowhere = { ...params, textDocument: { uri: 'file:///nowhere.portico' } }
    expect(await client.request(DefinitionRequest.type, nowhere)).toBeNull()
  })
})
