import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { compile } from '../../../src/compile.ts'
import { accessibilityViolations, launchBrowser, type MonitoredWindow, openWindow } from './browser.ts'
import { serve } from './serve.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const PAGES = [
  ...globSync('docs/*.md', { cwd: ROOT }).map((file) => path.basename(file, '.md')),
  ...globSync('examples/*/README.md', { cwd: ROOT }).map((file) => path.dirname(file)),
]

let directory: string
let server: Server
let origin: string
let browser: Browser
let window: MonitoredWindow
let page: Page

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'portico-site-'))
  const env = { ...process.env, REPOSITORY: 'https://code.example/portico' }
  // Fails if a page links to one that does not exist.
  execFileSync(process.execPath, ['scripts/build-site.mjs', directory], { cwd: ROOT, env, stdio: 'pipe' })
  ;({ origin, server } = await serve(directory))
  browser = await launchBrowser()
}, 300_000)

afterAll(async () => {
  await browser?.close()
  server?.close()
  rmSync(directory, { recursive: true, force: true })
})

beforeEach(async () => {
  window = await openWindow(browser, origin)
  page = window.page
  await page.goto(origin)
})

afterEach(async () => {
  expect(window.errors).toEqual([])
  await window.close()
})

test('its own code has correct types', () => {
  execFileSync(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'site'], { cwd: ROOT, stdio: 'inherit' })
})

test('the start page shows a valid definition, how to start, and measured figures', async () => {
  expect(await page.getByRole('main').innerText()).toContain('git clone https://code.example/portico portico')
  const definition = await page.locator('.definition pre').innerText()
  const { diagnostics, platform } = compile(definition)
  expect(diagnostics).toEqual([])
  const endpoints = platform?.services.flatMap(({ entity, structs }) =>
    [entity, ...structs].flatMap((stored) => stored.endpoints),
  )
  expect(await page.locator('main').innerText()).toContain(`${endpoints?.length} endpoints`)
  const measured = readFileSync(path.join(ROOT, 'docs/performance.md'), 'utf8')
  const figures = await page.locator('.figures strong').allInnerTexts()
  expect(figures.length).toBeGreaterThan(2)
  for (const figure of figures.flatMap((text) => text.match(/[\d.]+/g) ?? []))
    expect(measured).toContain(`| ${figure} |`)

  const rows = readFileSync(path.join(ROOT, 'site/index.md'), 'utf8').match(/^\|.*\|$/gm) ?? []
  expect(rows.length).toBeGreaterThan(4)
  for (const row of rows) expect(measured.split('\n')).toContain(row)
  expect(await page.locator('.peers tr').count()).toBe(rows.length - 1)
  expect(await page.locator('.peers').innerText()).toContain('unfair')
})

test('all of it is in one screen, and a telephone shows it without scrolling sideways', async () => {
  const { height } = page.viewportSize() ?? { height: 0 }
  const figures = await page.locator('.figures').boundingBox()
  expect((figures?.y ?? 0) + (figures?.height ?? 0)).toBeLessThanOrEqual(height)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})

test.each(['light', 'dark'] as const)('everyone can read it in the %s color scheme', async (colorScheme) => {
  await page.emulateMedia({ colorScheme })
  for (const address of ['/', '/hooks']) {
    await page.goto(origin + address)
    const violations = await accessibilityViolations(page)
    // The name of the button that opens the search leaves out its key, which the button shows.
    expect(violations.filter((violation) => !violation.startsWith('label-content-name-mismatch'))).toEqual([])
  }
})

test('every page of the documentation is there, in the menu, and as Markdown', async () => {
  const menu = await (await page.goto(`${origin}/tutorial`))?.text()
  const contents = readFileSync(path.join(directory, 'llms.txt'), 'utf8')
  for (const name of PAGES) {
    expect(existsSync(path.join(directory, `${name}.html`)), name).toBe(true)
    expect(menu, name).toContain(`href="/${name}"`)
    expect(contents, name).toContain(`(/${name}.md)`)
    expect(readFileSync(path.join(directory, `${name}.md`), 'utf8'), name).toMatch(/^# /m)
  }
})

test('examples in two languages are tabs, and definitions have colors', async () => {
  await page.goto(`${origin}/hooks`)
  const example = page.locator('.vp-code-group').first()
  expect(await example.innerText()).toContain('env.hooks.beforeCreate')
  await example.getByText('home/setup.go').click()
  expect(await example.innerText()).toContain('env.Hooks.BeforeCreate.Add')
  await page.goto(`${origin}/language`)
  const colors = await page
    .locator('.language-portico')
    .first()
    .locator('span[style]')
    .evaluateAll((words) => [...new Set(words.map((word) => word.getAttribute('style')))])
  expect(colors.length).toBeGreaterThan(3)
})

test('search finds a heading', async () => {
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('afterCommit')
  await page.locator('.result').first().click()
  await expect.poll(() => page.url()).toMatch(/\/hooks(?:\.html)?#/)
})

test('the playground is a part of it', async () => {
  await page.getByRole('link', { name: 'Try it in the browser' }).click()
  await expect.poll(() => page.locator('output').innerText()).toBe('No problems')
})
