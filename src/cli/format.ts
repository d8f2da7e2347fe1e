import { formatText } from '../language/formatter.ts'
import { readText } from '../language/parse.ts'
import { counted } from '../naming.ts'
import type { RunCommand } from './command.ts'
import { reportError } from './command-error.ts'
import type { Context } from './context.ts'
import { type DefinitionText, readDefinition } from './definition.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { replaceFile } from './replace-file.ts'
import { reportDiagnostics } from './report.ts'

/** The result of formatting a file. */
type FormatResult = 'unchanged' | 'changed' | 'invalid'

/** `portico format`: rewrites definitions in the standard layout, or checks them. */
export const run: RunCommand = async (invocation, context) => {
  const check = invocation.flag('check')
  const results: FormatResult[] = []
  let failed: ExitStatus = EXIT.success
  for (const file of invocation.operands) {
    try {
      results.push(format(await readDefinition(file, context), check, context))
    } catch (error) {
      // The other files are still formatted.
      failed = reportError(error, context)
    }
  }
  const changed = results.filter((result) => result === 'changed').length
  if (check && changed > 0)
    context.say(
      `${counted(changed, 'file')} ${changed === 1 ? 'is' : 'are'} not in the standard layout. Run \`portico format\``,
    )
  if (failed !== EXIT.success) return failed
  return results.includes('invalid') || (check && changed > 0) ? EXIT.failed : EXIT.success
}

function format(definition: DefinitionText, check: boolean, context: Context): FormatResult {
  const { name, path, text } = definition
  const result = formatText(text)
  // Like other formatters, this leaves a file with syntax errors alone. Editors format its other blocks.
  if (result.syntaxErrors.length > 0) {
    reportDiagnostics({ name, result: readText(text), diagnostics: result.syntaxErrors }, context)
    context.report(`${name}: not formatted because of syntax errors`)
    return 'invalid'
  }
  const changed = result.text !== text
  if (check) {
    if (changed) context.print(name)
  } else if (path === undefined) context.stdout.write(result.text)
  else if (changed) {
    replaceFile(path, result.text)
    context.print(name)
  }
  return changed ? 'changed' : 'unchanged'
}
