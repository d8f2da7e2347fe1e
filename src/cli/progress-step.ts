import type { Writable } from 'node:stream'
import type ora from 'ora'
import type { Ora } from 'ora'
import { type Colors, exportColorSetting } from './colors.ts'

/** A long step in progress. After `done`, `fail` or `stop`, it accepts no more calls. */
export interface ProgressStep {
  /** Shows a new text. */
  update(text: string): void
  /** Marks the step as successful, with the last text by default. */
  done(text?: string): void
  /** Marks the step as failed, with the last text by default. */
  fail(text?: string): void
  /** Ends the step and removes its line from a terminal. */
  stop(): void
}

interface StepOptions {
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly colors: Colors
  readonly quiet: boolean
}

const SILENT: ProgressStep = { update: ignore, done: ignore, fail: ignore, stop: ignore }

/** Starts a step on standard error: a spinner on a capable terminal, otherwise a line for each text. */
export function startProgressStep(text: string, { stderr, env, colors, quiet }: StepOptions): ProgressStep {
  if (quiet) return SILENT
  // A line cannot be redrawn on a terminal of unknown width.
  const canSpin = stderr.isTTY === true && (stderr.columns ?? 0) > 0 && env['TERM'] !== 'dumb' && !env['CI']
  if (canSpin) return spinnerStep(text, stderr, colors)
  return plainStep(text, stderr, colors)
}

/** Loads the spinner's code while the step is running; earlier calls take effect once it is loaded. */
function spinnerStep(text: string, stderr: Writable, colors: Colors): ProgressStep {
  let shown = text
  let spinner: Ora | undefined
  let last: ((spinner: Ora) => unknown) | undefined
  const end = (final: (spinner: Ora) => unknown): void => {
    last = final
    if (spinner !== undefined) final(spinner)
  }
  void loadSpinner(colors).then((create) => {
    spinner = create({
      text: shown,
      stream: stderr,
      isEnabled: true,
      discardStdin: false,
    })
    if (last === undefined) spinner.start()
    else last(spinner)
  })
  return {
    update: (next) => {
      shown = next
      if (spinner !== undefined) spinner.text = next
    },
    done: (final = shown) => end((current) => current.succeed(final)),
    fail: (final = shown) => end((current) => current.fail(final)),
    stop: () => end((current) => current.stop()),
  }
}

async function loadSpinner(colors: Colors): Promise<typeof ora> {
  exportColorSetting(colors)
  const { default: create } = await import('ora')
  return create
}

function plainStep(text: string, stderr: Writable, colors: Colors): ProgressStep {
  let last = text
  const line = (mark: string, next: string): void => void stderr.write(`${mark}${next}\n`)
  line('', text)
  return {
    update: (next) => {
      if (next !== last) line('', next)
      last = next
    },
    done: (final) => {
      if (final !== undefined && final !== last) line(`${colors.green('✔')} `, final)
    },
    fail: (final) => line(`${colors.red('✖')} `, final ?? last),
    stop: ignore,
  }
}

function ignore(): void {
  // A silent step shows nothing.
}
