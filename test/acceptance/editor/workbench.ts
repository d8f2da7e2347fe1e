import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { freePort } from '../../free-port.ts'

const HOME = path.join(process.env['PORTICO_CI_HOME'] ?? '/var/tmp/portico-ci', 'vscode')
const NODE = path.join(HOME, 'node/node_modules/.bin/node')
const ENTRY = path.join(HOME, 'server/node_modules/code-server/out/node/entry.js')
const CHROMIUM = process.env['PORTICO_CHROMIUM'] ?? '/usr/bin/chromium'
const START_MS = 60_000
/** What is waited for in the window comes within this, however busy the machine is. */
const PATIENCE_MS = 60_000

/** A VS Code window in a browser, with the packaged extension. */
export interface Workbench {
  readonly page: Page
  /** The folder that is open in it. */
  readonly folder: string
  /** Opens the folder anew, with files in editors. */
  open(...files: string[]): Promise<void>
  stop(): Promise<void>
}

export interface WorkbenchOptions {
  readonly vsix: string
  /** Files by their path in the folder. */
  readonly files: Readonly<Record<string, string>>
  readonly settings?: Readonly<Record<string, unknown>>
  /** Ask whether the folder is trusted, as VS Code does. Default: every folder is. */
  readonly asksForTrust?: boolean
}

/** Starts VS Code with a home of its own, which goes when it is stopped. It reaches nothing but this machine. */
export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  for (const file of [NODE, ENTRY, CHROMIUM])
    if (!existsSync(file)) throw new Error(`${file} is not there: run .ci/install/vscode first.`)
  const run = mkdtempSync(path.join(tmpdir(), 'portico-vscode-'))
  const folder = path.join(run, 'workspace')
  for (const directory of ['home', 'tmp', 'data/User', 'extensions', 'workspace'])
    mkdirSync(path.join(run, directory), { recursive: true })
  for (const [name, text] of Object.entries(options.files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  writeFileSync(
    path.join(run, 'data/User/settings.json'),
    JSON.stringify({ ...SETTINGS, ...options.settings }),
  )
  writeFileSync(path.join(run, 'config.yaml'), 'auth: none\ncert: false\n')

  const env = {
    ...process.env,
    HOME: path.join(run, 'home'),
    TMPDIR: path.join(run, 'tmp'),
    XDG_CONFIG_HOME: path.join(run, 'home/.config'),
    XDG_DATA_HOME: path.join(run, 'home/.local/share'),
    XDG_CACHE_HOME: path.join(run, 'home/.cache'),
    XDG_RUNTIME_DIR: path.join(run, 'tmp'),
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
  }
  const own = [
    ENTRY,
    `--config=${path.join(run, 'config.yaml')}`,
    `--user-data-dir=${path.join(run, 'data')}`,
    `--extensions-dir=${path.join(run, 'extensions')}`,
  ]
  await promisify(execFile)(NODE, [...own, '--install-extension', options.vsix, '--force'], { env })

  const port = await freePort()
  const log = path.join(run, 'server.log')
  const output = openSync(log, 'w')
  const trust = options.asksForTrust === true ? [] : ['--disable-workspace-trust']
  const quiet = [
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    ...trust,
  ]
  const server = spawn(NODE, [...own, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', ...quiet], {
    stdio: ['ignore', output, output],
    detached: true,
    env,
  })
  const ended = new Promise<void>((resolve) => {
    server.once('exit', () => resolve())
  })
  let browser: Browser | undefined
  const stop = async (): Promise<void> => {
    await browser?.close()
    signal(server.pid, 'SIGTERM')
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 8000))])
    signal(server.pid, 'SIGKILL')
    rmSync(run, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await untilItAnswers(port, log)
    browser = await chromium.launch({ executablePath: CHROMIUM, env, args: BROWSER_ARGUMENTS })
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    const open = async (...files: string[]): Promise<void> => {
      const payload = files.map((file) => [
        'openFile',
        `vscode-remote://127.0.0.1:${port}${path.join(folder, file)}`,
      ])
      const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) })
      await page.goto(`http://127.0.0.1:${port}/?${query.toString()}`)
    }
    return { page, folder, open, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const SETTINGS = {
  'files.autoSave': 'off',
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.colorTheme': 'Default Dark Modern',
  'chat.disableAIFeatures': true,
  'window.commandCenter': false,
  'telemetry.telemetryLevel': 'off',
  'editor.minimap.enabled': false,
  'remote.autoForwardPorts': false,
}

const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Webviews live at an origin of their own, whose service worker the workbench serves.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

async function untilItAnswers(port: number, log: string): Promise<void> {
  const deadline = performance.now() + START_MS
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (answer?.ok === true) return
    if (performance.now() > deadline) throw new Error(`VS Code did not start:\n${readFileSync(log, 'utf8')}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** To the server and all that it started. */
function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // It has ended by itself.
  }
}

/** A copy of an example for a folder of a workbench. */
export function example(name: string): string {
  return readFileSync(new URL(`../../../examples/${name}`, import.meta.url), 'utf8')
}
