import { expect, vi } from 'vitest'
import type { FrameLocator, Locator, Page } from 'playwright-core'

/** What a user does in a window of VS Code, mostly with the keyboard. */
export class Window {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get editor(): Locator {
    return this.page.locator('.editor-group-container.active .monaco-editor').first()
  }

  get statusItem(): Locator {
    return this.page.locator('.statusbar-item[id="portico.portico.portico.status"]')
  }

  get notifications(): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item-message')
  }

  /** Runs a command from the command palette, by its title. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1')
    await this.choose(`>${title}`, title)
  }

  /** Opens a file in the folder, by its name. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+p')
    await this.choose(name, name)
  }

  /** The text of the status bar. */
  async status(): Promise<string> {
    return (await this.page.locator('.statusbar').innerText()).replaceAll('\n', ' ')
  }

  /** The accessible label of the extension's status bar item; empty if it is not shown. */
  async platformStatus(): Promise<string> {
    const items = await this.statusItem.all()
    return (await items[0]?.getAttribute('aria-label', { timeout: 1000 })) ?? ''
  }

  /** Types into the open picker, and accepts its first item, which has this label. */
  async choose(text: string, label: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget:visible')
    await widget.waitFor()
    const input = widget.locator('input[type=text]')
    // A list that is still being filled moves its items, so that a click could hit another one.
    const first = widget.locator('.monaco-list-row[data-index="0"]', { hasText: label })
    // An open list does not get the commands that become available when the workspace is trusted, after a start.
    await vi.waitFor(
      async () => {
        await input.fill('')
        await input.fill(text)
        await first.waitFor({ timeout: 2000 })
      },
      { timeout: 60_000 },
    )
    await this.page.keyboard.press('Enter')
  }

  /** Moves the cursor; line and column start at 1. */
  async goTo(line: number, column: number): Promise<void> {
    await this.press('Control+1', 'Control+g')
    const picker = this.page.locator('.quick-input-widget:visible')
    const input = picker.locator('input[type=text]')
    await input.fill(`:${line}:${column}`)
    // Enter does nothing before the picker says where it would go.
    await picker.locator('.monaco-list-row', { hasText: `line ${line}` }).waitFor()
    await this.page.keyboard.press('Enter')
    // The editor has the focus again.
    await input.waitFor({ state: 'hidden' })
    await this.editor.and(this.page.locator('.focused')).waitFor()
    await expect
      .poll(() => this.page.locator('.statusbar').innerText())
      .toContain(`Ln ${line}, Col ${column}`)
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: 15 })
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  /** The lines that are visible in the active editor, in any order. */
  async text(): Promise<string> {
    const lines = await this.editor.locator('.view-lines').innerText()
    return lines.replaceAll('\u00a0', ' ')
  }

  async squiggles(kind: 'error' | 'warning'): Promise<number> {
    return await this.editor.locator(`.squiggly-${kind}`).count()
  }

  /** The color of each word in the active editor. */
  async colors(): Promise<Readonly<Record<string, string>>> {
    const words = await this.editor.locator('.view-line span span').all()
    const pairs = words.map(async (word) => [
      (await word.innerText()).replaceAll('\u00a0', ' ').trim(),
      await colorOf(word, 'color'),
    ])
    return Object.fromEntries(await Promise.all(pairs))
  }

  /** The page in the visible webview. */
  webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame')
  }

  /** Saves a screenshot to the directory in PORTICO_SCREENSHOTS, if it is set. */
  async screenshot(name: string): Promise<void> {
    const directory = process.env['PORTICO_SCREENSHOTS']
    if (directory !== undefined) await this.page.screenshot({ path: `${directory}/${name}.png` })
  }
}

/** The computed color of an element. */
export async function colorOf(element: Locator, property: 'color' | 'fill'): Promise<string> {
  // The function runs in the page, which has the DOM's types.
  return await element.evaluate(
    (found, name) => (globalThis as unknown as Styles).getComputedStyle(found).getPropertyValue(name),
    property,
  )
}

interface Styles {
  readonly getComputedStyle: (element: unknown) => { readonly getPropertyValue: (name: string) => string }
}
