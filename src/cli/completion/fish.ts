import type { CompletedCommand, CompletedOption, CompletionModel, Values } from './model.ts'

/** Returns the completion script for fish. */
export function fishScript({ commands, options }: CompletionModel): string {
  const names = commands.map(({ name }) => name).join(' ')
  const lines = [
    '# Fish completion for portico: save it as ~/.config/fish/completions/portico.fish.',
    'function __portico_no_command',
    `    not __fish_seen_subcommand_from ${names}`,
    'end',
    '',
    'complete -c portico -f',
    ...options.map((option) => `complete -c portico -n __portico_no_command ${flags(option)}`),
    ...commands.map(
      ({ name, summary }) => `complete -c portico -n __portico_no_command -a ${name} -d ${quote(summary)}`,
    ),
    ...commands.flatMap(commandLines),
  ]
  return `${lines.join('\n')}\n`
}

function commandLines({ name, options, operand }: CompletedCommand): string[] {
  const start = `complete -c portico -n '__fish_seen_subcommand_from ${name}'`
  const operands = operand.kind === 'none' ? [] : [`${start} ${action(operand)}`]
  return [...options.map((option) => `${start} ${flags(option)}`), ...operands]
}

function flags({ short, long, summary, value }: CompletedOption): string {
  const names = `${short === undefined ? '' : `-s ${short.slice(1)} `}-l ${long.slice(2)}`
  const only = value?.kind === 'file' ? '-r' : '-x'
  return `${names}${value === undefined ? '' : ` ${only} ${action(value)}`} -d ${quote(summary)}`.replace(
    '  ',
    ' ',
  )
}

const ACTIONS: Readonly<Record<Exclude<Values['kind'], 'words'>, string>> = {
  // `__fish_complete_suffix` takes only one suffix.
  definition: String.raw`-a '(__fish_complete_path (commandline -ct) | string match -r "^(?:.*(?:/|\.portico|\.temple(?:file)?)|(?:.*/)?templefile)\t")'`,
  directory: "-a '(__fish_complete_directories)'",
  file: '-F',
  none: '',
}

function action(values: Values): string {
  return values.kind === 'words' ? `-a ${quote(values.words.join(' '))}` : ACTIONS[values.kind]
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
