import type { Context } from './context.ts'
import { usageFailure } from './failure.ts'
import { loadPrompts, type Prompts } from './prompts.ts'

/** Something that generation has to know and a definition does not say. */
export interface Question {
  /** What the manifest remembers the answer under. */
  readonly key: string
  /** The question as a user reads it: `What is the name of the Go module?` */
  readonly message: string
  /** The option that answers it on the command line, as it is typed: `--module <name>`. */
  readonly flag: string
  /** Why an answer will not do, as a sentence; `undefined` where it will. */
  readonly validate: (answer: string) => string | undefined
  /** The answer where nobody gives one. */
  readonly default?: string
}

/** Where answers come from, besides the user. */
export interface KnownAnswers {
  /** What the command line gives, by the question's key. */
  readonly given: (question: Question) => string | undefined
  /** What the manifest remembers, by the question's key. */
  readonly remembered: Readonly<Record<string, string>>
}

/**
 * The answers to questions, by key: what the command line gives, else what is remembered, else what the user
 * says on a terminal, else the default.
 *
 * @throws a `Failure` of status 2 that names the flag, where an answer is missing or will not do.
 */
export async function answerQuestions(
  questions: readonly Question[],
  known: KnownAnswers,
  context: Context,
  load: (context: Context) => Promise<Prompts> = loadPrompts,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const question of questions) answers[question.key] = await answerOne(question, known, context, load)
  return answers
}

async function answerOne(
  question: Question,
  known: KnownAnswers,
  context: Context,
  load: (context: Context) => Promise<Prompts>,
): Promise<string> {
  const given = known.given(question)
  if (given !== undefined) {
    const reason = question.validate(given)
    if (reason !== undefined) throw usageFailure(`${question.flag}: ${reason}`)
    return given
  }
  const remembered = Object.hasOwn(known.remembered, question.key)
    ? known.remembered[question.key]
    : undefined
  if (remembered !== undefined && question.validate(remembered) === undefined) return remembered
  if (context.interactive) {
    const prompts = await load(context)
    return prompts.text({
      message: question.message,
      default: remembered ?? question.default ?? '',
      check: (answer) => question.validate(answer) ?? true,
    })
  }
  if (question.default !== undefined) return question.default
  throw usageFailure(
    `There is no answer to: ${question.message}`,
    `Give it with ${question.flag}; it is remembered.`,
  )
}
