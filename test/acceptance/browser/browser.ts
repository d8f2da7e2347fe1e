import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env['PORTICO_CHROMIUM'] ?? '/usr/bin/chromium'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Waits for the animations that end. Texts have less contrast while they fade in. */
const FADED_IN = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
  .map(({ finished }) => finished))`

/** Launches the browser that `.ci/install/chromium` installs. */
export async function launchBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing: run .ci/install/chromium`)
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}

/** A browser window that records errors. */
export interface MonitoredWindow {
  readonly page: Page
  /** Script errors, violations of the content security policy, and requests to other origins. */
  readonly errors: string[]
  readonly close: () => Promise<void>
}

/** Opens a window that may send requests to one origin only. */
export async function openWindow(
  browser: Browser,
  origin: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<MonitoredWindow> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    ...options,
  })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    // Error responses of services are logged too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text())
  })
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      errors.push(`request to ${request.url()}`)
  })
  return { page, errors, close: () => context.close() }
}

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string }[]
}

/** Returns the serious and critical violations that axe finds in the page and its frames. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  const violations: string[] = []
  for (const frame of page.frames()) {
    await frame.evaluate(FADED_IN)
    await frame.evaluate(AXE)
    const found: unknown = await frame.evaluate('axe.run(document, { iframes: false })')
    for (const { id, impact, nodes } of (found as { violations: Violation[] }).violations)
      if (impact === 'serious' || impact === 'critical')
        violations.push(`${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  }
  return violations
}
