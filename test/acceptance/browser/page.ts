import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The definition of the platform in these tests. */
export const CLUB = `
/// A club whose members write notes.
Club: project { #authMethod(email); }
Member: service { name: string(80, 1); #auth; #readable(by: all); }
/// A note of a member.
Note: service {
  text: string(200, 1);
  Tag: struct { label: string(20, 1); #enumerable; }
  Tidy: job { #schedule("0 3 29 2 *"); }
  #enumerable;
  #readable(by: all);
}
`

/** Registers a user with the page, which must choose this name. */
export async function newUser(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New user' }).click()
  await expect.poll(() => page.getByLabel('Send as').locator('option:checked').textContent()).toBe(name)
}

/** Registers a user with a role with the page, which must choose this name. */
export async function newUserWithRole(page: Page, role: string, name: string): Promise<void> {
  await page.getByRole('button', { name: `New ${role}` }).click()
  await expect
    .poll(() => page.getByLabel('Send as').locator('option:checked').textContent())
    .toBe(`${name} (${role})`)
}

/** Opens an endpoint in the reference, and its request dialog. */
export async function openRequest(
  page: Page,
  origin: string,
  operation: string,
  service = 'Note',
): Promise<void> {
  await page.goto(`${origin}/#/try/${service}/${operation}`)
  await page.frameLocator('iframe').getByRole('button', { name: 'Test Request' }).click()
  await page.frameLocator('iframe').getByRole('dialog').waitFor()
}

/** Sends the request in the dialog. Returns the status of the response: `201 Created`. */
export async function send(page: Page): Promise<string> {
  const frame = page.frameLocator('iframe')
  const received = page.waitForResponse((response) => response.url().includes('/api/'))
  await frame.getByRole('button', { name: /^Send \w+ request/i }).click()
  const status = String((await received).status())
  const shown = frame.getByRole('region', { name: 'Response' }).getByRole('link').first()
  await expect.poll(() => shown.textContent()).toContain(status)
  return ((await shown.textContent()) ?? '').trim()
}

/** Creates a note, finds it in the list, and opens the request that updates it. Returns its id. */
export async function createAndListNote(page: Page, origin: string): Promise<string> {
  await openRequest(page, origin, 'createNote')
  const made = page.waitForResponse((response) => response.url().endsWith('/api/note'))
  expect(await send(page)).toBe('201 Created')
  const { id } = (await (await made).json()) as { id: string }

  await openRequest(page, origin, 'listNote')
  const listed = page.waitForResponse((response) => response.url().includes('/api/note/all'))
  expect(await send(page)).toBe('200 OK')
  expect(await (await listed).json()).toMatchObject({ NoteList: [{ id }] })

  await openRequest(page, origin, 'updateNote')
  const row = page.frameLocator('iframe').getByRole('row', { name: 'Include id in request' })
  await row.getByRole('combobox').nth(1).fill(id)
  return id
}
