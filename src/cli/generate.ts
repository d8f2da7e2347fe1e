import { schemaSnapshot } from '../emit/database/snapshot.ts'
import { changedTables } from '../output/schema.ts'
import { type Update, updateProject, type UpdateOptions } from '../output/update-project.ts'
import type { Invocation, RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { prepareGeneration, toFailure, type PreparedGeneration, type QuestionsOf } from './generation.ts'
import { isPreview, preview } from './preview.ts'
import { shellWord } from './shell-word.ts'
import { adviceLines, headline, keptLines, recoveryLines, summariseChanges } from './update-report.ts'

/** `portico generate`. */
export const run: RunCommand = (invocation, context) => generate(invocation, context)

/** `portico generate` with the questions of a platform's targets. */
export async function generate(
  invocation: Invocation,
  context: Context,
  questionsOf?: QuestionsOf,
): Promise<ExitStatus> {
  const prepared = await prepareGeneration(invocation, context, questionsOf)
  if (prepared === undefined) return EXIT.failed
  const options: UpdateOptions = {
    overwrite: invocation.flag('overwrite'),
    onWait: (holder) => {
      const who = holder === undefined ? 'another process' : `process ${holder}`
      context.say(`Waiting for ${who}, which is generating into ${prepared.directory} ...`)
    },
  }
  return isPreview(invocation)
    ? preview({ ...prepared, command: 'generate' }, options, invocation, context)
    : write(prepared, options, invocation, context)
}

async function write(
  { root, generation, directory, platform }: PreparedGeneration,
  options: UpdateOptions,
  invocation: Invocation,
  context: Context,
): Promise<ExitStatus> {
  const outcome = await updateProject(root, generation, options)
  if (!outcome.ok) throw toFailure(outcome.problem)
  const update = outcome.value
  const { colors } = context
  const place = { directory, colors }
  for (const line of recoveryLines(update)) context.report(line)
  for (const line of summariseChanges(update, colors)) context.say(line)
  context.say(headline(update, place))
  for (const line of keptLines(update, place)) context.say(line)
  const tables = changedTables(update.previous.schema, schemaSnapshot(platform))
  for (const line of adviceLines(update, tables, place)) context.report(line)
  for (const line of nextSteps(update, directory, invocation)) context.say(line)
  return EXIT.done
}

/** What to do next: after a first generation more than after later ones. */
function nextSteps(update: Update, directory: string, invocation: Invocation): string[] {
  if (update.upToDate) return []
  const isFirst = update.previous.files.size === 0
  const output = invocation.text('output')
  const option = output === undefined ? '' : ` -o ${shellWord(output)}`
  const setup = update.plan.actions.find(
    (action) => action.kind === 'create' && action.file.path.endsWith('/setup.ts'),
  )
  return [
    ...(isFirst && setup?.kind === 'create'
      ? [`Next: your own code goes into ${directory}/${setup.file.path} and its like.`]
      : []),
    `Next: \`portico dev ${shellWord(invocation.operands[0] ?? '')}${option}\` runs the platform.`,
  ]
}
