import type { Writable } from 'node:stream'
import type ora from 'ora'
import type { Ora } from 'ora'
import { type Colors, passColorsOn } from './colors.ts'

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
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly colors: Colors
  readonly quiet: boolean
}

const SILENT: Step = { update: ignore, done: ignore, fail: ignore, stop: ignore }

/** Begins a step on standard error: a spinner on a terminal that moves its cursor, else a line for each text. */
export function startStep(text: string, { stderr, env, colors, quiet }: StepSurroundings): Step {
  if (quiet) return SILENT
  // A terminal that does not know its own width cannot be redrawn.
  const canSpin = stderr.isTTY === true && (stderr.columns ?? 0) > 0 && env['TERM'] !== 'dumb' && !env['CI']
  if (canSpin) return spinnerStep(text, stderr, colors)
  return plainStep(text, stderr, colors)
}

/** The spinner's code is loaded now that there is something to wait for; what happens until then is kept. */
function spinnerStep(text: string, stderr: Writable, colors: Colors): Step {
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
  passColorsOn(colors)
  const { default: create } = await import('ora')
  return create
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
