import type { Context } from './context.ts'
import type { ExitStatus } from './exit-status.ts'

/** What a user asked of a command, checked against its specification. */
export interface Invocation {
  /** The operands in order: files, a directory, a code. */
  readonly operands: readonly string[]
  /** Whether an option without a value was given (or, for `--no-x`, `x` was not switched off). Named in camelCase. */
  flag(name: string): boolean
  /** The value of an option, `undefined` where it was not given. Named in camelCase. */
  text(name: string): string | undefined
  /** The value of an option with `integer` bounds, `undefined` where it was not given. */
  integer(name: string): number | undefined
}

/**
 * Runs a command. It may throw a `Failure` (a sentence and a status for the user) or a system error (status
 * 3); anything else that it throws is shown as a fault of Portico.
 */
export type RunCommand = (invocation: Invocation, context: Context) => Promise<ExitStatus>

/** One option, in commander's notation of flags: `-o, --output <dir>`. */
export interface OptionSpec {
  readonly flags: string
  readonly summary: string
  /** The only values that it takes. */
  readonly choices?: readonly string[]
  /** It takes an integer between these bounds, inclusive. */
  readonly integer?: readonly [minimum: number, maximum: number]
  readonly default?: string
  /** What its value is, for completion. */
  readonly completes?: 'file' | 'directory'
}

/** One operand, in commander's notation: `<file...>`, `[code]`. */
export interface OperandSpec {
  readonly name: string
  readonly summary: string
  readonly choices?: readonly string[]
  readonly completes?: 'definition' | 'directory' | 'code'
}

/** One command: what it takes, how its help reads, and how its code is loaded when it is called. */
export interface CommandSpec {
  readonly name: string
  readonly summary: string
  readonly operands: readonly OperandSpec[]
  readonly options: readonly OptionSpec[]
  /** Command lines without the leading `portico `, each with what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[]
  readonly load: () => Promise<{ readonly run: RunCommand }>
}
