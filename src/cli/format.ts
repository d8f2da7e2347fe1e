import { formatText } from '../language/formatter.ts'
import { counted } from '../model/names.ts'
import type { RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { type DefinitionText, readDefinition } from './definition.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { surroundingsFailure } from './failure.ts'
import { replaceFile } from './replace-file.ts'
import { reportError } from './report-error.ts'
import { reportDiagnostics } from './report.ts'

/** What became of a file. */
type Outcome = 'unchanged' | 'changed' | 'broken'

/** `portico format`: lays definitions out in the standard way, or checks that they are. */
export const run: RunCommand = async (invocation, context) => {
  const check = invocation.flag('check')
  const outcomes: Outcome[] = []
  let failed: ExitStatus = EXIT.done
  for (const file of invocation.operands) {
    try {
      outcomes.push(format(await readDefinition(file, context), check, context))
    } catch (error) {
      // One file that cannot be read or written does not keep the others from being laid out.
      failed = reportError(error, context)
    }
  }
  const changed = outcomes.filter((outcome) => outcome === 'changed').length
  if (check && changed > 0)
    context.say(`${counted(changed, 'file')} not in the standard layout; \`portico format\` mends that.`)
  if (failed !== EXIT.done) return failed
  return outcomes.includes('broken') || (check && changed > 0) ? EXIT.failed : EXIT.done
}

function format(definition: DefinitionText, check: boolean, context: Context): Outcome {
  const { name, path, text, utf8 } = definition
  if (!utf8) throw surroundingsFailure(`${name} is not UTF-8 text, so it was left alone.`)
  const result = formatText(text)
  if (result.text === undefined) {
    reportDiagnostics({ definition, diagnostics: result.diagnostics }, context)
    context.report(`${name}: left alone, because of its syntax errors`)
    return 'broken'
  }
  const outcome = result.text === text ? 'unchanged' : 'changed'
  if (check) {
    if (outcome === 'changed') context.print(name)
  } else if (path === undefined) context.stdout.write(result.text)
  else if (outcome === 'changed') {
    replaceFile(path, result.text)
    context.print(name)
  }
  return outcome
}
