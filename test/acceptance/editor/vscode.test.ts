import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFailed, test } from 'vitest'
import { colourOf, Window } from './window.ts'
import { example, startWorkbench, type Workbench } from './workbench.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const PACKAGE_BYTES = 2 * 1024 * 1024
/** Milliseconds; PORTICO_BUSY multiplies it on machines that do other work meanwhile. */
const ACTIVATION_MS = 100 * Number(process.env['PORTICO_BUSY'] ?? 1)

/** VS Code is still starting extensions of its own when it shows the folder. */
const REST_MS = 4000

const BROKEN = `Shop: project {}

Item: service {
  name: string(80, 1);
  part: Prat;
}

Part: service {
  size: int;
}
`

const VALIDATE_CLOSED = {
  type: 'portico',
  command: 'validate',
  file: '.drafts/closed.portico',
  runOptions: { runOn: 'folderOpen' },
  // Or its terminal would take the keyboard from what is tested.
  presentation: { reveal: 'never' },
}

let directory: string
let workbench: Workbench
let window: Window

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'portico-vsix-'))
  const vsix = path.join(directory, 'portico.vsix')
  execFileSync(process.execPath, [path.join(ROOT, 'scripts/package-extension.mjs'), vsix])
  expect(statSync(vsix).size).toBeLessThan(PACKAGE_BYTES)
  workbench = await startWorkbench({
    vsix,
    files: {
      'stays.portico': example('stays/stays.portico'),
      'tiny.portico': example('tiny/tiny.portico'),
      'shop.portico': BROKEN,
      '.drafts/closed.portico': BROKEN,
      '.vscode/settings.json': JSON.stringify({
        'portico.commandLine.path': path.join(ROOT, 'bin/portico.mjs'),
      }),
    },
    settings: {
      'editor.formatOnSave': true,
      'portico.run.port': 0,
      'task.allowAutomaticTasks': 'on',
    },
  })
  window = new Window(workbench.page)
  // The window is there and at rest before the first definition brings the extension.
  await workbench.open()
  await window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'shop.portico' }).waitFor()
  await window.page.waitForTimeout(REST_MS)
  await window.openFile('shop.portico')
})

afterAll(async () => {
  await workbench?.stop()
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
})

afterEach(() => {
  onTestFailed(async () => window.screenshot('failed'))
})

function onDisk(file: string): string {
  return readFileSync(path.join(workbench.folder, file), 'utf8')
}

test('a file opens with colours, its mistakes are underlined, and the status bar counts them', async () => {
  await expect.poll(() => window.squiggles('error')).toBe(1)
  await expect.poll(() => window.standing()).toContain('1 error')
  const colours = await window.colours()
  const [name, kind, attribute, type] = ['Item', 'service', 'name', 'string'].map((word) => colours[word])
  expect(new Set([name, kind, attribute])).toHaveLength(3)
  expect(type).toBeDefined()
  await window.screenshot('opened')
})

test('the extension is there within 100 ms', async () => {
  // The list shows no more than fits, and has what took longest first.
  await window.page.setViewportSize({ width: 1280, height: 2400 })
  await window.command('Developer: Show Running Extensions')
  const row = window.page.locator('.runtime-extensions-editor .extension', { hasText: 'Portico' })
  await row.waitFor()
  const said = await row.innerText()
  const milliseconds = Number(/Activation: (\d+)ms/.exec(said)?.[1])
  await window.screenshot('running-extensions')
  await expect
    .poll(async () => {
      await window.press('Escape')
      return row.isVisible()
    })
    .toBe(false)
  await window.page.setViewportSize({ width: 1280, height: 800 })
  expect(milliseconds).toBeLessThan(ACTIVATION_MS)
})

test('what is offered leads to what is there, and mending it ends the underlining', async () => {
  await window.goTo(5, 13)
  await window.press('Backspace', 'Backspace', 'Backspace', 'Backspace')
  await window.press('Control+Space')
  const offered = window.page.locator('.suggest-widget.visible .monaco-list-row')
  await expect.poll(() => offered.allInnerTexts()).toContainEqual(expect.stringContaining('Part'))
  await window.screenshot('completion')
  await window.type('Part')
  await window.press('Escape')
  if (!(await window.text()).includes('Part;')) await window.type(';')
  await expect.poll(() => window.squiggles('error')).toBe(0)
  await expect.poll(() => window.standing()).toContain('valid')
})

test('a quick fix mends a misspelled type', async () => {
  await window.goTo(9, 12)
  await window.press('Backspace')
  await expect.poll(() => window.squiggles('error')).toBe(1)
  await window.goTo(9, 10)
  const actions = window.page.locator('.action-widget .monaco-list-row')
  const isOffered = async (): Promise<boolean> => {
    if ((await actions.count()) === 0) await window.press('Control+.')
    await window.page.waitForTimeout(1000)
    return (await actions.count()) > 0
  }
  await expect.poll(isOffered).toBe(true)
  await window.screenshot('quick-fix')
  await window.press('Enter')
  await expect.poll(() => window.text()).toContain('size: int;')
  await expect.poll(() => window.squiggles('error')).toBe(0)
})

test('resting on a name says what it is', async () => {
  await window.editor
    .locator('.view-line span', { hasText: /^Part$/ })
    .first()
    .hover()
  const hover = window.page.locator('.monaco-hover:visible')
  await expect.poll(() => hover.first().innerText()).toContain('Part')
  await window.screenshot('hover')
  await window.press('Escape')
})

test('renaming reaches every use, and saving lays the text out', async () => {
  await window.goTo(8, 2)
  await window.press('F2')
  await window.page.locator('.rename-box input:visible').fill('Piece')
  await window.press('Enter')
  await expect.poll(() => window.text()).toContain('part: Piece;')
  await window.goTo(9, 3)
  await window.type('      ')
  await window.press('Control+s')
  await expect.poll(() => onDisk('shop.portico')).toContain('Piece: service {\n  size: int;\n}')
  expect(onDisk('shop.portico')).toContain('  part: Piece;\n')
})

test('documentation goes on with the next line', async () => {
  await window.goTo(8, 1)
  await window.type('/// A piece')
  await window.press('Enter')
  // The extension's rule adds the sign a moment later, where the machine is busy.
  await expect.poll(() => window.status()).toContain('Ln 9, Col 5')
  await window.type('of an item.')
  await window.press('Enter')
  await expect.poll(() => window.status()).toContain('Ln 10, Col 5')
  await window.press('Backspace', 'Backspace', 'Backspace', 'Backspace')
  await expect.poll(() => window.status()).toContain('Ln 10, Col 1')
  await window.press('Control+s')
  await expect.poll(() => onDisk('shop.portico')).toContain('/// A piece\n/// of an item.\nPiece: service {')
})

test('the diagram has the colours of the theme, follows what is typed and leads to declarations', async () => {
  const lineOf = (text: string): number =>
    example('stays/stays.portico').split(text)[0]?.split('\n').length ?? 0
  await workbench.open('stays.portico')
  await expect.poll(() => window.standing()).toContain('valid')
  await window.command('Portico: Show Diagram')
  const page = window.webview()
  await page.locator('[data-declaration="Home"]').waitFor()
  await window.screenshot('diagram')

  expect(await colourOf(page.locator('.portico-diagram .name').first(), 'fill')).toBe(
    await colourOf(page.locator('body'), 'color'),
  )

  await page.locator('[data-declaration="Photo"]').focus()
  await window.press('Enter')
  await expect.poll(() => window.status()).toContain(`Ln ${lineOf('Photo: struct')},`)
  await page.locator('[data-declaration="Review"]').click()
  await expect.poll(() => window.status()).toContain(`Ln ${lineOf('Review: service')},`)
  await expect.poll(() => page.locator('.marked').getAttribute('data-declaration')).toBe('Review')

  await window.goTo(1, 1)
  await window.type('Extra: service {')
  await expect.poll(() => page.locator('#notice').innerText()).toContain('errors')
  await window.page.keyboard.insertText(' note: string(20); }\n')
  await page.locator('[data-declaration="Extra"]').waitFor()
  await expect.poll(() => page.locator('#notice').innerText()).toBe('')
  await window.screenshot('diagram-follows')
})

test('a task checks a file that is not open, and what it prints becomes problems', async () => {
  await window.press('Control+s')
  writeFileSync(path.join(workbench.folder, 'other.portico'), BROKEN)
  const tasks = JSON.stringify({ version: '2.0.0', tasks: [VALIDATE_CLOSED] })
  writeFileSync(path.join(workbench.folder, '.vscode/tasks.json'), tasks)
  await workbench.open('tiny.portico')
  await expect.poll(() => window.standing()).toContain('valid')
  await window.command('Problems: Focus on Problems View')
  const problems = window.page.locator('.markers-panel .monaco-list')
  // In a hidden folder the language server does not look: the task has found it, when the folder was opened.
  await expect.poll(() => problems.innerText()).toMatch(/closed\.portico[\s\S]*Prat[\s\S]*Ln 5, Col 9/)
  await window.screenshot('task')
  // A task that ends takes away what its matcher's owner had when it began: not what the language server found.
  await expect.poll(() => problems.innerText()).toMatch(/other\.portico/)
  await window.page.waitForTimeout(REST_MS)
  expect(await problems.innerText()).toMatch(/other\.portico/)
  rmSync(path.join(workbench.folder, 'other.portico'))
})

test('the diagram is exported as a picture', async () => {
  await window.command('Portico: Export Diagram as SVG')
  const dialog = window.page.locator('.quick-input-widget:visible')
  await expect.poll(() => dialog.locator('input[type=text]').inputValue()).toContain('tiny.svg')
  await window.press('Enter')
  await expect
    .poll(() => window.notifications.allInnerTexts())
    .toContainEqual(expect.stringContaining('tiny.svg'))
  expect(onDisk('tiny.svg')).toMatch(/^<svg [\s\S]*<style>[\s\S]*<\/svg>\s*$/)
})

test('a platform runs until it is stopped, and the status bar shows its address', async () => {
  await window.command('Portico: Run Platform')
  await expect.poll(() => window.standing(), { timeout: 120_000 }).toMatch(/runs at localhost:\d+/)
  const [, address] = /runs at (\S+)/.exec(await window.standing()) ?? []
  const answer = await fetch(`http://${address}/api/openapi.json`)
  expect(answer.status).toBe(200)
  await window.screenshot('running')
  const opened = window.page.context().waitForEvent('page')
  await window.command('Portico: Open API Explorer')
  const explorer = await opened
  // Its address is below the workbench's own, since this VS Code is on a server.
  expect(new URL(explorer.url()).pathname).toBe(`/proxy/${address?.split(':')[1]}/`)
  await explorer.close()
  const page = await fetch(`http://${address}/`, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  await window.command('Portico: Stop Platform')
  await expect.poll(() => window.standing()).not.toContain('localhost')
  await expect(fetch(`http://${address}/api/openapi.json`)).rejects.toThrow()
})

test('in a folder that is not trusted there is help, and nothing is run', async () => {
  await workbench.stop()
  workbench = await startWorkbench({
    vsix: path.join(directory, 'portico.vsix'),
    files: { 'shop.portico': BROKEN },
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
    asksForTrust: true,
  })
  window = new Window(workbench.page)
  await workbench.open('shop.portico')
  await expect.poll(() => window.squiggles('error')).toBe(1)
  await expect.poll(() => window.standing()).toContain('1 error')
  await window.editor.locator('.codelens-decoration a', { hasText: 'Run' }).first().click()
  await expect
    .poll(() => window.notifications.allInnerTexts())
    .toContainEqual(expect.stringContaining('trusted'))
  await window.screenshot('restricted')
})
