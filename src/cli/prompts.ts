import { passColorsOn } from './colors.ts'
import type { Context } from './context.ts'
import { usageFailure } from './failure.ts'

/** Asks on the terminal. Call these where `context.interactive` only. */
export interface Prompts {
  /** A line of text. `check` gives `true`, or says what is wrong with it. */
  text(question: {
    message: string
    default: string
    check: (text: string) => true | string
  }): Promise<string>
  /** Yes or no. */
  confirm(question: { message: string; default: boolean }): Promise<boolean>
  /** One of several. */
  choose<Value extends string>(question: {
    message: string
    default: Value
    choices: readonly { readonly value: Value; readonly name: string; readonly description?: string }[]
  }): Promise<Value>
}

/**
 * Prompts that read standard input and write standard error, so that standard output carries results alone.
 * Ctrl-C ends them with a `Failure` of status 2.
 */
export async function loadPrompts({ stdin, stderr, signal, colors }: Context): Promise<Prompts> {
  passColorsOn(colors)
  const { confirm, input, select } = await import('./inquirer.ts')
  const place = { input: stdin, output: stderr, signal }
  return {
    text: ({ message, default: initial, check }) =>
      orInterrupted(input({ message, default: initial, validate: check }, place)),
    confirm: (question) => orInterrupted(confirm(question, place)),
    choose: (question) => orInterrupted(select(question, place)),
  }
}

async function orInterrupted<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError'))
      throw usageFailure('The question was not answered, so nothing was done.')
    throw error
  }
}
