import { execFile, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { freePort } from '../../free-port.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const HOME = path.join(process.env['PORTICO_CI_HOME'] ?? '/var/tmp/portico-ci', 'vscode')
const NODE = path.join(HOME, 'node/node_modules/.bin/node')
const ENTRY = path.join(HOME, 'server/node_modules/code-server/out/node/entry.js')
const CHROMIUM = process.env['PORTICO_CHROMIUM'] ?? '/usr/bin/chromium'
const START_MS = 60_000
/** The longest that a busy machine takes to update the window. */
const TIMEOUT_MS = 60_000

/** A VS Code window in a browser, with the extension installed. */
export interface Workbench {
  readonly page: Page
  /** The folder that is open in the window. */
  readonly folder: string
  /** Opens the folder again, with files in editors. */
  open(...files: string[]): Promise<void>
  stop(): Promise<void>
}

export interface WorkbenchOptions {
  readonly vsix: string
  /** The content of files, by their path in the folder. */
  readonly files: Readonly<Record<string, string>>
  readonly settings?: Readonly<Record<string, unknown>>
  /** Whether VS Code asks if the folder is trusted. Default: every folder is trusted. */
  readonly asksForTrust?: boolean
}

/** Packages the extension into a directory. PORTICO_VSIX names a package to use instead. */
export function packageExtension(directory: string): string {
  const existing = process.env['PORTICO_VSIX']
  if (existing !== undefined) return existing
  const vsix = path.join(directory, 'portico.vsix')
  execFileSync(process.execPath, [path.join(ROOT, 'scripts/package-extension.mjs'), vsix])
  return vsix
}

/** Starts VS Code with a temporary home directory. The browser connects to this machine only. */
export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  for (const file of [NODE, ENTRY, CHROMIUM])
    if (!existsSync(file)) throw new Error(`${file} is missing: run .ci/install/vscode`)
  const run = mkdtempSync(path.join(tmpdir(), 'portico-vscode-'))
  // Postgres runs under another account if this one is root.
  chmodSync(run, 0o711)
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
    npm_config_userconfig: process.env['npm_config_userconfig'] ?? path.join(homedir(), '.npmrc'),
    npm_config_cache: process.env['npm_config_cache'] ?? path.join(homedir(), '.npm'),
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
    await waitUntilReady(port, log)
    browser = await chromium.launch({ executablePath: CHROMIUM, env, args: BROWSER_ARGUMENTS })
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    page.setDefaultTimeout(TIMEOUT_MS)
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
  // It repeats the first line of a command in a second element.
  'terminal.integrated.stickyScroll.enabled': false,
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
  // Webviews have an origin of their own, whose service worker the workbench serves.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

async function waitUntilReady(port: number, log: string): Promise<void> {
  const deadline = performance.now() + START_MS
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (response?.ok === true) return
    if (performance.now() > deadline) throw new Error(`VS Code did not start:\n${readFileSync(log, 'utf8')}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Sends a signal to the server and the processes that it started. */
function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // The process has already ended.
  }
}

/** Reads an example definition. */
export function example(name: string): string {
  return readFileSync(new URL(`../../../examples/${name}`, import.meta.url), 'utf8')
}
