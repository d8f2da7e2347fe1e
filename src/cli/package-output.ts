import { relative, resolve } from 'node:path'
import { compile } from '../compile.ts'
import type { GeneratedFile } from '../emit/contract.ts'
import type { Platform } from '../model/platform.ts'
import type { OutputKind } from '../output/output-kind.ts'
import { updateProject } from '../output/update-project.ts'
import type { Invocation } from './command.ts'
import type { Context } from './context.ts'
import { readDefinition } from './definition.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { toFailure } from './generation.ts'
import { requireKind } from './output-kind.ts'
import { isPreview, preview } from './preview.ts'
import { countDiagnostics, reportDiagnostics } from './report.ts'
import { adviceLines, headline, keptLines, recoveryLines, summariseChanges } from './update-report.ts'

/** A package that a command writes beside a project. */
export interface PackageOutput {
  /** What it is, and the command's name; the directory is called so too: `shop-client`. */
  readonly kind: Exclude<OutputKind, 'project'>
  /** What the manifest remembers of it. */
  readonly answer: string
  readonly files: (platform: Platform) => readonly GeneratedFile[]
  /** What to do after it was written first, given its directory. */
  readonly next: (directory: string) => string
}

/**
 * Checks a definition, then writes a package made from it, or says what would change.
 *
 * @throws a `Failure` where the definition cannot be read or the output cannot be written.
 */
export async function writePackage(
  { kind, answer, files, next }: PackageOutput,
  invocation: Invocation,
  context: Context,
): Promise<ExitStatus> {
  const definition = await readDefinition(invocation.operands[0] ?? '', context)
  const { diagnostics, platform } = compile(definition.text)
  reportDiagnostics({ definition, diagnostics }, context)
  if (platform === undefined) {
    context.report(`${definition.name}: ${countDiagnostics(diagnostics)}`)
    return EXIT.failed
  }

  const root = resolve(context.cwd, invocation.text('output') ?? `${platform.names.kebab}-${kind}`)
  const directory = relative(context.cwd, root) || '.'
  requireKind(root, directory, kind)
  const generation = { files: files(platform), answers: { [kind]: answer }, schema: undefined }
  const options = { overwrite: invocation.flag('overwrite') }
  if (isPreview(invocation))
    return preview({ root, directory, generation, command: kind }, options, invocation, context)
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
  if (update.previous.files.size === 0) context.say(next(directory))
  return EXIT.done
}
