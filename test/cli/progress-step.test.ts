import { join } from 'node:path'
import { clearLine, cursorTo, moveCursor } from 'node:readline'
import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createContext } from '../../src/cli/context.ts'
import type { ProgressStep } from '../../src/cli/progress-step.ts'
import { typeOnTerminal } from './harness.ts'

interface Screen {
  readonly step: (text: string) => ProgressStep
  /** Everything that was written, control characters included. */
  readonly written: () => string
}

function screen(terminal: boolean, options: { quiet?: boolean; env?: Record<string, string> } = {}): Screen {
  let written = ''
  const stream = new PassThrough()
  const stderr = Object.assign(stream, {
    isTTY: terminal,
    columns: 80,
    cursorTo: (column: number) => cursorTo(stream, column),
    moveCursor: (columns: number, lines: number) => moveCursor(stream, columns, lines),
    clearLine: (direction: -1 | 0 | 1) => clearLine(stream, direction),
  })
  stderr.on('data', (chunk: Buffer) => (written += chunk.toString()))
  const context = createContext(
    {
      cwd: '/',
      env: options.env ?? {},
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr,
      signal: new AbortController().signal,
    },
    { color: 'never', quiet: options.quiet ?? false, yes: false },
  )
  return { step: (text) => context.step(text), written: () => written }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(5)
}

describe('a step without a terminal', () => {
  it.each([
    ['a pipe', false, {}],
    ['a terminal that is dumb', true, { TERM: 'dumb' }],
    ['a terminal of continuous integration', true, { CI: 'true' }],
  ])('prints plain lines: %s', async (_what, terminal, env) => {
    const { step, written } = screen(terminal, { env })
    const first = step('Making the database')
    first.update('Making the database')
    first.update('Starting the services')
    first.done('2 services run')
    const second = step('Watching')
    second.fail()
    const third = step('Stopping')
    third.done()
    third.stop()
    await until(() => written().includes('Stopping'))
    expect(written()).toBe(
      'Making the database\nStarting the services\n✔ 2 services run\nWatching\n✖ Watching\nStopping\n',
    )
  })

  it('prints nothing with --quiet', async () => {
    const { step, written } = screen(false, { quiet: true })
    const quiet = step('Making the database')
    quiet.update('Starting')
    quiet.done('Done')
    quiet.fail()
    quiet.stop()
    await delay(0)
    expect(written()).toBe('')
  })
})

describe('a step on a terminal', () => {
  const shown = ({ written }: Screen): string => stripVTControlCharacters(written())

  it('shows a spinner with its text, and ends with a mark', async () => {
    const terminal = screen(true)
    const step = terminal.step('Making the database')
    await until(() => shown(terminal).includes('Making the database'))
    step.update('Starting the services')
    await until(() => shown(terminal).includes('Starting the services'))
    step.done('2 services run')
    await until(() => shown(terminal).includes('2 services run\n'))
    expect(shown(terminal)).toContain('✔ 2 services run')
    // The cursor is there again.
    expect(terminal.written().lastIndexOf('\u001b[?25h')).toBeGreaterThan(
      terminal.written().lastIndexOf('\u001b[?25l'),
    )
  })

  it('succeeds, fails or is removed, also before the spinner is loaded', async () => {
    const good = screen(true)
    good.step('Making').done()
    const bad = screen(true)
    const failing = bad.step('Making')
    failing.update('Starting')
    failing.fail()
    const none = screen(true)
    none.step('Making').stop()
    await until(() => shown(good).includes('\n') && shown(bad).includes('\n'))
    expect(shown(good)).toContain('✔ Making')
    expect(shown(bad)).toContain('✖ Starting')
    expect(shown(none)).not.toContain('\n')
  })

  it.runIf(process.platform === 'linux')('leaves signals to a command that stops by itself', async () => {
    const program = join(import.meta.dirname, 'slow-to-stop.ts')
    const { status, screen: seen } = await typeOnTerminal([process.execPath, program], '/', [
      ['Working', '\u0003'],
    ])
    expect(stripVTControlCharacters(seen)).toContain('✔ Stopped')
    expect(status).toBe(0)
  })
})
