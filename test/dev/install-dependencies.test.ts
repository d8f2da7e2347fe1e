import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installDependencies } from '../../src/dev/install-dependencies.ts'

let root: string
let project: string
const notices: string[] = []

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'portico-workspace-'))
  project = path.join(root, 'shop')
  await write('shop/package.json', { name: 'shop', dependencies: { hono: '4.0.0', greeting: '1.0.0' } })
  notices.length = 0
})

afterEach(() => rm(root, { recursive: true, force: true }))

async function write(file: string, content: object | string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true })
  await writeFile(path.join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
}

const install = (generated = { hono: '4.0.0' }) =>
  installDependencies({
    directory: project,
    generated,
    onProgress: (text) => notices.push(text),
    signal: new AbortController().signal,
  })

test('npm installs the packages of a workspace once', async () => {
  await write('package.json', { private: true, workspaces: ['*'] })
  for (const [name, version] of [
    ['greeting', '1.0.0'],
    ['hono', '4.0.0'],
  ] as const)
    await write(`${name}/package.json`, { name, version })
  expect(await install()).toBeUndefined()
  expect(await install()).toBeUndefined()
  expect(notices).toEqual(['Installing greeting'])
})

test.each([
  ['pnpm', 'pnpm-workspace.yaml', 'shop'],
  ['yarn', 'yarn.lock', '.'],
])('%s installs the packages of its workspace itself', async (manager, file, place) => {
  await write(file, '')
  if (manager === 'yarn') await write('package.json', { workspaces: ['shop'] })
  expect(await install()).toBe(
    `the dependencies of the project are not installed. Run \`${manager} install\` in ${root}`,
  )
  for (const name of ['greeting', 'hono'])
    await mkdir(path.join(root, place, 'node_modules', name), { recursive: true })
  expect(await install()).toBeUndefined()
  expect(notices).toEqual([])
})

test('without a workspace, packages of a directory above do not count', async () => {
  for (const name of ['greeting', 'hono'])
    await mkdir(path.join(root, 'node_modules', name), { recursive: true })
  await write('shop/package.json', { dependencies: { greeting: 'file:./nowhere.tgz' } })
  expect(await install({ hono: '4.0.0' })).toMatch(/^could not install the dependencies of the project: /)
})
