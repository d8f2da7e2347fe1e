import { Command, CommanderError, InvalidArgumentError, Argument, Option } from 'commander'
import pc from 'picocolors'
import type { ColorMode } from './colors.ts'
import type { CommandSpec, Invocation, OptionSpec } from './command.ts'
import { COMMANDS, GLOBAL_OPTIONS } from './commands.ts'
import { createContext, type Context, type ContextOptions, type Surroundings } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { reportError } from './report-error.ts'
import { VERSION } from './version.ts'

/**
 * Runs the command line `argv` (without the names of Node and of the program) and gives the status to end
 * with. It never throws and never ends the process.
 */
export async function runProgram(argv: readonly string[], surroundings: Surroundings): Promise<ExitStatus> {
  const early = createContext(surroundings, earlyOptions(argv))
  const words = withoutVainHelp(argv)
  let status: ExitStatus = EXIT.done
  const program = createProgram(early, neededCommands(words), async (spec, invocation, options) => {
    status = await runCommand(spec, invocation, createContext(surroundings, options))
  })
  try {
    if (argv.length === 0) program.help({ error: true })
    await program.parseAsync(words, { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    return reportError(error, early)
  }
}

type Act = (spec: CommandSpec, invocation: Invocation, options: ContextOptions) => Promise<void>

async function runCommand(spec: CommandSpec, invocation: Invocation, context: Context): Promise<ExitStatus> {
  try {
    const { run } = await spec.load()
    return await run(invocation, context)
  } catch (error) {
    return reportError(error, context)
  }
}

function createProgram(context: Context, specs: readonly CommandSpec[], act: Act): Command {
  const program = new Command('portico')
  const { stdout, stderr, colors, resultColors } = context
  program
    .description('One definition file becomes a complete, secure microservice platform.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print the help of a command')
    .usage('<command> [options]')
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: pc.createColors(true).bold,
      subcommandTerm: (command) => `${command.name()} ${command.usage()}`,
    })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHasColors: () => resultColors.isColorSupported,
      getErrHasColors: () => colors.isColorSupported,
      outputError: (text, write) =>
        write(
          text
            .replace(/^error:/, colors.red('error:'))
            .replace(/command-argument value ('.*') is invalid for argument/, '$1 is invalid for argument'),
        ),
    })
    .addHelpText('after', '\n`portico help <command>` shows its options and examples.')
    .showHelpAfterError('`portico --help` lists the commands.')
  for (const option of GLOBAL_OPTIONS) program.addOption(toOption(option))
  for (const spec of specs) program.addCommand(toCommand(spec, program, act))
  return program
}

/** Help for what is no command says so, instead of listing all of them. */
function withoutVainHelp(argv: readonly string[]): readonly string[] {
  const [help, name] = argv
  const vain = help === 'help' && name !== undefined && name !== 'help' && !name.startsWith('-')
  return vain && !COMMANDS.some((spec) => spec.name === name) ? argv.slice(1) : argv
}

const HELP_WORDS: ReadonlySet<string> = new Set(['help', '-h', '--help'])

/** The command that is called, for the others need not be set up then; all where they may be shown. */
function neededCommands(argv: readonly string[]): readonly CommandSpec[] {
  const called = COMMANDS.find(({ name }) => name === argv[0])
  return called === undefined || argv.some((word) => HELP_WORDS.has(word)) ? COMMANDS : [called]
}

function toCommand(spec: CommandSpec, program: Command, act: Act): Command {
  const command = new Command(spec.name)
  command
    .copyInheritedSettings(program)
    .description(`${spec.summary.charAt(0).toUpperCase()}${spec.summary.slice(1)}.`)
    .summary(spec.summary)
    .usage(['[options]', ...spec.operands.map(({ name }) => name)].join(' '))
    .addHelpText('after', () => examples(spec))
    .showHelpAfterError(`\`portico ${spec.name} --help\` shows what it takes.`)
  for (const { name, summary, choices } of spec.operands) {
    const argument = new Argument(name, summary)
    command.addArgument(choices === undefined ? argument : argument.choices(choices))
  }
  for (const option of spec.options) command.addOption(toOption(option))
  return command.action(async () => {
    await act(spec, toInvocation(command), command.optsWithGlobals<ContextOptions>())
  })
}

function examples({ examples: lines }: CommandSpec): string {
  const width = Math.max(...lines.map(([line]) => line.length))
  const rows = lines.map(([line, meaning]) => `  portico ${line.padEnd(width)}  ${meaning}`)
  return ['', 'Examples:', ...rows].join('\n')
}

function toOption(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.summary)
  if (spec.choices !== undefined) option.choices(spec.choices)
  if (spec.default !== undefined) option.default(spec.default)
  if (spec.integer !== undefined) option.argParser(integerParser(spec.integer))
  return option
}

function integerParser([minimum, maximum]: readonly [number, number]): (text: string) => string {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return text
    throw new InvalidArgumentError(`It takes an integer from ${minimum} to ${maximum}.`)
  }
}

function toInvocation(command: Command): Invocation {
  const options = command.opts<Record<string, unknown>>()
  const text = (name: string): string | undefined => {
    const value = options[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    operands: command.args,
    flag: (name) => options[name] === true,
    text,
    integer: (name) => {
      const value = text(name)
      return value === undefined ? undefined : Number(value)
    },
  }
}

/** The shared options as far as a glance at the words tells them: for what is said before they are parsed. */
function earlyOptions(argv: readonly string[]): ContextOptions {
  const words = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
  const spaced = words[words.indexOf('--color') + 1]
  const value = words.find((word) => word.startsWith('--color='))?.slice('--color='.length)
  return {
    color: toColorMode(value ?? (words.includes('--color') ? spaced : undefined)),
    quiet: false,
    yes: false,
  }
}

function toColorMode(text: string | undefined): ColorMode {
  return text === 'always' || text === 'never' ? text : 'auto'
}
