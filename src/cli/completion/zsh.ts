import type { CompletedCommand, CompletedOption, CompletionModel, Values } from './model.ts'

/** Returns the completion script for zsh: a function for a directory of `fpath`, which can also be sourced. */
export function zshScript({ commands, options }: CompletionModel): string {
  return `#compdef portico
# Completion of portico for zsh: save it as _portico in a directory of fpath.
_portico() {
  local curcontext=$curcontext state line
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}\n`).join('')}  )
  _arguments -C \\
${options.map((option) => `    ${argument(option)} \\\n`).join('')}    '1:command:->command' \\
    '*::argument:->argument' && return
  case $state in
    command)
      _describe -t commands 'command' commands
      ;;
    argument)
      case $line[1] in
${commands.map(commandArguments).join('')}      esac
      ;;
  esac
}

if [[ $funcstack[1] == _portico ]]; then
  _portico "$@"
else
  compdef _portico portico
fi
`
}

function commandArguments({ name, options, operand, repeats }: CompletedCommand): string {
  const operands =
    operand.kind === 'none' ? [] : [quote(`${repeats ? '*' : '1'}:${label(operand)}:${action(operand)}`)]
  const lines = [...options.map(argument), ...operands].map((line) => ` \\\n            ${line}`)
  return `        ${name})
          _arguments${lines.join('')}
          ;;
`
}

function argument({ short, long, summary, value }: CompletedOption): string {
  const text = `[${summary.replace(/[[\]]/g, '\\$&')}]`
  const suffix = value === undefined ? '' : `:${label(value)}:${action(value)}`
  const name = value === undefined ? long : `${long}=`
  if (short === undefined) return quote(`${name}${text}${suffix}`)
  return `'(${short} ${long})'{${short},${name}}${quote(`${text}${suffix}`)}`
}

function label({ kind }: Values): string {
  return kind === 'words' || kind === 'none' ? 'value' : kind
}

const ACTIONS: Readonly<Record<Exclude<Values['kind'], 'words'>, string>> = {
  definition: '_files -g "(*.(portico|temple|templefile)|templefile)"',
  directory: '_files -/',
  file: '_files',
  none: ' ',
}

function action(values: Values): string {
  return values.kind === 'words' ? `(${values.words.join(' ')})` : ACTIONS[values.kind]
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
