import { expect, test } from 'vitest'
import { findCommandLine, type Surroundings } from '../../vscode-extension/src/command-line.ts'
import { chooseNode } from '../../vscode-extension/src/node.ts'

const NODE = { command: '/usr/bin/node', args: [], env: {} }

/** The command line that is found where these files are there. */
function found(files: readonly string[], surroundings: Partial<Surroundings> = {}): string | undefined {
  const commandLine = findCommandLine({
    setting: '',
    folders: ['/shop/definitions', '/shop', '/'],
    workspace: '/shop',
    searchPath: ['', '/usr/local/bin', '/usr/bin'],
    platform: 'linux',
    node: NODE,
    bundled: '/extension/portico/bin/portico.mjs',
    isFile: (file) => files.includes(file),
    ...surroundings,
  })
  if (commandLine === undefined) return undefined
  const { command, args } = commandLine.program
  return `${commandLine.origin}: ${[command, ...args].join(' ')}`
}

const LOCAL = '/shop/node_modules/portico/bin/portico.mjs'
const GLOBAL = '/usr/local/bin/portico'

test('that of the workspace comes before the one on the PATH, and that before the bundled one', () => {
  expect(found([LOCAL, GLOBAL])).toBe(`workspace: /usr/bin/node ${LOCAL}`)
  expect(found([GLOBAL])).toBe(`path: ${GLOBAL}`)
  expect(found([])).toBe('bundled: /usr/bin/node /extension/portico/bin/portico.mjs')
})

test('the package nearest to the definition is used', () => {
  const nearest = '/shop/definitions/node_modules/portico/bin/portico.mjs'
  expect(found([LOCAL, nearest])).toBe(`workspace: /usr/bin/node ${nearest}`)
})

test('the setting comes before everything, relative to the workspace; nothing takes its place', () => {
  expect(found([LOCAL, '/opt/portico'], { setting: '/opt/portico' })).toBe('setting: /opt/portico')
  expect(found(['/shop/tools/portico.mjs'], { setting: 'tools/portico.mjs' })).toBe(
    'setting: /usr/bin/node /shop/tools/portico.mjs',
  )
  expect(found([LOCAL, GLOBAL], { setting: '/nowhere' })).toBeUndefined()
})

test('what npm puts on the PATH of Windows is started by Node.js', () => {
  const script = '/npm/node_modules/portico/bin/portico.mjs'
  expect(found(['/npm/portico.cmd', script], { platform: 'win32', searchPath: ['/npm'] })).toBe(
    `path: /usr/bin/node ${script}`,
  )
})

test("an old Node.js gives way to the editor's, where that is new enough", () => {
  const own = { command: '/editor', args: [], env: { ELECTRON_RUN_AS_NODE: '1' } }
  const choose = (users: string | undefined, editors: string): string =>
    chooseNode(users === undefined ? undefined : { program: NODE, version: users }, {
      program: own,
      version: editors,
    }).command
  expect(choose('v24.1.0\n', '24.0.0')).toBe('/usr/bin/node')
  expect(choose('v20.1.0\n', '24.0.0')).toBe('/editor')
  expect(choose('v20.1.0\n', '22.0.0')).toBe('/usr/bin/node')
  expect(choose(undefined, '22.0.0')).toBe('/editor')
})
