import type { Readable, Writable } from 'node:stream'
import { type ColorMode, type Colors, colorsFor } from './colors.ts'
import type { ProgressStep } from './progress-step.ts'
import { startProgressStep } from './progress-step.ts'
import { escapeControls } from './terminal-text.ts'

export type { Colors } from './colors.ts'

/** The input, output, environment and signals of a process. Tests pass their own. */
export interface ProcessIO {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(mode: boolean): unknown }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Aborted by SIGINT, SIGTERM or SIGHUP. The first access installs the handlers; until then signals end the process. */
  readonly signal: AbortSignal
}

/**
 * A command's access to the process: it reads and writes through the context and returns an exit status. Results go
 * to `stdout` (`print`), everything else to `stderr`. Lines are escaped, so that no text controls the terminal; only
 * a document that must not change, such as a formatted definition, is written to `stdout` directly.
 */
export interface Context extends ProcessIO {
  /** Colors for standard error. */
  readonly colors: Colors
  /** Colors for standard output. */
  readonly resultColors: Colors
  /** `-q`: no progress or confirmations. */
  readonly quiet: boolean
  /** `--yes`: answer every question with its default. */
  readonly yes: boolean
  /**
   * Whether questions can be asked: standard input and error are terminals, or belong to one that the parent process
   * shows (`PORTICO_INTERACTIVE`), and `--yes` is not set.
   */
  readonly interactive: boolean
  /** Writes a line of the result to standard output. */
  print(line: string): void
  /** Writes a line to standard error even with `-q`: diagnostics and errors. */
  report(line: string): void
  /** Writes a line to standard error unless `-q` is set: progress and next steps. */
  say(line: string): void
  /** Starts a long step: a spinner on a terminal, plain lines elsewhere, nothing with `-q`. */
  step(text: string): ProgressStep
}

/** The global options that configure a context. */
export interface ContextOptions {
  readonly color: ColorMode
  readonly quiet: boolean
  readonly yes: boolean
}

/** Creates a context from a process and the global options. */
export function createContext(io: ProcessIO, options: ContextOptions): Context {
  const { stdout, stderr, env } = io
  const colors = colorsFor(options.color, stderr.isTTY, env)
  const resultColors = colorsFor(options.color, stdout.isTTY, env)
  const report = (line: string): void =>
    void stderr.write(`${escapeControls(line, colors.isColorSupported)}\n`)
  return {
    cwd: io.cwd,
    env,
    get stdin() {
      return io.stdin
    },
    stdout,
    stderr,
    get signal() {
      return io.signal
    },
    colors,
    resultColors,
    quiet: options.quiet,
    yes: options.yes,
    get interactive() {
      const isTerminal = io.stdin.isTTY === true && stderr.isTTY === true
      return (isTerminal || env['PORTICO_INTERACTIVE'] === '1') && !options.yes
    },
    print: (line) => void stdout.write(`${escapeControls(line, resultColors.isColorSupported)}\n`),
    report,
    say: (line) => {
      if (!options.quiet) report(line)
    },
    step: (text) => startProgressStep(text, { stderr, env, colors, quiet: options.quiet }),
  }
}
