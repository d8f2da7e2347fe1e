import { type Argument, Command, type Option } from 'commander'
import { SpellingSuggester } from '../language/spelling.ts'
import { listed } from '../naming.ts'
import type { OptionSpec } from './command.ts'
import { type CommandError, unknownError, usageError } from './command-error.ts'

/**
 * A command of commander that throws a `CommandError` for wrong use. The methods below replace those with which
 * commander prints its own messages.
 */
export class CheckedCommand extends Command {
  override createCommand(name?: string): CheckedCommand {
    return new CheckedCommand(name)
  }

  unknownOption(flag: string): never {
    const help = this.createHelp()
    const options = [...help.visibleOptions(this), ...help.visibleGlobalOptions(this)]
    const word = flag.replace(/=.*$/s, '')
    if (flag !== word && options.some(({ long }) => long === word))
      throw usageError(`\`${word}\` does not take a value`)
    const format = options.find(({ argChoices }) => argChoices?.includes(word.replace(/^--/, '')))
    const suggestion = new SpellingSuggester().suggest(
      word,
      options.flatMap(({ long }) => long ?? []),
    )
    let advice = `run \`${this.#commandLine()} --help\` to list the options`
    if (format?.long !== undefined) advice = `use \`${format.long} ${word.replace(/^--/, '')}\``
    else if (suggestion !== undefined) advice = `did you mean \`${suggestion}\`?`
    throw usageError(`Unknown option \`${word}\``, advice)
  }

  unknownCommand(): never {
    const name = this.args[0] ?? ''
    if (name === '') throw emptyError('<command>')
    const known = this.commands.map((command) => command.name())
    throw unknownError('command', name, known, 'run `portico --help` to list the commands')
  }

  missingArgument(name: string): never {
    throw usageError(`Missing argument \`<${name}>\``, this.#usageHelp())
  }

  _excessArguments(args: readonly string[]): never {
    const surplus = args[this.registeredArguments.length] ?? ''
    throw usageError(
      surplus === '' ? 'Unexpected empty argument' : `Unexpected argument \`${surplus}\``,
      this.#usageHelp(),
    )
  }

  optionMissingArgument({ long }: Option): never {
    throw usageError(
      `\`${long}\` requires a value`,
      `run \`${this.#commandLine()} --help\` to list the options`,
    )
  }

  #usageHelp(): string {
    return `usage: \`${this.#commandLine()} ${this.usage()}\``
  }

  #commandLine(): string {
    return this.parent === null ? this.name() : `portico ${this.name()}`
  }
}

/** Makes an argument, or an option with a value, accept only what its specification allows, and never an empty text. */
export function restrictValues(target: Argument | Option, spec: ValueSpec): void {
  // For help and suggestions.
  if (spec.choices !== undefined) target.choices(spec.choices)
  target.argParser<unknown>((value, previous) => {
    const name = nameOf(target)
    if (value === '') throw emptyError(name)
    if (value.startsWith('--') && 'long' in target)
      throw usageError(
        `\`${name}\` requires a value`,
        `\`${value}\` is read as an option; write a file of this name as \`./${value}\``,
      )
    const help = helpFor(value, spec)
    if (help !== undefined) throw usageError(`Invalid value \`${value}\` for \`${name}\``, help)
    if (spec.repeatable !== true) return value
    return Array.isArray(previous) ? [...previous, value] : [value]
  })
}

type ValueSpec = Pick<OptionSpec, 'choices' | 'integer' | 'repeatable'>

/** What to use instead of an invalid value; `undefined` if it is valid. */
function helpFor(value: string, { choices, integer }: ValueSpec): string | undefined {
  if (choices !== undefined && !choices.includes(value)) return `use ${listed(choices, 'or')}`
  if (integer === undefined) return undefined
  const [minimum, maximum] = integer
  const isValid = /^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum
  return isValid ? undefined : `use an integer from ${minimum} to ${maximum}`
}

function emptyError(name: string): CommandError {
  return usageError(`\`${name}\` cannot be empty`)
}

function nameOf(target: Argument | Option): string {
  return 'long' in target ? (target.long ?? target.flags) : `<${target.name()}>`
}
