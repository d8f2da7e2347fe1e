import type { Writable } from 'node:stream'
import type { createSpinner, Spinner } from 'nanospinner'
import type { Colors } from './context.ts'

/** A long step under way. After `done`, `fail` or `stop` it takes no more calls. */
export interface Step {
  /** Says what it is at now. */
  update(text: string): void
  /** Ends it well; without a text the last one stays. */
  done(text?: string): void
  /** Ends it badly; without a text the last one stays. */
  fail(text?: string): void
  /** Ends it and leaves no line on a terminal. */
  stop(): void
}

interface StepSurroundings {
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly colors: Colors
  readonly quiet: boolean
}

const SILENT: Step = { update: ignore, done: ignore, fail: ignore, stop: ignore }

/** Begins a step on standard error: a spinner on a terminal that moves its cursor, else a line for each text. */
export function startStep(text: string, { stderr, env, colors, quiet }: StepSurroundings): Step {
  if (quiet) return SILENT
  if (stderr.isTTY === true && env['TERM'] !== 'dumb' && !env['CI']) return spinnerStep(text, stderr)
  return plainStep(text, stderr, colors)
}

/** The spinner's code is loaded now that there is something to wait for; what happens until then is kept. */
function spinnerStep(text: string, stderr: Writable): Step {
  let act = (spinner: Spinner): unknown => spinner.start(text)
  let spinner: Spinner | undefined
  const now = (next: (spinner: Spinner) => unknown): void => {
    if (spinner === undefined) act = next
    else next(spinner)
  }
  const ready = (loaded: { readonly createSpinner: typeof createSpinner }): void => {
    spinner = loaded.createSpinner(text, { stream: stderr as NodeJS.WriteStream })
    act(spinner)
  }
  void import('nanospinner').then(ready, () => {
    // Without its spinner a step is as long as with it.
  })
  let shown = text
  return {
    update: (next) => {
      shown = next
      now((current) => (current.isSpinning() ? current.update(next) : current.start(next)))
    },
    done: (last = shown) => now((current) => current.success(last)),
    fail: (last = shown) => now((current) => current.error(last)),
    stop: () => now((current) => current.stop().clear()),
  }
}

function plainStep(text: string, stderr: Writable, colors: Colors): Step {
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
  // A silent step has nothing to show.
}
