import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Compilation } from '../compile.ts'

/** Asks the user on a terminal. */
export interface Questions {
  /** Asks for a value. `check` returns `true` or an error message. */
  text(question: { message: string; check: (text: string) => true | string }): Promise<string>
  /** Asks a yes-or-no question. The default is no. */
  confirm(question: { message: string }): Promise<boolean>
  /** Asks for one of several values. The default is the first one. */
  choose(question: {
    message: string
    choices: readonly { readonly value: string; readonly name: string }[]
  }): Promise<string>
}

/** What the user has answered on the command line about the definition at the start. */
export interface Answers {
  /** Values of attributes in existing rows, by their names: `Home.city`. */
  readonly backfills: ReadonlyMap<string, string>
  /** What may be deleted, by name: `Home.rate`. Empty if it is only to be listed; `undefined` if the user is asked. */
  readonly allowDataLoss: ReadonlySet<string> | undefined
  /** The attributes that were removed, not renamed. */
  readonly notRenamed: ReadonlySet<string>
}

export const NO_ANSWERS: Answers = {
  backfills: new Map(),
  allowDataLoss: undefined,
  notRenamed: new Set(),
}

/** Opens a terminal for questions, which reject with the signal's reason when it is aborted. */
export type OpenQuestions = (signal: AbortSignal) => Questions

/** The definition was saved again, so that an answer would be about another one. */
export class QuestionWithdrawnError extends Error {
  override readonly name = 'QuestionWithdrawnError'
}

/** How often a definition is read while a question about it is open, in ms. */
const POLL_MS = 100

/**
 * Asks about a definition with these files. When one of them gets another text, the question is withdrawn.
 *
 * @param definition the path of the definition.
 */
export function questionsAbout(definition: string, { result }: Compilation, open: OpenQuestions): Questions {
  async function isOutdated(): Promise<boolean> {
    const folder = path.dirname(definition)
    const changes = await Promise.all(
      result.files.map(async (file) => {
        const now = await readFile(path.join(folder, file.path), 'utf8').catch(() => file.text)
        return now !== file.text
      }),
    )
    return changes.includes(true)
  }

  async function ask<Answer>(put: (questions: Questions) => Promise<Answer>): Promise<Answer> {
    const withdrawal = new AbortController()
    const withdraw = (): void =>
      withdrawal.abort(new QuestionWithdrawnError('The definition was saved again'))
    const timer = setInterval(() => void isOutdated().then((outdated) => outdated && withdraw()), POLL_MS)
    try {
      const answer = await put(open(withdrawal.signal))
      if (await isOutdated()) withdraw()
      withdrawal.signal.throwIfAborted()
      return answer
    } finally {
      clearInterval(timer)
    }
  }

  return {
    text: (question) => ask((questions) => questions.text(question)),
    confirm: (question) => ask((questions) => questions.confirm(question)),
    choose: (question) => ask((questions) => questions.choose(question)),
  }
}
