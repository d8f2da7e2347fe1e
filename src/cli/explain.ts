import {
  CATALOGUE,
  DIAGNOSTIC_CODES,
  type DiagnosticCode,
  isDiagnosticCode,
} from '../diagnostics/catalogue.ts'
import { renderDiagnostic } from '../diagnostics/render.ts'
import type { DefinitionFolder } from '../language/imports.ts'
import { checkText } from '../language/parse.ts'
import type { RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-status.ts'
import { unknownError } from './command-error.ts'
import { reportStyle, severityColor } from './report.ts'
import { wrap } from './terminal-text.ts'

const WIDTH = 80

/** A code copied from a printed diagnostic: `error[unknown-type]:`. */
const PRINTED = /^(?:error|warning|hint)?\[([a-z-]+)\]:?$/

/** `portico explain`: explains a diagnostic, or lists all of them. */
export const run: RunCommand = async ({ operands: [operand] }, context) => {
  const code = operand === undefined ? undefined : (PRINTED.exec(operand)?.[1] ?? operand)
  if (code === undefined) listCodes(context)
  else if (isDiagnosticCode(code)) explainCode(code, context)
  else
    throw unknownError('diagnostic', code, DIAGNOSTIC_CODES, 'run `portico explain` to list all diagnostics')
  return EXIT.success
}

function listCodes(context: Context): void {
  const { resultColors } = context
  const width = Math.max(...DIAGNOSTIC_CODES.map((code) => code.length))
  for (const code of DIAGNOSTIC_CODES) {
    const { severity, title } = CATALOGUE[code]
    context.print(`${resultColors.bold(code.padEnd(width))}  ${severity.padEnd('warning'.length)}  ${title}`)
  }
}

/** The examples import files that are not there. */
const EMPTY_FOLDER: DefinitionFolder = { name: '', read: () => ({ reason: 'no such file or directory' }) }

function explainCode(code: DiagnosticCode, context: Context): void {
  const { resultColors } = context
  const print = (line: string): void => context.print(line)
  const { severity, title, explanation, bad, good } = CATALOGUE[code]
  const color = severityColor(resultColors, severity)
  print(`${color(`${severity}[${code}]`)}: ${resultColors.bold(title)}`)
  print('')
  for (const line of wrap(explanation, WIDTH)) print(line)
  print('')
  print(resultColors.bold('Incorrect:'))
  printExample(bad, print)
  const found = checkText(bad, EMPTY_FOLDER).diagnostics.find((diagnostic) => diagnostic.code === code)
  if (found !== undefined) {
    print(renderDiagnostic(found, bad, () => 'example.portico', reportStyle(resultColors)))
    print('')
  }
  print(resultColors.bold('Correct:'))
  printExample(good, print)
}

function printExample(text: string, print: (line: string) => void): void {
  print('')
  for (const line of text.trimEnd().split('\n')) print(line === '' ? '' : `  ${line}`)
  print('')
}
