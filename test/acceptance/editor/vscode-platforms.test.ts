import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFailed, test } from 'vitest'
import { Window } from './window.ts'
import { example, packageExtension, startWorkbench, type Workbench } from './workbench.ts'

/** An installation downloads Postgres. */
const INSTALL_MS = 300_000
/** The first start creates the database. */
const START_MS = 120_000

let directory: string
let workbench: Workbench
let window: Window

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'portico-vsix-'))
  workbench = await startWorkbench({
    vsix: packageExtension(directory),
    files: { 'tiny.portico': example('tiny/tiny.portico') },
    // Without a GPU, rows of the terminal are elements.
    settings: { 'portico.run.port': 0, 'terminal.integrated.gpuAcceleration': 'off' },
  })
  window = new Window(workbench.page)
})

afterAll(async () => {
  await workbench?.stop()
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
})

afterEach(() => {
  onTestFailed(async () => window.screenshot('failed-platforms'))
})

test('New Definition in the walkthrough opens a definition, and the walkthrough stays', async () => {
  await workbench.open()
  await window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'tiny.portico' }).waitFor()
  await window.command('Welcome: Open Walkthrough...')
  await window.choose('Get Started with Portico', 'Get Started with Portico')
  await window.page.getByRole('button', { name: 'New Definition' }).click()
  await expect.poll(() => window.text()).toContain('Workspace: project {')
  await expect.poll(() => window.platformStatus()).toContain('valid')
  const tabs = window.page.locator('.tabs-container .tab')
  await expect.poll(() => tabs.allInnerTexts()).toContainEqual(expect.stringContaining('workspace'))
  expect(await tabs.allInnerTexts()).toContainEqual(expect.stringMatching(/walkthrough|welcome|get started/i))
  await window.screenshot('walkthrough')
})

test('Generate uses the bundled command line, before anything is installed', async () => {
  await workbench.open('tiny.portico')
  await expect.poll(() => window.platformStatus()).toContain('valid')
  await window.command('Portico: Generate')
  const terminal = window.page.locator('.terminal-wrapper.active .xterm-rows')
  await expect.poll(() => terminal.innerText(), { timeout: START_MS }).toMatch(/Wrote \d+ files/)
  const project = path.join(workbench.folder, 'tiny')
  expect(existsSync(path.join(project, 'note/src/main.ts'))).toBe(true)
  rmSync(project, { recursive: true })
})

test('Run installs what it requires, then Stop is shown in its place until the platform has stopped', async () => {
  await workbench.open('tiny.portico')
  const lens = (title: string) => window.editor.locator('.codelens-decoration a', { hasText: title })
  const button = window.page.locator('.statusbar-item[id="portico.portico.portico.run"]')
  await expect.poll(() => button.innerText()).toContain('Run')
  await lens('Run').first().click()
  const install = window.page.getByRole('button', { name: 'Install', exact: true })
  await window.screenshot('offer-installation')
  await install.click()
  await expect
    .poll(() => window.platformStatus(), { timeout: INSTALL_MS, interval: 1000 })
    .toMatch(/is (?:starting|running)/)
  await expect.poll(() => button.innerText()).toContain('Stop')
  await lens('Stop').first().waitFor()
  await window.page.locator('.editor-actions').getByRole('button', { name: 'Stop Platform' }).waitFor()
  await expect
    .poll(() => window.platformStatus(), { timeout: START_MS })
    .toMatch(/is running at localhost:\d+/)
  await window.screenshot('running')
})

test('the API explorer works behind the path proxy of the workbench', async () => {
  const opened = window.page.context().waitForEvent('page')
  await window.command('Portico: Open API Explorer')
  const explorer = await opened
  explorer.setDefaultTimeout(60_000)
  const [, port] = /localhost:(\d+)/.exec(await window.platformStatus()) ?? []
  expect(new URL(explorer.url()).pathname).toBe(`/proxy/${port}/`)
  await explorer.getByRole('heading', { level: 1, name: 'Tiny' }).waitFor()
  await explorer.goto(`${explorer.url()}#/try/Note/createNote`)
  const frame = explorer.frameLocator('iframe')
  await frame.getByRole('button', { name: 'Test Request' }).click()
  await frame.getByRole('button', { name: /^Send \w+ request/i }).click()
  const response = frame.getByRole('region', { name: 'Response' }).getByRole('link').first()
  await expect.poll(() => response.textContent()).toContain('201')
  await explorer.close()
})

test('after a save, the platform asks about renamed attributes in the terminal, and keeps rows', async () => {
  const [, address] = /(localhost:\d+)/.exec(await window.platformStatus()) ?? []
  const notes = `http://${address}/api/note`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ text: 'kept', done: false })
  const { id } = (await (await fetch(notes, { method: 'POST', headers, body })).json()) as { id: string }
  const read = async () => (await fetch(`${notes}/${id}`)).json()
  const replaceWord = async (line: number, column: number, text: string) => {
    await window.goTo(line, column)
    await window.press('Control+Shift+ArrowRight')
    await window.type(text)
    await window.press('Escape', 'Control+s')
  }
  await replaceWord(5, 3, 'body')
  const terminal = window.page.locator('.terminal-wrapper.active .xterm-rows')
  await expect.poll(() => terminal.innerText()).toContain('What is `Note.body`?')
  expect(await terminal.innerText()).not.toContain('type error')
  expect(await read()).toEqual({ id, text: 'kept', done: false })
  await window.screenshot('question')
  await window.page.locator('.terminal-wrapper.active').click()
  await window.press('Enter')
  await expect.poll(read).toEqual({ id, body: 'kept', done: false })
  await window.openFile('tiny.portico')
  await replaceWord(6, 3, 'text: string? = "new"; done')
  await expect.poll(read).toEqual({ id, body: 'kept', text: 'new', done: false })
})

test('the lens Stop stops the platform, and becomes Run again', async () => {
  const [, address] = /(localhost:\d+)/.exec(await window.platformStatus()) ?? []
  const lens = window.editor.locator('.codelens-decoration a')
  await lens.filter({ hasText: 'Stop' }).first().click()
  await expect.poll(() => window.platformStatus()).not.toContain('localhost')
  await lens.filter({ hasText: 'Run' }).first().waitFor()
  await expect(fetch(`http://${address}/api/openapi.json`)).rejects.toThrow()
})
