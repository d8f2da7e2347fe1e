import { type Argument, Command, type Option } from 'commander'
import { Nearest } from '../language/nearest.ts'
import { usageError } from './command-error.ts'
import { alternatives } from './terminal-text.ts'

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
    const format = options.find(({ argChoices }) => argChoices?.includes(word.replace(/^--/, '')))
    const near = new Nearest().among(
      word,
      options.flatMap(({ long }) => long ?? []),
    )
    let advice = `run \`${this.#commandLine()} --help\` to list the options`
    if (format?.long !== undefined) advice = `use \`${format.long} ${word.replace(/^--/, '')}\``
    else if (near !== undefined) advice = `did you mean \`${near}\`?`
    throw usageError(`Unknown option \`${word}\``, advice)
  }

  unknownCommand(): never {
    const name = this.args[0] ?? ''
    const near = new Nearest().among(
      name,
      this.commands.map((command) => command.name()),
    )
    throw usageError(
      `Unknown command \`${name}\``,
      near === undefined ? 'run `portico --help` to list the commands' : `did you mean \`${near}\`?`,
    )
  }

  missingArgument(name: string): never {
    throw usageError(`Missing argument \`<${name}>\``, this.#usageHelp())
  }

  _excessArguments(args: readonly string[]): never {
    throw usageError(
      `Unexpected argument \`${args[this.registeredArguments.length] ?? ''}\``,
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

/** Makes an argument or an option accept only these values. */
export function restrictTo(target: Argument | Option, choices: readonly string[]): void {
  // For help and suggestions.
  target.choices(choices)
  target.argParser((value) => {
    if (choices.includes(value)) return value
    throw usageError(`Invalid value \`${value}\` for \`${nameOf(target)}\``, `use ${alternatives(choices)}`)
  })
}

/** Makes an option accept only integers between these bounds, inclusive. */
export function restrictToInteger(
  option: Option,
  [minimum, maximum]: readonly [minimum: number, maximum: number],
): void {
  option.argParser((text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return text
    throw usageError(
      `Invalid value \`${text}\` for \`${nameOf(option)}\``,
      `use an integer from ${minimum} to ${maximum}`,
    )
  })
}

function nameOf(target: Argument | Option): string {
  return 'long' in target ? (target.long ?? target.flags) : `<${target.name()}>`
}
