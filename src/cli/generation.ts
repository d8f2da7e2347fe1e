import { relative, resolve } from 'node:path'
import { compile, emit } from '../compile.ts'
import { schemaSnapshot } from '../emit/database/snapshot.ts'
import type { Platform } from '../model/platform.ts'
import type { OutputProblem } from '../output/problem.ts'
import type { Generation } from '../output/plan.ts'
import { schemaJson } from '../output/schema.ts'
import { readManifest } from '../output/update-project.ts'
import { overridesOf, requireAvailable } from './availability.ts'
import type { Invocation } from './command.ts'
import type { Context } from './context.ts'
import { readDefinition } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { Failure } from './failure.ts'
import { requireKind } from './output-kind.ts'
import { answerQuestions, type Question } from './questions.ts'
import { countDiagnostics, reportDiagnostics } from './report.ts'

/** A definition that is ready to be written. */
export interface PreparedGeneration {
  readonly platform: Platform
  readonly generation: Generation
  /** The output directory, absolute. */
  readonly root: string
  /** The output directory as messages name it. */
  readonly directory: string
}

/** What a platform asks before it can be generated. The Go target will be the first with a question. */
export type QuestionsOf = (platform: Platform) => readonly Question[]

/**
 * Reads and checks a definition and works out all that is to be written for it, without writing anything.
 * Diagnostics are reported on the way.
 *
 * @returns `undefined` where the definition has errors: status 1.
 * @throws a `Failure` where it cannot be read or generated, or an answer is missing.
 */
export async function prepareGeneration(
  invocation: Invocation,
  context: Context,
  questionsOf: QuestionsOf = () => [],
): Promise<PreparedGeneration | undefined> {
  const definition = await readDefinition(invocation.operands[0] ?? '', context)
  const overrides = overridesOf(invocation)
  const { diagnostics, platform } = compile(definition.text, overrides)
  reportDiagnostics({ definition, diagnostics }, context)
  if (platform === undefined) {
    context.report(`${definition.name}: ${countDiagnostics(diagnostics)}`)
    return undefined
  }
  requireAvailable(platform, overrides, 'all')
  const root = resolve(context.cwd, invocation.text('output') ?? platform.names.kebab)
  const directory = relative(context.cwd, root) || '.'
  requireKind(root, directory, 'project')
  const answers = await findAnswers(questionsOf(platform), root, invocation, context)
  const generation = { files: emit(platform), answers, schema: schemaJson(schemaSnapshot(platform)) }
  return { platform, generation, root, directory }
}

async function findAnswers(
  questions: readonly Question[],
  root: string,
  invocation: Invocation,
  context: Context,
): Promise<Record<string, string>> {
  if (questions.length === 0) return {}
  const manifest = readManifest(root)
  if (!manifest.ok) throw toFailure(manifest.problem)
  const given = ({ flag }: Question): string | undefined => invocation.text(optionName(flag))
  return answerQuestions(questions, { given, remembered: manifest.value.answers }, context)
}

/** What ends a command where the output could not be planned or written. */
export function toFailure({ message, advice }: OutputProblem): Failure {
  return new Failure(EXIT.surroundings, message, advice)
}

/** `--module <name>` as options are named in code: `module`. */
function optionName(flag: string): string {
  const words = /^--([a-z-]+)/.exec(flag)?.[1] ?? ''
  return words.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
