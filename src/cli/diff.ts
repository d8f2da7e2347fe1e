import { compile } from '../compile.ts'
import { apiChanges } from '../emit/api-changes/api-changes.ts'
import type { ApiChange } from '../emit/api-changes/rules.ts'
import type { Platform } from '../model/platform.ts'
import { changeLines, changesMarkdown } from './api-change-report.ts'
import type { Invocation, RunCommand } from './command.ts'
import { usageError } from './command-error.ts'
import type { Context } from './context.ts'
import { type DefinitionText, readDefinition, reportCompilation, STANDARD_INPUT } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { readAtRevision } from './git.ts'
import { stripEscapes } from './terminal-text.ts'

/** `portico diff`: prints what changes for clients between two definitions. */
export const run: RunCommand = async (invocation, context) => {
  const definitions = await readDefinitions(invocation, context)
  const [older, newer] = definitions.map((definition) => compileQuietly(definition, context))
  if (older === undefined || newer === undefined) return EXIT.failed
  const changes = apiChanges(older, newer)
  printChanges(changes, invocation.text('format') ?? 'text', context)
  const fails = invocation.text('failOn') === 'breaking' && changes.some(({ breaking }) => breaking)
  return fails ? EXIT.failed : EXIT.success
}

type Definition = Pick<DefinitionText, 'name' | 'text' | 'folder'>

/** Reads the older and the newer definition. */
async function readDefinitions(
  invocation: Invocation,
  context: Context,
): Promise<readonly [Definition, Definition]> {
  const [first = '', second] = invocation.operands
  const revision = invocation.text('against')
  if (revision === undefined) {
    if (second === undefined)
      throw usageError(
        'Missing newer definition',
        'pass two definitions, or `--against <revision>` to compare with a Git revision',
      )
    if (first === STANDARD_INPUT && second === STANDARD_INPUT)
      throw usageError('Only one definition can be read from standard input')
    return [await readDefinition(first, context), await readDefinition(second, context)]
  }
  if (second !== undefined) throw usageError('`--against` compares one definition with its older version')
  const newer = await readDefinition(first, context)
  if (newer.path === undefined) throw usageError('`--against` cannot compare standard input', 'pass a file')
  const older = readAtRevision(first, newer.path, revision, context)
  return [{ name: stripEscapes(`${revision}:${newer.name}`), ...older }, newer]
}

/** Compiles a definition and prints its diagnostics only if it has errors; then the platform is `undefined`. */
function compileQuietly(definition: Definition, context: Context): Platform | undefined {
  const compilation = compile(definition.text, {}, definition.folder)
  return compilation.platform ?? reportCompilation(definition.name, compilation, context)
}

function printChanges(changes: readonly ApiChange[], format: string, context: Context): void {
  if (format === 'json') for (const change of changes) context.print(JSON.stringify(change))
  else {
    const lines =
      format === 'markdown' ? changesMarkdown(changes) : changeLines(changes, context.resultColors)
    for (const line of lines.length === 0 ? ['No changes for clients'] : lines) context.print(line)
  }
}
