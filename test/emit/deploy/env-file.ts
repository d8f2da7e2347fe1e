/** A `<service>/.env` that most programs read in their own ways: with a byte order mark, and line ends of Windows. */
export const ENV_FILE = [
  '\ufeffFIRST=first',
  '# A comment',
  'HASH=a#b',
  'SPACED_HASH=a #b',
  'QUOTED_HASH="a#b"',
  'DOLLAR=$HOME ${HOME} $$ ${FIRST:-x}',
  'QUOTED_DOLLAR="$HOME"',
  'ESCAPES="a\\nb\\tc"',
  "LITERAL='a\\nb\"c'",
  'BACKTICKS=`a"b\'c`',
  '  export EXPORTED =  spaces around  ',
  'LINES="one',
  'two"',
  'EMPTY=',
  'EQUALS=a=b==',
  'UNICODE=grün',
].join('\r\n')

/** What every reader makes of it. */
export const ENV_VALUES = {
  FIRST: 'first',
  HASH: 'a',
  SPACED_HASH: 'a',
  QUOTED_HASH: 'a#b',
  DOLLAR: '$HOME ${HOME} $$ ${FIRST:-x}',
  QUOTED_DOLLAR: '$HOME',
  ESCAPES: 'a\nb\\tc',
  LITERAL: 'a\\nb"c',
  BACKTICKS: 'a"b\'c',
  EXPORTED: 'spaces around',
  LINES: 'one\ntwo',
  EMPTY: '',
  EQUALS: 'a=b==',
  UNICODE: 'grün',
}

/** Prints the variables as JSON, in a directory that has `lib/`. */
export const PRINT_SETTINGS = ['node', '--import', './lib/env-file.ts', '--eval', printValues()] as const

function printValues(): string {
  const names = [...Object.keys(ENV_VALUES), 'LOG_LEVEL']
  return `console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, process.env[name]]))))`
}
