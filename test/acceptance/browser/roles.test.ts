import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleExplorer } from '../../../scripts/bundle-explorer.mjs'
import { createWorkplace, type Workplace } from '../../dev/run-platform.ts'
import { accessibilityViolations, launchBrowser, openWindow } from './browser.ts'
import { newUserWithRole, openRequest, send } from './page.ts'

const ROOT = join(import.meta.dirname, '../../..')

let assets = ''
let browser: Browser
let workplace: Workplace
let origin = ''

/** Runs `examples/desk`. */
beforeAll(async () => {
  assets = `${mkdtempSync(join(tmpdir(), 'portico-explorer-'))}/`
  await bundleExplorer(ROOT, assets)
  browser = await launchBrowser()
  workplace = await createWorkplace('')
  const example = join(ROOT, 'examples/desk')
  for (const name of ['desk.portico', 'services'])
    cpSync(join(example, name), join(workplace.directory, name), { recursive: true })
  for (const file of globSync('*/src/{setup,datastore}.ts', { cwd: join(example, 'platform') }))
    cpSync(join(example, 'platform', file), join(workplace.output, file))
  const definition = join(workplace.directory, 'desk.portico')
  const platform = await workplace.start({ definition, explorerAssets: pathToFileURL(assets) })
  origin = `http://${platform.gateway}`
})

afterAll(async () => {
  await browser?.close()
  await workplace?.close()
  rmSync(assets, { recursive: true, force: true })
})

test('a long description of access leaves its lock as large as others', async () => {
  const { page, close } = await openWindow(browser, origin, { viewport: { width: 240, height: 800 } })
  await page.goto(origin)
  await page.locator('.lock').first().waitFor()
  const widths = await page
    .locator('.lock')
    .evaluateAll((locks) => locks.map((lock) => lock.getBoundingClientRect().width))
  expect(new Set(widths)).toEqual(new Set([11]))
  await close()
})

test('roles admit a user or not, and a list is filtered, sorted and counted', async () => {
  const { page, errors, close } = await openWindow(browser, origin)
  await page.goto(`${origin}/#/service/Organisation`)
  const create = page.getByRole('row', { name: /POST \/api\/organisation/ })
  expect(await create.innerText()).toContain('users with the role admin')

  await newUserWithRole(page, 'agent', 'Ada')
  await openRequest(page, origin, 'createOrganisation', 'Organisation')
  expect(await send(page)).toBe('403 Forbidden')
  await newUserWithRole(page, 'admin', 'Ben')
  expect(await send(page)).toBe('201 Created')
  await page.getByLabel('Send as').selectOption('Ada (agent)')
  expect(await send(page)).toBe('403 Forbidden')
  await page.getByLabel('Send as').selectOption('Ben (admin)')
  for (const name of ['Acme', 'Umbrella']) await store(page, { name, plan: 'enterprise' })

  await openRequest(page, origin, 'listOrganisation', 'Organisation')
  expect(await namesIn(page)).toHaveLength(3)
  await select(page, 'plan', 'enterprise')
  await select(page, 'sort', '-name')
  await select(page, 'total', 'true')
  const listed = page.waitForResponse((response) => response.url().includes('/api/organisation/all'))
  expect(await namesIn(page)).toEqual(['Umbrella', 'Acme'])
  const response = await listed
  expect(new URL(response.url()).search).toBe('?total=true&sort=-name&plan=enterprise')
  expect(response.headers()['x-total-count']).toBe('2')
  expect(errors).toEqual([])
  await close()
})

test('shows who may do what, whose code may allow less, and which values are valid', async () => {
  const { page, errors, close } = await openWindow(browser, origin)
  await page.goto(`${origin}/#/access`)
  const tickets = page.getByRole('region', { name: 'Ticket', exact: true })
  await tickets.waitFor()
  expect(await tickets.getByRole('columnheader').allInnerTexts()).toEqual([
    'Operation',
    'without a token',
    'any user',
    'creator',
    'agent',
    'admin',
  ])
  const cells = (row: string) => tickets.getByRole('row', { name: row }).first().getByRole('cell')
  expect(await cells('GET list').allInnerTexts()).toEqual(['no', 'own', 'own', 'yes', 'own'])
  expect(await tickets.innerText()).toContain('It has code in ticket/src/setup.ts, whose hooks can refuse')
  expect(await page.getByRole('region', { name: 'Tag', exact: true }).innerText()).toContain(
    'It has no hooks',
  )

  await page.goto(`${origin}/#/service/Ticket`)
  const attributes = page.getByRole('region', { name: 'Attributes of Ticket' })
  const row = async (name: string) => (await attributes.getByRole('row', { name }).innerText()).split(/\s*\t/)
  expect(await row('status')).toEqual([
    'status',
    'one of open, pending, solved, closed',
    'optional, default: "open"',
    'yes',
    'What is solved can be opened again, what is closed cannot.',
  ])
  expect((await row('priority'))[1]).toBe('integer, 1 to 4')

  await openRequest(page, origin, 'createTicket', 'Ticket')
  const values = page.getByRole('region', { name: 'Values in the request' })
  const shown = (await values.innerText()).replace(/\s+/g, ' ')
  expect(shown).toContain('subject string, 1 to 200 characters; required')
  expect(shown).toContain('priority integer, 1 to 4; optional, default: 3')
  expect(shown).not.toContain('answeredAt')
  // Every attribute of a patch is optional.
  await openRequest(page, origin, 'patchTicket', 'Ticket')
  await expect
    .poll(async () => (await values.innerText()).replace(/\s+/g, ' '))
    .toContain('priority integer, 1 to 4 ')
  expect(await values.innerText()).not.toContain('required')
  expect(errors).toEqual([])
  await close()
})

test.each(['light', 'dark'] as const)(
  '%s: the list of a service with filters is accessible',
  async (colorScheme) => {
    for (const width of [1280, 390]) {
      const { page, errors, close } = await openWindow(browser, origin, {
        colorScheme,
        viewport: { width, height: 800 },
      })
      await page.goto(origin)
      await newUserWithRole(page, 'agent', 'Ada')
      await openRequest(page, origin, 'listTicket', 'Ticket')
      // Parameters that are not set are not marked as invalid.
      expect(await page.frameLocator('iframe').locator('[role=alert]:visible').count()).toBe(0)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      expect(errors).toEqual([])
      await close()
    }
  },
)

/** Stores an organisation as the current user of the page. */
async function store(page: Page, data: object): Promise<void> {
  const users = JSON.parse(String(await page.evaluate("sessionStorage.getItem('portico-users')"))) as {
    known: { token: string }[]
  }
  const headers = { authorization: `Bearer ${users.known.at(-1)?.token}` }
  expect((await page.request.post(`${origin}/api/organisation`, { headers, data })).status()).toBe(201)
}

/** Sends the request in the dialog. Returns the names of the listed organisations. */
async function namesIn(page: Page): Promise<string[]> {
  const listed = page.waitForResponse((response) => response.url().includes('/api/organisation/all'))
  expect(await send(page)).toBe('200 OK')
  const { OrganisationList } = (await (await listed).json()) as { OrganisationList: { name: string }[] }
  return OrganisationList.map(({ name }) => name)
}

/** Selects the value of a query parameter in the dialog, which then includes it. */
async function select(page: Page, parameter: string, value: string): Promise<void> {
  const frame = page.frameLocator('iframe')
  const include: Locator = frame.getByLabel(`Include ${parameter} in request`, { exact: true })
  const row = frame.getByRole('row').filter({ has: include })
  await row.getByRole('button').first().click()
  await frame.getByRole('menuitem', { name: value, exact: true }).click()
  await expect.poll(() => include.isChecked()).toBe(true)
}
