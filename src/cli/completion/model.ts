import type { OperandSpec, OptionSpec } from '../command.ts'
import { COMMANDS, GLOBAL_OPTIONS } from '../commands.ts'

/** The possible values of an argument: fixed words, files, or anything. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'definition' | 'file' | 'directory' | 'none' }

/** An option for completion. */
export interface CompletedOption {
  readonly short: string | undefined
  readonly long: string
  readonly summary: string
  /** `undefined` if it takes no value. */
  readonly value: Values | undefined
}

/** A command for completion. */
export interface CompletedCommand {
  readonly name: string
  readonly summary: string
  readonly options: readonly CompletedOption[]
  readonly operand: Values
  /** Whether more operands like it can follow. */
  readonly repeats: boolean
}

/** Everything that shells complete. */
export interface CompletionModel {
  readonly commands: readonly CompletedCommand[]
  /** Options that can precede a command. */
  readonly options: readonly CompletedOption[]
}

/** Builds the completion model from the table of commands. `codes` are the codes of diagnostics. */
export function completionModel(codes: readonly string[]): CompletionModel {
  const help: CompletedOption = { short: '-h', long: '--help', summary: 'Print help', value: undefined }
  const version: CompletedOption = {
    short: undefined,
    long: '--version',
    summary: 'Print the version',
    value: undefined,
  }
  const shared = [...GLOBAL_OPTIONS.map(toOption), help]
  const commands = COMMANDS.map(
    ({ name, summary, options, operands: [operand, second] }): CompletedCommand => ({
      name,
      summary,
      options: [...options.map(toOption), ...shared],
      operand: operandValues(operand, codes),
      repeats: operand?.name.includes('...') === true || second !== undefined,
    }),
  )
  const helpCommand: CompletedCommand = {
    name: 'help',
    summary: 'Print the help of a command',
    options: [],
    operand: { kind: 'words', words: commands.map(({ name }) => name) },
    repeats: false,
  }
  return { commands: [...commands, helpCommand], options: [...shared, version] }
}

function toOption({ flags, summary, choices, completes }: OptionSpec): CompletedOption {
  const [, short, long = '', takesValue] = /^(?:(-\w), )?(--[\w-]+)( <.+>)?(?: \[.+\])?$/.exec(flags) ?? []
  let value: Values | undefined
  if (choices !== undefined) value = { kind: 'words', words: choices }
  else if (takesValue !== undefined) value = { kind: completes ?? 'none' }
  return { short, long, summary, value }
}

function operandValues(operand: OperandSpec | undefined, codes: readonly string[]): Values {
  if (operand?.choices !== undefined) return { kind: 'words', words: operand.choices }
  if (operand?.completes === 'code') return { kind: 'words', words: codes }
  return { kind: operand?.completes ?? 'none' }
}
