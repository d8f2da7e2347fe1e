import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The platform that windows are opened on. */
export const CLUB = `
/// Where members write to each other.
Club: project { #authMethod(email); }
Member: service { name: string(80, 1); #auth; #readable(by: all); }
/// What somebody wants to say.
Note: service {
  text: string(200, 1);
  Tag: struct { label: string(20, 1); #enumerable; }
  #enumerable;
  #readable(by: all);
}
`

/** Registers somebody through the page, who gets this name. */
export async function newUser(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New user' }).click()
  await expect.poll(() => page.getByLabel('Send as').locator('option:checked').textContent()).toBe(name)
}

/** Opens the endpoint of `Note` in the reference and what sends requests to it. */
export async function openRequest(page: Page, origin: string, operation: string): Promise<void> {
  await page.goto(`${origin}/#/try/Note/${operation}`)
  await page.frameLocator('iframe').getByRole('button', { name: 'Test Request' }).click()
  await page.frameLocator('iframe').getByRole('dialog').waitFor()
}

/** Sends what stands there; gives the answer's status line. */
export async function send(page: Page): Promise<string> {
  const frame = page.frameLocator('iframe')
  const answered = page.waitForResponse((response) => response.url().includes('/api/note'))
  await frame.getByRole('button', { name: /^Send \w+ request/i }).click()
  const status = String((await answered).status())
  const shown = frame.getByRole('region', { name: 'Response' }).getByRole('link').first()
  await expect.poll(() => shown.textContent()).toContain(status)
  return ((await shown.textContent()) ?? '').trim()
}
