import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env['PORTICO_CHROMIUM'] ?? '/usr/bin/chromium'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The browser that `.ci/install/chromium` installs. */
export async function launchBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing: run .ci/install/chromium`)
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}

/** A window, and what went wrong in it. */
export interface Watched {
  readonly page: Page
  /** Errors of scripts, violations of the content security policy, and requests that left the origin. */
  readonly complaints: string[]
  readonly close: () => Promise<void>
}

/** Opens a window on an origin, of which nothing may go elsewhere. */
export async function openWindow(
  browser: Browser,
  origin: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Watched> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // What a service refuses is an error to the console too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      complaints.push(`It asked for ${request.url()}`)
  })
  return { page, complaints, close: () => context.close() }
}

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe finds serious or worse, in the page and its frames. */
export async function seriousFindings(page: Page): Promise<string[]> {
  const findings: string[] = []
  for (const frame of page.frames()) {
    await frame.evaluate(AXE)
    const found: unknown = await frame.evaluate('axe.run(document, { iframes: false })')
    for (const { id, impact, nodes } of (found as { violations: Violation[] }).violations)
      if (impact === 'serious' || impact === 'critical')
        findings.push(`${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  }
  return findings
}
