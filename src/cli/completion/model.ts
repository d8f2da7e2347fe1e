import type { OperandSpec, OptionSpec } from '../command.ts'
import { COMMANDS, GLOBAL_OPTIONS } from '../commands.ts'

/** What may stand at a place: fixed words, files, or nothing that could be guessed. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'definition' | 'file' | 'directory' | 'none' }

/** An option as a shell sees it. */
export interface CompletedOption {
  readonly short: string | undefined
  readonly long: string
  readonly summary: string
  /** `undefined` where it takes no value. */
  readonly value: Values | undefined
}

/** A command as a shell sees it. */
export interface CompletedCommand {
  readonly name: string
  readonly summary: string
  readonly options: readonly CompletedOption[]
  readonly operand: Values
  /** It takes more than one operand. */
  readonly repeats: boolean
}

/** Everything that completion offers. */
export interface CompletionModel {
  readonly commands: readonly CompletedCommand[]
  /** Options that may stand before a command. */
  readonly options: readonly CompletedOption[]
}

/** What there is to complete, from the table of commands. `codes` are those of diagnostics. */
export function completionModel(codes: readonly string[]): CompletionModel {
  const help: CompletedOption = { short: '-h', long: '--help', summary: 'print help', value: undefined }
  const version: CompletedOption = {
    short: undefined,
    long: '--version',
    summary: 'print the version',
    value: undefined,
  }
  const shared = [...GLOBAL_OPTIONS.map(toOption), help]
  const commands = COMMANDS.map(
    ({ name, summary, options, operands: [operand] }): CompletedCommand => ({
      name,
      summary,
      options: [...options.map(toOption), ...shared],
      operand: operandValues(operand, codes),
      repeats: operand?.name.includes('...') ?? false,
    }),
  )
  const helpCommand: CompletedCommand = {
    name: 'help',
    summary: 'print the help of a command',
    options: [],
    operand: { kind: 'words', words: commands.map(({ name }) => name) },
    repeats: false,
  }
  return { commands: [...commands, helpCommand], options: [...shared, version] }
}

function toOption({ flags, summary, choices, completes }: OptionSpec): CompletedOption {
  const [, short, long = '', takesValue] = /^(?:(-\w), )?(--[\w-]+)( <.+>)?$/.exec(flags) ?? []
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
