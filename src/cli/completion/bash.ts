import type { CompletedCommand, CompletedOption, CompletionModel, Values } from './model.ts'

/** Returns the completion script for bash 3.2 and later, without the bash-completion library. */
export function bashScript({ commands, options }: CompletionModel): string {
  const valued = options.filter(({ value }) => value !== undefined).flatMap(spellings)
  return `# Bash completion for portico: source this file, or copy it to a completions directory.
_portico_files() {
  # Reads line by line, because names may contain spaces.
  local name
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    case $1 in
      definition) [[ -d $name || $name == *.portico || $name == *.temple || $name == *.templefile || \${name##*/} == templefile ]] || continue ;;
      directory) [[ -d $name ]] || continue ;;
    esac
    COMPREPLY+=("$name")
  done < <(compgen -f -- "$2")
}

_portico() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command= i
  COMPREPLY=()
  # Bash splits --option=value into three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = && COMP_CWORD -gt 1 ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${valued.join(' | ')})
        [[ \${COMP_WORDS[i + 1]} == = ]] && ((i++))
        ((i++))
        ;;
      -*) ;;
      *)
        command=\${COMP_WORDS[i]}
        break
        ;;
    esac
  done
  case $command:$previous in
${[...options.map((option) => optionValue('*', option)), ...commands.flatMap((command) => commandValues(command, options))].join('')}  esac
  case $command in
    '')
      COMPREPLY=($(compgen -W '${[...commands.map(({ name }) => name), ...options.flatMap(spellings)].join(' ')}' -- "$current"))
      ;;
${commands.map(commandWords).join('')}  esac
}

complete -F _portico portico
`
}

function commandValues({ name, options }: CompletedCommand, shared: readonly CompletedOption[]): string[] {
  return options.filter((option) => !shared.includes(option)).map((option) => optionValue(name, option))
}

function optionValue(command: string, option: CompletedOption): string {
  if (option.value === undefined) return ''
  const patterns = spellings(option).map((spelling) => `${command}:${spelling}`)
  return `    ${patterns.join(' | ')})
      ${complete(option.value)}
      return
      ;;
`
}

function commandWords({ name, options, operand }: CompletedCommand): string {
  return `    ${name})
      if [[ $current == -* ]]; then
        ${complete({ kind: 'words', words: options.flatMap(spellings) })}
      else
        ${complete(operand)}
      fi
      ;;
`
}

function complete(values: Values): string {
  if (values.kind === 'words') return `COMPREPLY=($(compgen -W '${values.words.join(' ')}' -- "$current"))`
  return values.kind === 'none' ? ':' : `_portico_files ${values.kind} "$current"`
}

function spellings({ short, long }: CompletedOption): string[] {
  return short === undefined ? [long] : [short, long]
}
