import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFailed, test, vi } from 'vitest'
import { colorOf, Window } from './window.ts'
import { example, packageExtension, startWorkbench, type Workbench } from './workbench.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
/** Loading the extension takes about 80 ms; its server needs a second to start. */
const ACTIVATION_MS = 500

/** Gives the list of problems the whole height, as it renders visible rows only; a second time, it gives it back. */
const MAXIMIZE = 'View: Toggle Maximized Panel'

/** VS Code still starts its own extensions when it shows the folder. */
const SETTLE_MS = 4000

const BROKEN = `Shop: project {}

Item: service {
  name: string(80, 1);
  part: Prat;
}

Part: service {
  size: int;
}
`

const CARS = `Rental: project {}

Car: service {
  seats: int;
}

Carrier: service {
  name: string;
}

Trip: service {
  first: Car;
  #readable(by: all);
}
`

const FIXES = `Shop: project {}

Item: service {
  name: strng(80);
  price: decimal(10, 2);
  #auth;
  #readable(by: all);
}
`

const GUESSES = `Shop: project {}

Room: service {
  Photo: struct {
    image: data(5M);
  }
}

Item: service {
  title: string(max: 80);
  cover: Photo;
}
`

const UNTIDY = `Shop: project {}

Item: service {
  name string(;
}

Part: service {
size:int;
}
`

const HOSTS = 'Host: service {\n  name: string;\n}\n'

const VALIDATE_CLOSED = {
  type: 'portico',
  command: 'validate',
  file: '.drafts/closed.portico',
  runOptions: { runOn: 'folderOpen' },
  // Otherwise its terminal would take the focus.
  presentation: { reveal: 'never' },
}

let directory: string
let vsix: string
let workbench: Workbench
let window: Window

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'portico-vsix-'))
  vsix = packageExtension(directory)
  workbench = await startWorkbench({
    vsix,
    files: {
      'stays.portico': example('stays/stays.portico'),
      'tiny.portico': example('tiny/tiny.portico'),
      'shop.portico': BROKEN,
      'empty.portico': '',
      templefile: BROKEN,
      'cars.portico': CARS,
      '.drafts/closed.portico': BROKEN,
      '.drafts/first.portico': '',
      '.drafts/fixes.portico': FIXES,
      '.drafts/linked.portico': CARS,
      '.drafts/cycle.portico': CARS,
      '.drafts/typed.portico': 'Shop: project {}\n\nItem: service {\n\n}\n',
      '.drafts/guesses.portico': GUESSES,
      '.drafts/untidy.portico': UNTIDY,
      'several/stays.portico':
        'import "hosts.portico";\n\nStays: project {}\n\nHome: service {\n  owner: Host;\n}\n',
      'several/hosts.portico': HOSTS,
      '.vscode/settings.json': JSON.stringify({
        'portico.commandLine.path': path.join(ROOT, 'bin/portico.mjs'),
      }),
    },
    settings: {
      'editor.formatOnSave': true,
      'editor.linkedEditing': true,
      // With them, Auto Fix applies a fix that is not preferred if it is the only one.
      'editor.codeActionWidget.includeNearbyQuickFixes': false,
      'portico.run.port': 0,
      'task.allowAutomaticTasks': 'on',
    },
  })
  window = new Window(workbench.page)
  // The window has settled before the first definition activates the extension.
  await workbench.open()
  await window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'shop.portico' }).waitFor()
  await window.page.waitForTimeout(SETTLE_MS)
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

test('a definition is highlighted, its problems are underlined, and the status bar counts them', async () => {
  await expect.poll(() => window.squiggles('error')).toBe(1)
  await expect.poll(() => window.platformStatus()).toContain('1 error')
  const colors = await window.colors()
  const [name, kind, attribute, type] = ['Item', 'service', 'name', 'string'].map((word) => colors[word])
  expect(new Set([name, kind, attribute])).toHaveLength(3)
  expect(type).toBeDefined()
  await window.screenshot('opened')
})

test('the extension activates without waiting for its server', async () => {
  // The list renders visible rows only, and is sorted by activation time.
  await window.page.setViewportSize({ width: 1280, height: 2400 })
  await window.command('Developer: Show Running Extensions')
  const row = window.page.locator('.runtime-extensions-editor .extension', { hasText: 'Portico' })
  await row.waitFor()
  const text = await row.innerText()
  const milliseconds = Number(/Activation: (\d+)ms/.exec(text)?.[1])
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

test('completion offers services, and a corrected type is no longer underlined', async () => {
  await window.goTo(5, 13)
  await window.press('Backspace', 'Backspace', 'Backspace', 'Backspace')
  await window.press('Control+Space')
  const suggestions = window.page.locator('.suggest-widget.visible .monaco-list-row')
  await expect.poll(() => suggestions.allInnerTexts()).toContainEqual(expect.stringContaining('Part'))
  await window.screenshot('completion')
  await window.type('Part')
  await window.press('Escape')
  if (!(await window.text()).includes('Part;')) await window.type(';')
  await expect.poll(() => window.squiggles('error')).toBe(0)
  await expect.poll(() => window.platformStatus()).toContain('valid')
})

test('a quick fix corrects a misspelled type', async () => {
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

test('a hover describes the service, with its attributes', async () => {
  await window.editor
    .locator('.view-line span', { hasText: /^Part$/ })
    .first()
    .hover()
  const hover = window.page.locator('.monaco-hover:visible')
  await expect.poll(() => hover.first().innerText()).toMatch(/Part[\s\S]*size: int/)
  await window.screenshot('hover')
  await window.press('Escape')
})

test('rename changes every reference, and saving formats the text', async () => {
  await window.goTo(8, 2)
  await window.press('F2')
  await window.page.locator('.rename-box input:visible').fill('Piece')
  await window.press('Enter')
  await expect.poll(() => window.text()).toContain('part: Piece;')
  await window.goTo(9, 3)
  await window.type('      ')
  await window.press('Control+s')
  await expect
    .poll(() => onDisk('shop.portico'))
    .toContain('Piece: service {\n  size: int;\n  #was(Part);\n}')
  expect(onDisk('shop.portico')).toContain('  part: Piece;\n')
})

test('Enter continues documentation on the next line, and a second Enter ends it', async () => {
  await window.goTo(8, 1)
  await window.type('/// A piece')
  await window.press('Enter')
  // On a busy machine, the comment marker is inserted later than the line.
  await expect.poll(() => window.status()).toContain('Ln 9, Col 5')
  await window.type('of an item.')
  await window.press('Enter')
  await expect.poll(() => window.status()).toContain('Ln 10, Col 5')
  await window.press('Enter')
  await expect.poll(() => window.status()).toContain('Ln 10, Col 1')
  await window.press('Control+s')
  await expect.poll(() => onDisk('shop.portico')).toContain('/// A piece\n/// of an item.\nPiece: service {')
})

test('the diagram has the colors of the theme, is updated while typing and goes to declarations', async () => {
  const lineOf = (text: string): number =>
    example('stays/stays.portico').split(text)[0]?.split('\n').length ?? 0
  await workbench.open('stays.portico')
  await expect.poll(() => window.platformStatus()).toContain('valid')
  await window.command('Portico: Show Diagram')
  const page = window.webview()
  await page.locator('[data-declaration="Home"]').waitFor()
  await window.screenshot('diagram')

  expect(await colorOf(page.locator('.portico-diagram .name').first(), 'fill')).toBe(
    await colorOf(page.locator('body'), 'color'),
  )

  await page.locator('[data-declaration="Photo"]').focus()
  await window.press('Enter')
  await expect.poll(() => window.status()).toContain(`Ln ${lineOf('Photo: struct')},`)
  await page.locator('[data-declaration="Review"]').click()
  await expect.poll(() => window.status()).toContain(`Ln ${lineOf('Review: service')},`)
  await expect.poll(() => page.locator('.highlighted').getAttribute('data-declaration')).toBe('Review')

  await window.goTo(1, 1)
  await window.type('Extra: service {')
  await expect.poll(() => page.locator('#notice').innerText()).toContain('errors')
  await window.page.keyboard.insertText(' note: string(20); }\n')
  await page.locator('[data-declaration="Extra"]').waitFor()
  await expect.poll(() => page.locator('#notice').innerText()).toBe('')
  await window.screenshot('diagram-follows')
})

test('the diagram fits its panel, and every visible text is readable', async () => {
  const page = window.webview()
  const area = page.locator('#diagram')
  const layout = (): Promise<Layout> => area.evaluate(`(${LAYOUT})(document)`)
  await page.getByRole('button', { name: 'Fit' }).click()
  await expect.poll(layout).toMatchObject({ overflowX: 0, overflowY: 0 })
  expect((await layout()).smallestText).toBeGreaterThanOrEqual(8)
  await window.page.setViewportSize({ width: 1100, height: 700 })
  await expect.poll(layout).toMatchObject({ overflowX: 0, overflowY: 0 })
  await window.page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Zoom in' }).click({ clickCount: 4 })
  await page.locator('.row').first().waitFor()
  expect((await layout()).smallestText).toBeGreaterThanOrEqual(8)
  await window.screenshot('diagram-zoomed')
})

test('declarations are suggested first, once each, in an empty file and in a service', async () => {
  const suggestions = window.page.locator('.suggest-widget.visible .monaco-list-row')
  const labels = async (): Promise<string[]> =>
    (await suggestions.locator('.label-name').allInnerTexts()).map((label) => label.trim())
  const suggest = async (): Promise<string[]> => {
    await window.press('Escape', 'Control+Space')
    await window.page.waitForTimeout(1500)
    return labels()
  }
  await workbench.open('empty.portico')
  await expect.poll(() => window.platformStatus()).toContain('No definition imports this file')
  await window.goTo(1, 1)
  await expect.poll(suggest).toContainEqual(expect.stringMatching(/service/))
  const atTop = await labels()
  await window.screenshot('suggestions-empty')
  expect(new Set(atTop).size).toBe(atTop.length)
  expect(atTop[0]).toBe('definition')
  expect(atTop).toContain('project')
  await window.press('Escape')
  await window.page.keyboard.insertText('Shop: project {}\nItem: service {\n  \n}\n')
  await window.goTo(3, 3)
  await expect.poll(suggest).toContainEqual(expect.stringMatching(/attribute/))
  const inService = await labels()
  await window.screenshot('suggestions-service')
  expect(new Set(inService).size).toBe(inService.length)
  const lastDeclaration = inService.findLastIndex((label) => /attribute|struct/.test(label))
  expect(inService.slice(0, lastDeclaration + 1).filter((label) => /^[#@]/.test(label))).toEqual([])
  await window.press('Escape')
})

test('a whole first definition is suggested in an empty file', async () => {
  await workbench.open('.drafts/first.portico')
  await expect.poll(() => window.platformStatus()).toContain('No definition imports this file')
  await window.goTo(1, 1)
  await window.press('Control+Space')
  const suggestions = window.page.locator('.suggest-widget.visible .monaco-list-row')
  await suggestions.filter({ hasText: 'definition' }).first().waitFor()
  await window.press('Escape')
  await window.type('definition')
  await suggestions.filter({ hasText: 'definition' }).first().waitFor()
  await window.press('Enter', 'Escape', 'Escape')
  await expect.poll(() => window.text()).toMatch(/project \{[\s\S]*service \{/)
  await expect.poll(() => window.platformStatus()).toContain('valid')
})

test('what was typed in full is kept, and an unfinished line is reported on itself after a pause', async () => {
  await workbench.open('cars.portico')
  await expect.poll(() => window.platformStatus()).toContain('valid')
  await window.goTo(12, 14)
  await window.press('Enter')
  await window.type('second: Car')
  const carrier = window.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'Carrier' })
  // VS Code does not always ask the server while somebody types this fast.
  const suggest = async (): Promise<boolean> => {
    if (!(await carrier.isVisible())) await window.press('Control+Space')
    return carrier.isVisible()
  }
  await expect.poll(suggest, { interval: 1500 }).toBe(true)
  await window.type(';')
  await expect.poll(() => window.text()).toContain('second: Car;')
  await window.press('Enter')
  await window.type('third')
  await window.press('Escape')
  await expect.poll(() => window.squiggles('error')).toBe(1)
  const isOnLine = async (): Promise<boolean> => {
    const line = await window.editor.locator('.view-line', { hasText: 'third' }).boundingBox()
    const squiggle = await window.editor.locator('.squiggly-error').boundingBox()
    return line !== null && squiggle !== null && Math.abs(squiggle.y - line.y) < line.height
  }
  await expect.poll(isOnLine).toBe(true)
})

test('Enter keeps a service that is typed in full, also if it closes a cycle', async () => {
  await workbench.open('.drafts/cycle.portico')
  await expect.poll(() => window.platformStatus()).toContain('valid')
  await window.goTo(4, 14)
  await window.press('Enter')
  await window.type('parent: Car')
  const rows = window.page.locator('.suggest-widget.visible .monaco-list-row')
  const suggest = async (): Promise<boolean> => {
    if ((await rows.count()) === 0) await window.press('Control+Space')
    return (await rows.filter({ hasText: 'Carrier' }).count()) > 0
  }
  await expect.poll(suggest, { interval: 1500 }).toBe(true)
  await window.press('Enter')
  await window.type(';')
  await expect.poll(() => window.text()).toContain('parent: Car;')
})

test('Enter after a name and a colon chooses string', async () => {
  await workbench.open('.drafts/typed.portico')
  await expect.poll(() => window.platformStatus()).toContain('valid')
  await window.goTo(4, 1)
  await window.type('  name:')
  const rows = window.page.locator('.suggest-widget.visible .monaco-list-row')
  const suggest = async (): Promise<boolean> => {
    if ((await rows.count()) === 0) await window.press('Control+Space')
    return (await rows.count()) > 0
  }
  await expect.poll(suggest, { interval: 1500 }).toBe(true)
  await window.press('Enter')
  await expect.poll(() => window.text()).toContain('name: string')
})

test('a name is edited together with its references', async () => {
  await workbench.open('.drafts/linked.portico')
  await expect.poll(() => window.platformStatus()).toContain('valid')
  await window.goTo(3, 4)
  await window.editor.locator('.linked-editing-decoration').first().waitFor()
  await window.type('t')
  await expect.poll(() => window.text()).toContain('first: Cart;')
})

test('fixing all problems never changes who may do what, and no preferred fix guesses', async () => {
  await workbench.open('.drafts/fixes.portico')
  await expect.poll(() => window.platformStatus()).toContain('3 errors')
  await window.goTo(1, 1)
  // VS Code drops the command if the light bulb asks for code actions meanwhile.
  const fixAll = async (): Promise<string> => {
    if ((await window.text()).includes('strng')) await window.command('Fix All')
    return window.text()
  }
  // The editor shows the name of the parameter.
  await expect.poll(fixAll, { interval: 3000 }).toMatch(/name: string\((?:maxLength:)?80\);/)
  expect(await window.text()).toContain('#readable(by: all);')
  // `float(10, 2)` would mean something else: at most 10, and at least 2.
  expect(await window.text()).toContain('decimal(10, 2)')
})

test('Auto Fix applies what was meant, and nothing where that is a guess', async () => {
  await workbench.open('.drafts/guesses.portico')
  await expect.poll(() => window.platformStatus()).toContain('2 errors')
  const autoFix = async (line: number, column: number): Promise<string> => {
    await window.goTo(line, column)
    await window.command('Auto Fix...')
    await window.page.waitForTimeout(1000)
    return window.text()
  }
  await expect.poll(() => autoFix(10, 18), { interval: 1000 }).toContain('title: string(maxLength: 80);')
  await autoFix(11, 12)
  await window.page.getByText('No auto fixes available').first().waitFor()
  expect(await window.text()).toContain('cover: Photo;')
})

test('Format Document formats what is intact, and says what is not', async () => {
  await workbench.open('.drafts/untidy.portico')
  await expect.poll(() => window.platformStatus()).toContain('1 error')
  await window.goTo(1, 1)
  // The command of this name does nothing until VS Code knows the formatter.
  await vi.waitFor(
    async () => {
      await window.command('Format Document')
      await expect.poll(() => window.text(), { timeout: 5000 }).toContain('  size: int;')
    },
    { timeout: 60_000 },
  )
  expect(await window.text()).toContain('  name string(;')
  await expect
    .poll(() => window.notifications.allInnerTexts())
    .toContainEqual(expect.stringContaining('has a syntax error and was not formatted'))
  await window.screenshot('untidy')
})

test('problems of an open file follow the files that it imports on the disk', async () => {
  await workbench.open('several/stays.portico')
  await expect.poll(() => window.platformStatus()).toContain('valid')
  // VS Code begins to watch files after it has opened the first one.
  await window.page.waitForTimeout(SETTLE_MS)
  const hosts = path.join(workbench.folder, 'several/hosts.portico')
  writeFileSync(hosts, HOSTS.replace('Host:', 'Guest:'))
  await expect.poll(() => window.squiggles('error')).toBe(1)
  renameSync(hosts, path.join(workbench.folder, 'several/guests.portico'))
  await expect.poll(() => window.editor.locator('.squiggly-error').count()).toBeGreaterThan(0)
  await window.screenshot('imported')
  rmSync(path.join(workbench.folder, 'several/guests.portico'))
  writeFileSync(hosts, HOSTS)
  await expect.poll(() => window.squiggles('error')).toBe(0)
})

test('the code of a problem opens its rendered explanation', async () => {
  await workbench.open('.drafts/closed.portico')
  await expect.poll(() => window.platformStatus()).toContain('1 error')
  await window.command('Problems: Focus on Problems View')
  await window.page.locator('.markers-panel a', { hasText: 'unknown-type' }).first().click()
  const page = window.webview()
  await page.locator('h1').waitFor()
  expect(await page.locator('pre code').count()).toBeGreaterThan(0)
  await window.screenshot('explanation')
})

test('problems follow folders that are created, renamed, moved and deleted', async () => {
  const inFolder = (...names: string[]): string => path.join(workbench.folder, ...names)
  const problems = window.page.locator('.markers-panel .monaco-list-rows')
  const isIn = async (folder: string): Promise<boolean> =>
    new RegExp(`first\\.portico\\s*${folder}\\s`).test(await problems.innerText())
  await window.command('Problems: Focus on Problems View')
  await window.command(MAXIMIZE)
  mkdirSync(inFolder('staging'))
  writeFileSync(inFolder('staging', 'first.portico'), BROKEN)
  renameSync(inFolder('staging'), inFolder('created'))
  await expect.poll(() => isIn('created')).toBe(true)
  expect(await isIn('staging')).toBe(false)
  renameSync(inFolder('created'), inFolder('renamed'))
  await expect.poll(() => isIn('renamed')).toBe(true)
  await expect.poll(() => isIn('created')).toBe(false)
  mkdirSync(inFolder('parent'))
  renameSync(inFolder('renamed'), inFolder('parent', 'moved'))
  await expect.poll(() => isIn('parent/moved')).toBe(true)
  await expect.poll(() => isIn('renamed')).toBe(false)
  rmSync(inFolder('parent'), { recursive: true })
  await expect.poll(() => isIn('parent/moved')).toBe(false)
  await window.command(MAXIMIZE)
})

test('a file with the name templefile is a definition', async () => {
  await workbench.open('templefile')
  await expect.poll(() => window.platformStatus()).toContain('1 error')
  await expect.poll(() => window.squiggles('error')).toBe(1)
})

test('a task validates a file that is not open, and its output becomes problems', async () => {
  await window.press('Control+s')
  writeFileSync(path.join(workbench.folder, 'other.portico'), BROKEN)
  const tasks = JSON.stringify({ version: '2.0.0', tasks: [VALIDATE_CLOSED] })
  writeFileSync(path.join(workbench.folder, '.vscode/tasks.json'), tasks)
  await workbench.open('tiny.portico')
  await expect.poll(() => window.platformStatus()).toContain('valid')
  await window.command('Problems: Focus on Problems View')
  await window.command(MAXIMIZE)
  const problems = window.page.locator('.markers-panel .monaco-list')
  // The language server ignores hidden folders: the problem is from the task, which ran when the folder was opened.
  await expect.poll(() => problems.innerText()).toMatch(/closed\.portico[\s\S]*Prat[\s\S]*Ln 5, Col 9/)
  await window.screenshot('task')
  // When a task starts, VS Code removes the problems of its matcher, but not those of the language server.
  await expect.poll(() => problems.innerText()).toMatch(/other\.portico/)
  await window.page.waitForTimeout(SETTLE_MS)
  expect(await problems.innerText()).toMatch(/other\.portico/)
  rmSync(path.join(workbench.folder, 'other.portico'))
  await window.command(MAXIMIZE)
})

test('the diagram is exported as SVG', async () => {
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
  await expect
    .poll(() => window.platformStatus(), { timeout: 120_000 })
    .toMatch(/is running at localhost:\d+/)
  const [, address] = /is running at (\S+)/.exec(await window.platformStatus()) ?? []
  const response = await fetch(`http://${address}/api/openapi.json`)
  expect(response.status).toBe(200)
  await window.screenshot('running')
  const page = await fetch(`http://${address}/`, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  await window.command('Portico: Stop Platform')
  await expect.poll(() => window.platformStatus()).not.toContain('localhost')
  await expect(fetch(`http://${address}/api/openapi.json`)).rejects.toThrow()
})

test('in an untrusted folder, language features work and nothing is run', async () => {
  await workbench.stop()
  workbench = await startWorkbench({
    vsix,
    files: { 'shop.portico': BROKEN },
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
    asksForTrust: true,
  })
  window = new Window(workbench.page)
  await workbench.open('shop.portico')
  await expect.poll(() => window.squiggles('error')).toBe(1)
  await expect.poll(() => window.platformStatus()).toContain('1 error')
  await window.editor.locator('.codelens-decoration a', { hasText: 'Run' }).first().click()
  await expect
    .poll(() => window.notifications.allInnerTexts())
    .toContainEqual(expect.stringContaining('trusted'))
  await window.screenshot('restricted')
})

interface Layout {
  /** Pixels that the diagram is wider and higher than its panel. */
  readonly overflowX: number
  readonly overflowY: number
  /** The smallest font size of a visible text on the screen, in pixels. */
  readonly smallestText: number
}

/** Runs in the page of the diagram. */
const LAYOUT = `(document) => {
  const area = document.getElementById('diagram')
  const svg = area.querySelector('svg')
  const zoom = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
  const texts = [...svg.querySelectorAll('text')].filter((text) => getComputedStyle(text).display !== 'none')
  return {
    overflowX: Math.max(0, area.scrollWidth - area.clientWidth),
    overflowY: Math.max(0, area.scrollHeight - area.clientHeight),
    smallestText: Math.min(...texts.map((text) => parseFloat(getComputedStyle(text).fontSize) * zoom)),
  }
}`
