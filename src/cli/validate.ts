import { checkText } from '../language/parse.ts'
import type { RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { type DefinitionText, readDefinition, STANDARD_INPUT } from './definition.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { Failure, usageFailure } from './failure.ts'
import { countDiagnostics, type Finding, reportDiagnostics, type ReportFormat } from './report.ts'
import { reportError } from './report-error.ts'
import { summarize } from './summary.ts'

/** `portico validate`: checks definitions, once or whenever they change. */
export const run: RunCommand = async (invocation, context) => {
  const { operands } = invocation
  const format = (invocation.text('format') ?? 'text') as ReportFormat
  if (!invocation.flag('watch')) return await validateAll(operands, format, context)
  if (operands.includes(STANDARD_INPUT))
    throw usageFailure('`--watch` needs files: standard input cannot be watched.')
  const { watchFiles } = await import('./watch.ts')
  return await watchFiles(operands, context, async () => {
    await validateAll(operands, format, context)
  })
}

interface Validated extends Finding {
  /** The line that says that it is valid; `undefined` where it is not. */
  readonly confirmation: string | undefined
}

async function validateAll(
  files: readonly string[],
  format: ReportFormat,
  context: Context,
): Promise<ExitStatus> {
  const validated: Validated[] = []
  let status: ExitStatus = EXIT.done
  for (const file of files) {
    try {
      const one = validate(await readDefinition(file, context))
      validated.push(one)
      if (one.confirmation === undefined && status === EXIT.done) status = EXIT.failed
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      status = reportError(error, context)
    }
  }
  for (const one of validated) reportDiagnostics(one, context, format)
  for (const one of validated) confirm(one, format, context)
  return status
}

function validate(definition: DefinitionText): Validated {
  const { ast, diagnostics, valid } = checkText(definition.text)
  return { definition, diagnostics, confirmation: valid ? `valid (${summarize(ast)})` : undefined }
}

/** One line for each file. It is a result, unless the results are diagnostics for a program. */
function confirm(
  { definition, diagnostics, confirmation }: Validated,
  format: ReportFormat,
  context: Context,
): void {
  const line = `${definition.name}: ${confirmation ?? countDiagnostics(diagnostics)}`
  if (format !== 'text') context.say(line)
  else if (!context.quiet) context.print(line)
}
