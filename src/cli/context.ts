import type { Readable, Writable } from 'node:stream'
import { type ColorMode, type Colors, colorsFor } from './colors.ts'
import type { Step } from './step.ts'
import { startStep } from './step.ts'

export type { Colors } from './colors.ts'

/** What a process gives a command. Tests make their own of it. */
export interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Aborts at SIGINT, SIGTERM or SIGHUP. The first access takes these signals over; until then they end the process. */
  readonly signal: AbortSignal
}

/**
 * Everything that a command may touch of the process: it reads and writes through this and ends by returning
 * a status. Results go to `stdout` (`print`), all else to `stderr`.
 */
export interface Context extends Surroundings {
  /** Colours for standard error. */
  readonly colors: Colors
  /** Colours for standard output. */
  readonly resultColors: Colors
  /** `-q`: neither progress nor confirmations. */
  readonly quiet: boolean
  /** `--yes`: take the default of every question. */
  readonly yes: boolean
  /** Questions can be asked: standard input and error are terminals, and `--yes` was not given. */
  readonly interactive: boolean
  /** Writes a result and a line end to standard output. */
  print(line: string): void
  /** Writes a line to standard error, `-q` or not: diagnostics and failures. */
  report(line: string): void
  /** Writes a line to standard error unless `-q`: progress, advice, what to do next. */
  say(line: string): void
  /** Begins a long step: a spinner on a terminal, plain lines elsewhere, nothing under `-q`. */
  step(text: string): Step
}

/** The shared options that shape a context. */
export interface ContextOptions {
  readonly color: ColorMode
  readonly quiet: boolean
  readonly yes: boolean
}

/** A context from the surroundings and the shared options. */
export function createContext(surroundings: Surroundings, options: ContextOptions): Context {
  const { stdout, stderr, env } = surroundings
  const colors = colorsFor(options.color, stderr.isTTY, env)
  const report = (line: string): void => void stderr.write(`${line}\n`)
  return {
    cwd: surroundings.cwd,
    env,
    get stdin() {
      return surroundings.stdin
    },
    stdout,
    stderr,
    get signal() {
      return surroundings.signal
    },
    colors,
    resultColors: colorsFor(options.color, stdout.isTTY, env),
    quiet: options.quiet,
    yes: options.yes,
    get interactive() {
      return surroundings.stdin.isTTY === true && stderr.isTTY === true && !options.yes
    },
    print: (line) => void stdout.write(`${line}\n`),
    report,
    say: (line) => {
      if (!options.quiet) report(line)
    },
    step: (text) => startStep(text, { stderr, env, colors, quiet: options.quiet }),
  }
}
