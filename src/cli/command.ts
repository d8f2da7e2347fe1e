import type { Context } from './context.ts'
import type { ExitStatus } from './exit-status.ts'

/** The arguments of a command, checked against its specification. */
export interface Invocation {
  /** The operands in order: files, a directory, a code. */
  readonly operands: readonly string[]
  /** Whether a boolean option is set. For `--no-x`, `x` is set by default. The name is in camelCase. */
  flag(name: string): boolean
  /** The value of an option; `undefined` if it is not set. The name is in camelCase. */
  text(name: string): string | undefined
  /** The values of an option that can be repeated, in order. */
  texts(name: string): readonly string[]
  /** The value of an option with `integer` bounds; `undefined` if it is not set. */
  integer(name: string): number | undefined
}

/** Runs a command. Throws a `CommandError`, or a system error (status 3); any other error is reported as a bug. */
export type RunCommand = (invocation: Invocation, context: Context) => Promise<ExitStatus>

/** An option, with flags in commander's notation: `-o, --output <dir>`, `--allow-data-loss [names]`. */
export interface OptionSpec {
  readonly flags: string
  readonly summary: string
  /** The allowed values. */
  readonly choices?: readonly string[]
  /** The value is an integer between these bounds, inclusive. */
  readonly integer?: readonly [minimum: number, maximum: number]
  readonly default?: string
  /** It can be given several times. */
  readonly repeatable?: true
  /** What shells complete its value with. */
  readonly completes?: 'file' | 'directory'
}

/** An operand, in commander's notation: `<file...>`, `[code]`. */
export interface OperandSpec {
  readonly name: string
  readonly summary: string
  readonly choices?: readonly string[]
  readonly completes?: 'definition' | 'file' | 'directory' | 'code'
}

/** A command: its arguments, its help, and how its code is loaded. */
export interface CommandSpec {
  readonly name: string
  readonly summary: string
  readonly operands: readonly OperandSpec[]
  readonly options: readonly OptionSpec[]
  /** Command lines without the leading `portico `, each with an explanation. */
  readonly examples: readonly (readonly [line: string, meaning: string])[]
  readonly load: () => Promise<{ readonly run: RunCommand }>
}
