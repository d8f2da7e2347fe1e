import { setTimeout as delay } from 'node:timers/promises'
import { exportColorSetting } from './colors.ts'
import { usageError } from './command-error.ts'
import type { Context } from './context.ts'

/** Questions on the terminal. Use them only if `context.interactive` is true. */
export interface Prompts {
  /** Asks for a line of text. `check` returns `true` or an error message. */
  text(question: {
    message: string
    default?: string
    check: (text: string) => true | string
  }): Promise<string>
  /** Asks a yes-or-no question. */
  confirm(question: { message: string; default: boolean }): Promise<boolean>
  /** Asks for one of several values. */
  choose<Value extends string>(question: {
    message: string
    default?: Value
    choices: readonly { readonly value: Value; readonly name: string; readonly description?: string }[]
  }): Promise<Value>
}

/** How long nothing must arrive before a question appears, in ms. */
const QUIET_MS = 50
const CTRL_C = '\x03'

/**
 * Loads prompts that read standard input and write to standard error, so that standard output has only results. What
 * was typed before a question appeared does not answer it. Ctrl-C and Ctrl-D throw a `CommandError` with status 2. When
 * `withdrawn` is aborted, an open question disappears and throws the signal's reason.
 */
export async function loadPrompts(
  { stdin, stderr, signal, colors }: Context,
  withdrawn = new AbortController().signal,
): Promise<Prompts> {
  exportColorSetting(colors)
  const { confirm, input, select } = await import('./inquirer.ts')
  async function ask<Value>(show: (streams: Streams) => Promise<Value>): Promise<Value> {
    const closed = new AbortController()
    const close = (): void => closed.abort()
    const canceled = AbortSignal.any([signal, withdrawn, closed.signal])
    try {
      await discardTyped(stdin, canceled)
      // Ctrl-D ends the reading, and the question would never be answered.
      stdin.once('pause', close)
      return await show({ input: stdin, output: stderr, signal: canceled })
    } catch (error) {
      withdrawn.throwIfAborted()
      if (error instanceof Error && CANCELLATIONS.has(error.name))
        throw usageError('Canceled. Nothing was changed.')
      throw error
    } finally {
      stdin.off('pause', close)
    }
  }
  return {
    text: ({ check, ...question }) => ask((streams) => input({ ...question, validate: check }, streams)),
    confirm: (question) => ask((streams) => confirm(question, streams)),
    choose: (question) => ask((streams) => select(question, streams)),
  }
}

interface Streams {
  readonly input: Context['stdin']
  readonly output: Context['stderr']
  readonly signal: AbortSignal
}

const CANCELLATIONS = new Set(['ExitPromptError', 'AbortPromptError', 'AbortError'])

/** Reads what was typed until now, keystroke by keystroke as prompts do: a line that was not ended counts too. */
async function discardTyped(stdin: Context['stdin'], signal: AbortSignal): Promise<void> {
  let typed = ''
  const read = (chunk: unknown): void => void (typed += String(chunk))
  stdin.setRawMode?.(true)
  stdin.on('data', read)
  try {
    do {
      typed = ''
      await delay(QUIET_MS, undefined, { signal })
      if (typed.includes(CTRL_C)) throw new DOMException('Canceled', 'AbortError')
    } while (typed !== '')
  } catch (error) {
    stdin.setRawMode?.(false)
    throw error
  } finally {
    stdin.off('data', read)
    stdin.pause()
  }
}
