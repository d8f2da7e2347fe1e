import { expect } from 'vitest'
import type { FrameLocator, Locator, Page } from 'playwright-core'

/** What a user does in a window of VS Code, with the keyboard as far as it goes. */
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

  /** Runs a command of the palette, by its title. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1')
    await this.#choose(`>${title}`, title)
  }

  /** Opens a file of the folder, by its name. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+p')
    await this.#choose(name, name)
  }

  /** What the status bar says, in words. */
  async status(): Promise<string> {
    return (await this.page.locator('.statusbar').innerText()).replaceAll('\n', ' ')
  }

  /** What the extension's item in the status bar says to a screen reader; empty while there is none. */
  async standing(): Promise<string> {
    const items = await this.statusItem.all()
    return (await items[0]?.getAttribute('aria-label', { timeout: 1000 })) ?? ''
  }

  async #choose(text: string, label: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget:visible')
    await widget.waitFor()
    await widget.locator('input[type=text]').fill(text)
    // The best one stands first; lists that are still being filled move what a click is aimed at.
    await widget.locator('.monaco-list-row[data-index="0"]', { hasText: label }).waitFor()
    await this.page.keyboard.press('Enter')
  }

  /** Puts the cursor there, both counted from 1. */
  async goTo(line: number, column: number): Promise<void> {
    await this.press('Control+1', 'Control+g')
    const input = this.page.locator('.quick-input-widget:visible input[type=text]')
    await input.fill(`:${line}:${column}`)
    await this.page.keyboard.press('Enter')
    // Keys go to the text again.
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

  /** Lines that the active editor shows, in no order. */
  async text(): Promise<string> {
    const lines = await this.editor.locator('.view-lines').innerText()
    return lines.replaceAll('\u00a0', ' ')
  }

  async squiggles(kind: 'error' | 'warning'): Promise<number> {
    return await this.editor.locator(`.squiggly-${kind}`).count()
  }

  /** The colour of each word of the active editor. */
  async colours(): Promise<Readonly<Record<string, string>>> {
    const words = await this.editor.locator('.view-line span span').all()
    const pairs = words.map(async (word) => [
      (await word.innerText()).replaceAll('\u00a0', ' ').trim(),
      await colourOf(word, 'color'),
    ])
    return Object.fromEntries(await Promise.all(pairs))
  }

  /** The page inside the webview that is shown. */
  webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame')
  }

  /** A picture of the window, for whoever wants to look: PORTICO_SCREENSHOTS names a directory. */
  async screenshot(name: string): Promise<void> {
    const directory = process.env['PORTICO_SCREENSHOTS']
    if (directory !== undefined) await this.page.screenshot({ path: `${directory}/${name}.png` })
  }
}

/** A colour that an element has, after every style and custom property. */
export async function colourOf(element: Locator, property: 'color' | 'fill'): Promise<string> {
  // The function runs in the page, which knows more names than this test.
  return await element.evaluate(
    (found, name) => (globalThis as unknown as Styles).getComputedStyle(found).getPropertyValue(name),
    property,
  )
}

interface Styles {
  readonly getComputedStyle: (element: unknown) => { readonly getPropertyValue: (name: string) => string }
}
