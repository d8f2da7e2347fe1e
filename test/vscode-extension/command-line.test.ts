import { expect, test } from 'vitest'
import { chooseNode, findCommandLine, type SearchOptions } from '../../vscode-extension/src/command-line.ts'

const NODE = { command: '/usr/bin/node', args: [], env: {} }

/** Describes the command line that is found if only these files exist. */
function find(files: readonly string[], options: Partial<SearchOptions> = {}): string | undefined {
  const commandLine = findCommandLine({
    setting: '',
    folders: ['/shop/definitions', '/shop', '/'],
    workspace: '/shop',
    searchPath: ['', '/usr/local/bin', '/usr/bin'],
    platform: 'linux',
    node: NODE,
    installation: '/storage/portico-0.1.0',
    bundled: '/extension/portico/bin/portico.mjs',
    isFile: (file) => files.includes(file),
    ...options,
  })
  if (commandLine === undefined) return undefined
  const { command, args } = commandLine.program
  return `${commandLine.origin}: ${[command, ...args].join(' ')}`
}

const LOCAL = '/shop/node_modules/portico/bin/portico.mjs'
const GLOBAL = '/usr/local/bin/portico'
const INSTALLED = '/storage/portico-0.1.0/node_modules/portico/bin/portico.mjs'

test('the workspace comes before the PATH, then the installation of the extension, then its bundle', () => {
  expect(find([LOCAL, GLOBAL, INSTALLED])).toBe(`workspace: /usr/bin/node ${LOCAL}`)
  expect(find([GLOBAL, INSTALLED])).toBe(`path: ${GLOBAL}`)
  expect(find([INSTALLED])).toBe(`installed: /usr/bin/node ${INSTALLED}`)
  expect(find([])).toBe('bundled: /usr/bin/node /extension/portico/bin/portico.mjs')
})

test('the package in the innermost folder is used', () => {
  const nearest = '/shop/definitions/node_modules/portico/bin/portico.mjs'
  expect(find([LOCAL, nearest])).toBe(`workspace: /usr/bin/node ${nearest}`)
})

test('the setting comes first, relative to the workspace, without a fallback', () => {
  expect(find([LOCAL, '/opt/portico'], { setting: '/opt/portico' })).toBe('setting: /opt/portico')
  expect(find(['/shop/tools/portico.mjs'], { setting: 'tools/portico.mjs' })).toBe(
    'setting: /usr/bin/node /shop/tools/portico.mjs',
  )
  expect(find([LOCAL, GLOBAL], { setting: '/nowhere' })).toBeUndefined()
})

test('on Windows, Node.js runs the scripts that npm adds to the PATH', () => {
  const script = '/npm/node_modules/portico/bin/portico.mjs'
  expect(find(['/npm/portico.cmd', script], { platform: 'win32', searchPath: ['/npm'] })).toBe(
    `path: /usr/bin/node ${script}`,
  )
})

test("the editor's Node.js is used if the user's is too old", () => {
  const own = { command: '/editor', args: [], env: { ELECTRON_RUN_AS_NODE: '1' } }
  const choose = (users: string | undefined, editors: string): string =>
    chooseNode(users === undefined ? undefined : { program: NODE, version: users }, {
      program: own,
      version: editors,
    }).command
  for (const version of ['v24.16.0\n', 'v24.17.1\n', 'v26.1.0\n', 'v27.0.0\n'])
    expect(choose(version, '24.16.0'), version).toBe('/usr/bin/node')
  for (const version of ['v20.1.0\n', 'v24.15.0\n', 'v25.9.0\n', 'v26.0.0\n'])
    expect(choose(version, '24.16.0'), version).toBe('/editor')
  expect(choose('v20.1.0\n', '22.0.0')).toBe('/usr/bin/node')
  expect(choose(undefined, '22.0.0')).toBe('/editor')
})
