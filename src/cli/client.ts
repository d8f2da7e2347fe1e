import { relative, resolve } from 'node:path'
import { compile } from '../compile.ts'
import { typescriptClient } from '../emit/client/typescript/emit.ts'
import { updateProject } from '../output/update-project.ts'
import type { RunCommand } from './command.ts'
import { readDefinition } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { toFailure } from './generation.ts'
import { CLIENT_ANSWER, requireKind } from './output-kind.ts'
import { isPreview, preview } from './preview.ts'
import { countDiagnostics, reportDiagnostics } from './report.ts'
import { adviceLines, headline, keptLines, recoveryLines, summariseChanges } from './update-report.ts'

const LANGUAGE = 'typescript'

/** `portico client`: writes a package that asks the platform. */
export const run: RunCommand = async (invocation, context) => {
  const definition = await readDefinition(invocation.operands[0] ?? '', context)
  const { diagnostics, platform } = compile(definition.text)
  reportDiagnostics({ definition, diagnostics }, context)
  if (platform === undefined) {
    context.report(`${definition.name}: ${countDiagnostics(diagnostics)}`)
    return EXIT.failed
  }

  const root = resolve(context.cwd, invocation.text('output') ?? `${platform.names.kebab}-client`)
  const directory = relative(context.cwd, root) || '.'
  requireKind(root, directory, 'client')
  const generation = {
    files: typescriptClient(platform),
    answers: { [CLIENT_ANSWER]: LANGUAGE },
    schema: undefined,
  }
  const options = { overwrite: invocation.flag('overwrite') }
  if (isPreview(invocation))
    return preview({ root, directory, generation, command: 'client' }, options, invocation, context)
  const outcome = await updateProject(root, generation, options)
  if (!outcome.ok) throw toFailure(outcome.problem)

  const update = outcome.value
  const { colors } = context
  const place = { directory, colors }
  for (const line of recoveryLines(update)) context.report(line)
  for (const line of summariseChanges(update, colors)) context.say(line)
  context.say(headline(update, place))
  for (const line of keptLines(update, place)) context.say(line)
  for (const line of adviceLines(update, [], place)) context.report(line)
  if (update.previous.files.size === 0)
    context.say(`Next: \`npm install && npm run build\` in ${directory}; its README.md shows how it is used.`)
  return EXIT.done
}
