import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { strFromU8, unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { accessibilityViolations, launchBrowser, type MonitoredWindow, openWindow } from './browser.ts'
import { serve } from './serve.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const EXAMPLES = ['stays', 'desk', 'field', 'booking', 'chat', 'tiny', 'types']
const MAX_KILOBYTES = 900

let directory: string
let server: Server
let origin: string
let browser: Browser
let window: MonitoredWindow
let page: Page

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'portico-playground-'))
  run('scripts/bundle-playground.mjs', path.join(directory, 'site'))
  ;({ origin, server } = await serve(path.join(directory, 'site')))
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  server?.close()
  rmSync(directory, { recursive: true, force: true })
})

beforeEach(async () => {
  window = await openWindow(browser, origin)
  page = window.page
  await page.goto(origin)
  await expect.poll(problems).toBe('No problems')
})

afterEach(async () => {
  expect(window.errors).toEqual([])
  await window.close()
})

function run(...args: string[]): void {
  const env = { ...process.env, PORTICO_SOURCE: '1' }
  execFileSync(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
}

function problems(): Promise<string> {
  return page.locator('output').innerText()
}

/** The lines of the definition that are shown. */
async function text(): Promise<string> {
  const lines = await page.locator('.editor .cm-line').allInnerTexts()
  return lines.join('\n')
}

async function choose(example: string): Promise<void> {
  await page.getByLabel('Example').selectOption(example)
  await expect.poll(problems).toBe('No problems')
}

/** Selects a text of the definition, so that typing replaces it. */
async function select(word: string): Promise<void> {
  await page.locator('.editor .cm-content').getByText(word, { exact: true }).first().dblclick()
}

async function tab(name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
}

/** The files of the archive that the page offers, without the definition. */
async function archived(): Promise<Record<string, string>> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  const entries = Object.entries(unzipSync(readFileSync(await download.path())))
  return Object.fromEntries(
    entries
      .filter(([name]) => name.startsWith('platform/'))
      .map(([name, bytes]) => [name.slice('platform/'.length), strFromU8(bytes)]),
  )
}

/** What `portico generate` writes. */
function generated(example: string, ...options: string[]): Record<string, string> {
  const output = mkdtempSync(path.join(directory, `${example}-`))
  const definition = `examples/${example}/${example}.portico`
  run('bin/portico.mjs', 'generate', definition, '--output', output, '--yes', ...options)
  const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const texts = files.map(({ parentPath, name }) => {
    const file = path.join(parentPath, name)
    return [path.relative(output, file), readFileSync(file, 'utf8')] as const
  })
  return Object.fromEntries(texts.filter(([file]) => !file.startsWith('.portico')))
}

test.each(EXAMPLES)('%s becomes the same files as with `portico generate`', async (example) => {
  await choose(example)
  await expect.poll(archived).toEqual(generated(example))
})

test('in Go, too', async () => {
  await page.getByLabel('Language').selectOption('Go')
  await expect.poll(archived).toEqual(generated('stays', '--language', 'go'))
})

test('a misspelt type is underlined, and its quick fix corrects it', async () => {
  await select('int')
  await page.keyboard.type('intt')
  await page.keyboard.press('Escape')
  await expect.poll(problems).toBe('1 error')
  await expect.poll(() => page.getByText('This is its last valid version').isVisible()).toBe(true)
  await page.locator('.cm-lintRange-error').hover()
  await page.getByRole('button', { name: /`int`/ }).first().click()
  await expect.poll(problems).toBe('No problems')
  expect(await text()).not.toContain('intt')
})

test('completion offers types, and a hover explains one', async () => {
  await select('date')
  await page.keyboard.type('str')
  await expect
    .poll(() => page.locator('.cm-tooltip-autocomplete li').allInnerTexts())
    .toContainEqual(expect.stringContaining('string'))
  await page.keyboard.press('Escape')
  await page.locator('.editor .cm-content').getByText('float', { exact: true }).first().hover()
  await expect.poll(() => page.locator('.cm-lsp-hover-tooltip').innerText()).toContain('float')
})

test('a rename changes all files of a definition', async () => {
  await choose('desk')
  await select('Tag')
  await page.keyboard.press('F2')
  await page.locator('.cm-panel input').fill('Keyword')
  await page.keyboard.press('Enter')
  await expect.poll(text).toContain('Keyword: service')
  await page.getByRole('button', { name: 'services/tickets.portico' }).click()
  await expect.poll(text).toContain('Keyword')
  expect(await text()).not.toMatch(/\bTag\b/)
  await expect.poll(problems).toMatch(/^No problems|^\d+ warning/)
})

test('the changes of a definition are shown, new migrations first', async () => {
  await tab('Changes')
  await expect.poll(() => page.locator('#pane').innerText()).toContain('Change the definition')
  await page.locator('.editor .cm-content').getByText('beds', { exact: true }).first().click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('floor: int = 0;')
  await expect
    .poll(() => page.locator('.list button').allInnerTexts())
    .toContainEqual(expect.stringMatching(/^\+ home-db\/migrations\/0002_.*\.sql$/))
  await expect.poll(() => page.locator('.viewer').innerText()).toContain('ADD COLUMN "floor"')
  await page.getByRole('button', { name: 'Compare from here' }).click()
  await expect.poll(() => page.locator('#pane').innerText()).toContain('Change the definition')
})

test('the address has the definition', async () => {
  await choose('tiny')
  await page.getByRole('button', { name: 'Share' }).click()
  await expect.poll(() => new URL(page.url()).hash.length).toBeGreaterThan(50)
  await page.reload()
  await expect.poll(text).toContain('A note or a task')
  await page.goto(`${origin}/#not-a-definition`)
  await page.reload()
  await expect.poll(text).toContain('A marketplace')
})

test('an example that is chosen is compiled once', async () => {
  const count = `(() => {
    const { postMessage } = Worker.prototype
    globalThis.compiled = 0
    Worker.prototype.postMessage = function (message) {
      if (message.texts !== undefined) compiled++
      return postMessage.call(this, message)
    }
  })()`
  await page.evaluate(count)
  await choose('desk')
  await expect.poll(() => page.locator('#pane').innerText()).toContain('Organisation')
  expect(await page.evaluate('compiled')).toBe(1)
})

test.each(['light', 'dark'] as const)('the page works on a telephone in %s', async (colorScheme) => {
  const phone = await openWindow(browser, origin, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    colorScheme,
  })
  await page.close()
  ;({ page } = phone)
  await page.goto(origin)
  await expect.poll(problems).toBe('No problems')
  const open = (name: string) => page.getByRole('tab', { name }).tap()

  // One thing fills the page, whose texts are readable and whose buttons a finger can hit.
  const editor = page.locator('.editor')
  expect(((await editor.boundingBox()) ?? { height: 0 }).height).toBeGreaterThan(500)
  for (const name of ['Diagram', 'Endpoints', 'Files', 'Changes', 'Definition']) {
    await open(name)
    const shown = name === 'Definition' ? editor : page.locator('#pane')
    expect(((await shown.boundingBox()) ?? { height: 0 }).height, name).toBeGreaterThan(500)
    expect(await page.locator('.editor, #pane').locator('visible=true').count(), name).toBe(1)
    expect(await accessibilityViolations(page), name).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBe(0)
    const controls = page.locator('header :is(button, select), [role=tab]')
    const heights = await controls.evaluateAll((all) => all.map((each) => each.getBoundingClientRect()))
    expect(Math.min(...heights.map(({ height }) => height)), name).toBeGreaterThanOrEqual(40)
    expect(Math.max(...heights.map(({ right }) => right)), name).toBeLessThanOrEqual(390)
  }
  await open('Diagram')
  const scale = `(() => {
    const svg = document.querySelector('.diagram svg')
    return svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
  })()`
  expect(await page.evaluate(scale)).toBeGreaterThanOrEqual(1)

  // A mistake, and a tap on its fix.
  await open('Definition')
  await select('int')
  await page.keyboard.type('intt')
  await page.keyboard.press('Escape')
  await expect.poll(problems).toBe('1 error')
  await page.locator('.cm-lintRange-error').tap()
  await page.getByRole('button', { name: /`int`/ }).first().tap()
  await expect.poll(problems).toBe('No problems')

  await open('Files')
  await page.locator('.tree summary', { hasText: /^home$/ }).tap()
  await page.locator('.tree summary', { hasText: /^src$/ }).locator('visible=true').tap()
  await page.getByRole('button', { name: 'setup.ts yours' }).locator('visible=true').tap()
  await expect.poll(() => page.locator('.viewer').innerText()).toContain('export default')

  // Turned to its side, it is wide.
  await open('Definition')
  await page.setViewportSize({ width: 844, height: 390 })
  await expect.poll(() => page.locator('.editor, #pane').locator('visible=true').count()).toBe(2)
  await expect
    .poll(() => page.getByRole('tab').allInnerTexts())
    .toEqual(['Diagram', 'Endpoints', 'Files', 'Changes'])
  expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('Diagram')
  expect(phone.errors).toEqual([])
  await phone.close()
})

test('endpoints and files are shown, and tabs work with the keyboard', async () => {
  await page.getByRole('tab', { name: 'Diagram' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.locator('#pane').innerText()).toContain('/api/home/{id}')
  await page.keyboard.press('ArrowRight')
  await page.locator('.tree summary', { hasText: /^home$/ }).click()
  await page.locator('.tree summary', { hasText: /^src$/ }).locator('visible=true').click()
  await page.getByRole('button', { name: 'setup.ts yours' }).locator('visible=true').click()
  await expect.poll(() => page.locator('.viewer').innerText()).toContain('export default')
})

test.each(['light', 'dark'] as const)('the page is accessible in %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme })
  await page.reload()
  await expect.poll(problems).toBe('No problems')
  expect(await accessibilityViolations(page)).toEqual([])
})

test(`the page loads at most ${MAX_KILOBYTES} KB`, () => {
  const files = globSync('*.{html,js,css}', { cwd: path.join(directory, 'site') })
  const loaded = [
    ...files,
    'examples.json',
    'templates-typescript.json',
    'templates-deploy.json',
    'templates-images.json',
  ]
  const bytes = loaded.map((name) => gzipSync(readFileSync(path.join(directory, 'site', name))).length)
  expect(bytes.reduce((sum, size) => sum + size, 0) / 1000).toBeLessThan(MAX_KILOBYTES)
})
