import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bundleExplorer } from '../../../scripts/bundle-explorer.mjs'
import { hundred } from '../../../scripts/hundred-definition.ts'
import { createExplorer } from '../../../src/dev/explorer/explorer.ts'
import { createGateway } from '../../../src/dev/gateway/gateway.ts'
import { listenOnLoopback } from '../../../src/dev/gateway/listen.ts'
import { gatewayRoutes } from '../../../src/model/routes.ts'
import { createWorkplace, type Workplace } from '../../dev/run-platform.ts'
import { platformOf } from '../../emit/platform.ts'
import { launchBrowser, openWindow, accessibilityViolations } from './browser.ts'
import { CLUB, createAndListNote, newUser, openRequest, send } from './page.ts'
import { startPathProxy } from './path-proxy.ts'

const ROOT = join(import.meta.dirname, '../../..')

const PROXY_HOST = 'code.example.com'

let assets = ''
let browser: Browser
let workplace: Workplace
let origin = ''

beforeAll(async () => {
  assets = `${mkdtempSync(join(tmpdir(), 'portico-explorer-'))}/`
  await bundleExplorer(ROOT, assets)
  browser = await launchBrowser()
  vi.stubEnv('PORTICO_ALLOWED_HOSTS', PROXY_HOST)
  workplace = await createWorkplace(CLUB)
  const platform = await workplace.start({ explorerAssets: pathToFileURL(assets) })
  origin = `http://${platform.gateway}`
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await browser?.close()
  await workplace?.close()
  rmSync(assets, { recursive: true, force: true })
})

test('a user creates and lists a note, and another user cannot change it', async () => {
  const { page, errors, close } = await openWindow(browser, origin)
  await page.goto(origin)
  await newUser(page, 'Ada')

  await page.getByRole('link', { name: 'POST create Note' }).click()
  const id = await createAndListNote(page, origin)
  expect(await send(page)).toBe('200 OK')
  // The input stays, and the request is sent as the current user of the page.
  await newUser(page, 'Ben')
  expect(await send(page)).toBe('403 Forbidden')
  await page.getByLabel('Send as').selectOption('no user')
  expect(await send(page)).toBe('401 Unauthorized')
  await page.getByLabel('Send as').selectOption('Ada')
  expect(await send(page)).toBe('200 OK')

  const log = page.getByRole('log')
  await expect.poll(() => log.innerText()).toMatch(new RegExp(`403\\s+PUT\\s+/api/note/${id}`))
  expect(await page.locator('.sidebar .health.running').count()).toBe(3)
  expect(errors).toEqual([])
  await close()
})

test('the developer sees rows of all users, page by page, and what they refer to', async () => {
  const { page, errors, close } = await openWindow(browser, origin)
  await page.goto(origin)
  await newUser(page, 'Ada')
  const stored = JSON.parse(String(await page.evaluate("sessionStorage.getItem('portico-users')"))) as {
    known: { token: string; email: string }[]
  }
  const [user] = stored.known
  const headers = { authorization: `Bearer ${user?.token}` }
  const ids: string[] = []
  for (let number = 0; number < 51; number++) {
    const made = await page.request.post(`${origin}/api/note`, { headers, data: { text: `Row ${number}` } })
    ids.unshift(((await made.json()) as { id: string }).id)
  }
  const tagged = await page.request.post(`${origin}/api/note/${ids[7]}/tag`, {
    headers,
    data: { label: 'x' },
  })
  expect(tagged.status()).toBe(201)

  await page.getByLabel('Send as').selectOption('no user')
  await page.goto(`${origin}/#/service/Note`)
  await page.getByRole('main').getByRole('link', { name: 'Rows' }).click()
  const rows = page.locator('.rows tbody tr')
  const shown = () => rows.evaluateAll((all) => all.map((row) => row.querySelector('td')?.textContent))
  await expect.poll(shown).toEqual(ids.slice(0, 50))
  expect(await rows.first().innerText()).toContain('Row 50')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(async () => (await shown())[0]).toBe(ids[50])
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect.poll(async () => (await shown())[0]).toBe(ids[0])

  // What is stored later is there after a refresh.
  const later = await page.request.post(`${origin}/api/note`, { headers, data: { text: 'Later' } })
  const { id } = (await later.json()) as { id: string }
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(async () => (await shown())[0]).toBe(id)

  await page.getByLabel('Id').fill('not an id')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  expect(await page.locator('input:invalid').count()).toBe(1)
  await page.getByLabel('Id').fill(` ${ids[7]} `)
  await page.getByLabel('Id').press('Enter')
  await expect.poll(shown).toEqual([ids[7]])

  await page.getByLabel('Table').selectOption('Note: Tag')
  await page.getByLabel('Column').selectOption('_parent')
  await page.getByLabel('Id').fill(ids[8] ?? '')
  await page.getByLabel('Id').press('Enter')
  await page.getByText('No rows with this id').waitFor()
  await page.getByLabel('Id').fill(ids[7] ?? '')
  await page.getByLabel('Id').press('Enter')
  // The parent of the entry, then its owner.
  await rows.getByRole('link', { name: ids[7] ?? '' }).click()
  await expect.poll(shown).toEqual([ids[7]])
  await rows.getByRole('link').click()
  await expect.poll(() => page.getByLabel('Table').locator('option:checked').textContent()).toBe('Auth')
  await expect.poll(() => rows.innerText()).toContain(user?.email)
  expect(await page.locator('.rows th').allInnerTexts()).toEqual(['id', 'email'])
  await page.goBack()
  await expect.poll(shown).toEqual([ids[7]])

  await page.getByLabel('Table').selectOption('Note: jobs')
  await expect.poll(() => rows.innerText()).toMatch(/^1\s+tidy\s/)
  expect(await page.locator('.rows th').allInnerTexts()).toContain('dead_at')

  const loaded = await page.evaluate(
    `fetch('/_explorer/rows/note/Note?before=x').then(({ status }) => status)`,
  )
  expect(loaded).toBe(400)
  await page.goto(`${origin}/#/rows/Note/Note/id/1`)
  expect(await page.getByRole('alert').innerText()).toContain('This is not an id')
  expect(errors).toEqual([])
  await close()
})

test('the explorer works behind a proxy that adds a prefix to its path', async () => {
  const proxy = await startPathProxy(origin, '/proxy/8080', PROXY_HOST)
  const { page, errors, close } = await openWindow(browser, new URL(proxy.url).origin)
  await page.goto(`${proxy.url}/`)
  await newUser(page, 'Ada')
  expect(await page.getByRole('main').innerText()).toContain(`${proxy.url}/api`)
  await openRequest(page, proxy.url, 'createNote')
  expect(await send(page)).toBe('201 Created')
  await expect.poll(() => page.getByRole('log').innerText()).toMatch(/201\s+POST\s+\/api\/note/)
  await page.goto(`${proxy.url}/#/rows/Note/Note`)
  await page.locator('.rows').waitFor()
  await page.goto(`${proxy.url}/#/diagram`)
  await page.locator('[data-declaration="Note"]').waitFor()
  await page.goto(`${proxy.url}/#/`)
  await page.getByRole('link', { name: 'OpenAPI document' }).click()
  await expect.poll(() => page.url()).toBe(`${proxy.url}/api/openapi.json`)
  expect(errors).toEqual([])
  await close()
  await proxy.stop()
})

describe.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)('%s, %i pixels wide', (colorScheme, width) => {
  test('pages are accessible and do not overflow', async () => {
    const { page, errors, close } = await openWindow(browser, origin, {
      colorScheme,
      viewport: { width, height: 800 },
    })
    await page.goto(origin)
    await newUser(page, 'Ada')
    const places = [
      '#/',
      '#/diagram',
      '#/access',
      '#/rows/Note/Note',
      '#/rows/Auth/Auth',
      '#/service/Note',
      '#/service/Gone',
      '#/try/Note/createNote',
    ]
    for (const place of places) {
      await page.goto(`${origin}/${place}`)
      if (place === '#/diagram') await page.locator('.diagram svg').waitFor()
      if (place.startsWith('#/rows')) await page.locator('.rows').waitFor()
      if (place.startsWith('#/try')) await openRequest(page, origin, 'createNote')
      expect(await accessibilityViolations(page), place).toEqual([])
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(overflow, place).toBeLessThanOrEqual(0)
    }
    const ground: unknown = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(ground).toBe(colorScheme === 'dark' ? 'rgb(18, 21, 28)' : 'rgb(246, 247, 249)')
    expect(errors).toEqual([])
    await close()
  })
})

test('the page can be used with the keyboard', async () => {
  const { page, close } = await openWindow(browser, origin)
  await page.goto(origin)
  await page.getByRole('heading', { name: 'Club' }).waitFor()
  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').textContent()).toContain('Skip to content')
  await page.keyboard.press('Enter')
  expect(await page.locator(':focus').getAttribute('id')).toBe('main')
  await page.goto(`${origin}/#/diagram`)
  await page.locator('[data-declaration="Tag"]').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Note')
  expect(await page.locator(':focus').getAttribute('id')).toBe('main')
  await close()
})

test('the selected theme also applies to the reference, and after a reload', async () => {
  const { page, close } = await openWindow(browser, origin, { colorScheme: 'light' })
  await page.goto(`${origin}/#/try/Note/listNote`)
  await page.frameLocator('iframe').getByRole('button', { name: 'Test Request' }).waitFor()
  await page.getByLabel('Theme').selectOption('dark')
  await page.frameLocator('iframe').locator('body.dark-mode').waitFor()
  await page.reload()
  await page.frameLocator('iframe').locator('body.dark-mode').waitFor()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await close()
})

test('a reference whose script fails to load says so', async () => {
  const { page, close } = await openWindow(browser, origin)
  const note = page.frameLocator('iframe').getByText('reload this page')
  await page.goto(`${origin}/#/try/Note/createNote`)
  await page.frameLocator('iframe').getByRole('button', { name: 'Test Request' }).waitFor()
  expect(await note.isVisible()).toBe(false)
  await page.route('**/reference.js', (route) => route.abort())
  await page.reload()
  await note.waitFor()
  await close()
})

test('a page of another port is refused', async () => {
  const gateway = createGateway({
    service: () => undefined,
    pages: (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<title>evil</title><iframe src="${origin}/">`)
      return true
    },
  })
  gateway.configure({ routes: [], verifyToken: undefined })
  const evil = await listenOnLoopback(gateway.createServer, 0)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`http://localhost:${evil?.port}/`)
  for (const path of [
    '/_explorer/platform.json',
    '/_explorer/rows/auth/Auth',
    '/_explorer/events',
    '/_explorer/main.js',
    '/api/openapi.json',
  ]) {
    const read = `fetch(${JSON.stringify(origin + path)}).then((r) => r.text(), () => 'refused')`
    expect(await page.evaluate(read), path).toBe('refused')
  }
  const script = `new Promise((resolve) => {
    const script = document.createElement('script')
    script.src = ${JSON.stringify(`${origin}/_explorer/main.js`)}
    script.onload = () => resolve('loaded')
    script.onerror = () => resolve('refused')
    document.head.append(script)
  })`
  expect(await page.evaluate(script)).toBe('refused')
  const framed = page.frames().find((frame) => frame !== page.mainFrame())
  expect(framed).toBeDefined()
  expect(framed?.url()).not.toBe(`${origin}/`)
  await context.close()
  await evil?.close()
})

test('a hundred services are shown and filtered', async () => {
  const explorer = createExplorer(pathToFileURL(assets))
  const platform = platformOf(hundred(100))
  explorer.setPlatform(platform)
  const gateway = createGateway({ service: () => undefined, pages: explorer.serve })
  gateway.configure({ routes: gatewayRoutes(platform), verifyToken: undefined })
  const listening = await listenOnLoopback(gateway.createServer, 0)
  const address = `http://localhost:${listening?.port}`
  const { page, errors, close } = await openWindow(browser, address)
  await page.goto(address)
  await page.locator('.card').nth(100).waitFor({ state: 'attached' })
  await page.getByLabel('Filter services').fill('invoice3')
  expect(await page.locator('.sidebar li').count()).toBe(1)
  await page.goto(`${address}/#/diagram`)
  await page.locator('.diagram svg').waitFor()
  expect(await page.locator('[data-declaration]').count()).toBeGreaterThan(140)
  expect(errors).toEqual([])
  await close()
  await listening?.close()
})
