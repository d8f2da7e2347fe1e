import type { Generation } from '../output/plan.ts'
import { previewProject, type Update, type UpdateOptions } from '../output/update-project.ts'
import { counted } from '../model/names.ts'
import type { Invocation } from './command.ts'
import type { Context } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { toFailure } from './generation.ts'
import { listChanges, listConflicts } from './update-report.ts'

/** What would be written, and where. */
interface Previewed {
  readonly generation: Generation
  /** The output directory, absolute. */
  readonly root: string
  /** The output directory as messages name it. */
  readonly directory: string
  /** What writes it: a name of a command. */
  readonly command: 'generate' | 'client' | 'explorer'
}

/** Whether only what would happen is asked for: `--dry-run`, `--diff`, `--check`. */
export function isPreview(invocation: Invocation): boolean {
  return ['dryRun', 'diff', 'check'].some((name) => invocation.flag(name))
}

/**
 * Says what would happen. Nothing is changed.
 *
 * @throws a `Failure` where the output cannot be planned.
 */
export async function preview(
  previewed: Previewed,
  options: UpdateOptions,
  invocation: Invocation,
  context: Context,
): Promise<ExitStatus> {
  const { root, generation } = previewed
  const outcome = previewProject(root, generation, options)
  if (!outcome.ok) {
    if (!invocation.flag('check') || outcome.problem.code !== 'interrupted') throw toFailure(outcome.problem)
    context.report(`${outcome.problem.message} ${outcome.problem.advice ?? ''}`)
    return EXIT.failed
  }
  const update = outcome.value
  if (invocation.flag('diff')) await printDiffs(update, context)
  else if (invocation.flag('dryRun') || !update.upToDate)
    for (const line of listChanges(update, context.resultColors)) context.print(line)
  return verdict(update, previewed, invocation, context)
}

async function printDiffs({ plan }: Update, context: Context): Promise<void> {
  const { unifiedDiff } = await import('./unified-diff.ts')
  for (const action of plan.actions) {
    const diff = unifiedDiff(action, context.resultColors)
    if (diff !== '') context.print(diff)
  }
  for (const line of listConflicts(plan.conflicts, context.colors)) context.report(line)
}

/** How a preview ends: as the generation would, or, with `--check`, badly where there is anything to do. */
function verdict(
  { plan, upToDate }: Update,
  { directory, command }: Previewed,
  invocation: Invocation,
  context: Context,
): ExitStatus {
  if (upToDate) {
    context.say(`${directory} is up to date.`)
    return EXIT.done
  }
  if (invocation.flag('check')) {
    context.report(`${directory} is not up to date. \`portico ${command}\` brings it up to date.`)
    return EXIT.failed
  }
  context.say(`Nothing was changed in ${directory}.`)
  if (plan.conflicts.length === 0) return EXIT.done
  const number = counted(plan.conflicts.length, 'path')
  context.report(`${number} would be in the way; --overwrite keeps what is there beside.`)
  return EXIT.surroundings
}
