import {
  CATALOGUE,
  DIAGNOSTIC_CODES,
  type DiagnosticCode,
  isDiagnosticCode,
} from '../diagnostics/catalogue.ts'
import { renderDiagnostic } from '../diagnostics/render.ts'
import { Nearest } from '../language/nearest.ts'
import { checkText } from '../language/parse.ts'
import type { RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-status.ts'
import { usageFailure } from './failure.ts'
import { reportStyle, severityColor } from './report.ts'
import { wrap } from './wrap.ts'

const WIDTH = 80

/** A code as diagnostics are printed, `error[unknown-type]:`, for it to be copied from there. */
const PRINTED = /^(?:error|warning|hint)?\[([a-z-]+)\]:?$/

/** `portico explain`: what a diagnostic means, or a list of all of them. */
export const run: RunCommand = async ({ operands: [operand] }, context) => {
  const code = operand === undefined ? undefined : (PRINTED.exec(operand)?.[1] ?? operand)
  if (code === undefined) listCodes(context)
  else if (isDiagnosticCode(code)) explainCode(code, context)
  else {
    const near = new Nearest().among(code, DIAGNOSTIC_CODES)
    const suggestion = near === undefined ? '' : ` Did you mean \`${near}\`?`
    throw usageFailure(
      `There is no diagnostic \`${code}\`.${suggestion}`,
      '`portico explain` lists all of them.',
    )
  }
  return EXIT.done
}

function listCodes(context: Context): void {
  const { resultColors } = context
  const width = Math.max(...DIAGNOSTIC_CODES.map((code) => code.length))
  for (const code of DIAGNOSTIC_CODES) {
    const { severity, title } = CATALOGUE[code]
    context.print(`${resultColors.bold(code.padEnd(width))}  ${severity.padEnd('warning'.length)}  ${title}`)
  }
}

function explainCode(code: DiagnosticCode, context: Context): void {
  const { resultColors } = context
  const print = (line: string): void => context.print(line)
  const { severity, title, explanation, bad, good } = CATALOGUE[code]
  const colour = severityColor(resultColors, severity)
  print(`${colour(`${severity}[${code}]`)}: ${resultColors.bold(title)}`)
  print('')
  for (const line of wrap(explanation, WIDTH)) print(line)
  print('')
  print(resultColors.bold('This has it:'))
  printExample(bad, print)
  const found = checkText(bad).diagnostics.find((diagnostic) => diagnostic.code === code)
  if (found !== undefined) {
    print(renderDiagnostic(found, bad, 'example.portico', reportStyle(resultColors)))
    print('')
  }
  print(resultColors.bold('This does not:'))
  printExample(good, print)
}

function printExample(text: string, print: (line: string) => void): void {
  print('')
  for (const line of text.trimEnd().split('\n')) print(line === '' ? '' : `  ${line}`)
  print('')
}
