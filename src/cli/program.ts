import { Argument, CommanderError, Option } from 'commander'
import pc from 'picocolors'
import type { ColorMode } from './colors.ts'
import type { CommandSpec, Invocation, OptionSpec } from './command.ts'
import { reportError } from './command-error.ts'
import { CheckedCommand, restrictValues } from './commander-errors.ts'
import { COMMANDS, GLOBAL_OPTIONS } from './commands.ts'
import { createContext, type Context, type ContextOptions, type ProcessIO } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { escapeControls } from './terminal-text.ts'
import { VERSION } from './version.ts'

/**
 * Runs the command line `argv` (without the paths of Node and of the program) and returns the exit status. Never
 * throws and never ends the process.
 */
export async function runProgram(argv: readonly string[], io: ProcessIO): Promise<ExitStatus> {
  const early = createContext(io, earlyOptions(argv))
  const words = withoutUnknownHelp(argv)
  let status: ExitStatus = EXIT.success
  const program = createProgram(early, neededCommands(words), async (spec, invocation, options) => {
    status = await runCommand(spec, invocation, createContext(io, options))
  })
  try {
    if (argv.length === 0) program.help({ error: true })
    await program.parseAsync(words, { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage
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

function createProgram(context: Context, specs: readonly CommandSpec[], act: Act): CheckedCommand {
  const program = new CheckedCommand('portico')
  const { stdout, stderr, colors, resultColors } = context
  program
    .description('One definition file becomes a complete, secure microservice platform.')
    .version(VERSION, '--version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .helpCommand('help [command]', 'Print the help of a command')
    .usage('<command> [options]')
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: pc.createColors(true).bold,
      subcommandTerm: (command) => `${command.name()} ${command.usage()}`,
    })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(escapeControls(text, colors.isColorSupported)),
      getOutHasColors: () => resultColors.isColorSupported,
      getErrHasColors: () => colors.isColorSupported,
    })
    .addHelpText('after', '\nRun `portico help <command>` for the options of a command and examples.')
  for (const option of GLOBAL_OPTIONS) program.addOption(toOption(option))
  for (const spec of specs) program.addCommand(toCommand(spec, program, act))
  return program
}

/** Removes the request for help with an unknown command, which is then reported; commander would list all commands. */
function withoutUnknownHelp(argv: readonly string[]): readonly string[] {
  const [name = 'help'] = argv[0] === 'help' ? argv.slice(1) : argv
  const isKnown = name === 'help' || COMMANDS.some((spec) => spec.name === name)
  return isKnown || name.startsWith('-') ? argv : argv.filter((word) => !HELP_WORDS.has(word))
}

const HELP_WORDS: ReadonlySet<string> = new Set(['help', '-h', '--help'])

/** Returns only the command that is called, to save time; all commands if the help may list them. */
function neededCommands(argv: readonly string[]): readonly CommandSpec[] {
  const called = COMMANDS.find(({ name }) => name === argv[0])
  return called === undefined || argv.some((word) => HELP_WORDS.has(word)) ? COMMANDS : [called]
}

function toCommand(spec: CommandSpec, program: CheckedCommand, act: Act): CheckedCommand {
  const command = new CheckedCommand(spec.name)
  command
    .copyInheritedSettings(program)
    .description(`${spec.summary}.`)
    .summary(spec.summary)
    .usage(['[options]', ...spec.operands.map(({ name }) => name)].join(' '))
    .addHelpText('after', () => examples(spec))
  for (const operand of spec.operands) {
    const argument = new Argument(operand.name, operand.summary)
    restrictValues(argument, operand)
    command.addArgument(argument)
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
  if (spec.default !== undefined) option.default(spec.default)
  if (option.required || option.optional) restrictValues(option, spec)
  return option
}

function toInvocation(command: CheckedCommand): Invocation {
  const options = command.opts<Record<string, unknown>>()
  const text = (name: string): string | undefined => {
    const value = options[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    operands: command.args,
    flag: (name) => options[name] === true,
    text,
    texts: (name) => {
      const values = options[name]
      return Array.isArray(values) ? values.map(String) : []
    },
    integer: (name) => {
      const value = text(name)
      return value === undefined ? undefined : Number(value)
    },
  }
}

/** Returns the global options before the command line is parsed, for errors in parsing it. */
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
