import { dirname, resolve } from 'node:path'
import { checkText } from '../language/parse.ts'
import type { RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { type DefinitionText, readDefinition, STANDARD_INPUT } from './definition.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { CommandError, reportError, usageError } from './command-error.ts'
import {
  countDiagnostics,
  type Report,
  reportDiagnostics,
  type ReportFormat,
  withoutHints,
} from './report.ts'
import { summarize } from './summary.ts'

/** `portico validate`: checks definitions, once or on every change. */
export const run: RunCommand = async (invocation, context) => {
  const { operands } = invocation
  const format = (invocation.text('format') ?? 'text') as ReportFormat
  const hints = invocation.flag('hints')
  if (!invocation.flag('watch')) return await validateAll(operands, { format, hints }, context)
  if (operands.includes(STANDARD_INPUT))
    throw usageError('`--watch` cannot watch standard input', 'pass a file')
  const { watchFiles } = await import('./watch.ts')
  return await watchFiles(operands, context, async () => {
    const imported: string[] = []
    await validateAll(operands, { format, hints }, context, imported)
    return imported
  })
}

interface Validated extends Report {
  /** The line that confirms that the definition is valid; `undefined` if it is not. */
  readonly confirmation: string | undefined
}

/** `imported` receives the paths of all files. */
async function validateAll(
  files: readonly string[],
  { format, hints }: { readonly format: ReportFormat; readonly hints: boolean },
  context: Context,
  imported: string[] = [],
): Promise<ExitStatus> {
  const all = new Map<string, Validated>()
  let status: ExitStatus = EXIT.success
  /** The files that others import. They are checked there. */
  const parts = new Set<string>()
  for (const file of new Set(files)) {
    try {
      const one = validate(await readDefinition(file, context), hints)
      const path = resolve(context.cwd, file)
      const paths = one.result.paths.map((each) => resolve(context.cwd, dirname(file), each))
      imported.push(...paths)
      const hasProject = one.diagnostics.every(({ code }) => code !== 'missing-project')
      // Two that import each other may both have a project. One of them is reported.
      if (hasProject && !parts.has(path)) for (const part of paths) if (part !== path) parts.add(part)
      all.set(path, one)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      status = reportError(error, context)
    }
  }
  const validated = [...all].filter(([path]) => !parts.has(path)).map(([, one]) => one)
  if (status === EXIT.success && validated.some(({ confirmation }) => confirmation === undefined))
    status = EXIT.failed
  for (const one of validated) reportDiagnostics(one, context, format)
  for (const one of validated) confirm(one, format, context)
  return status
}

function validate(definition: DefinitionText, hints: boolean): Validated {
  const { parseResult, ast, diagnostics, valid } = checkText(definition.text, definition.folder)
  return {
    name: definition.name,
    result: parseResult,
    diagnostics: hints ? diagnostics : withoutHints(diagnostics),
    confirmation: valid ? `valid (${summarize(ast)})` : undefined,
  }
}

/** Prints one line for each file. It is a result only if the diagnostics are not. */
function confirm(
  { name, diagnostics, confirmation }: Validated,
  format: ReportFormat,
  context: Context,
): void {
  const line = `${name}: ${confirmation ?? countDiagnostics(diagnostics)}`
  if (format !== 'text') context.say(line)
  else if (!context.quiet) context.print(line)
}
