import type { RunCommand } from './command.ts'

/** `portico lsp`: runs the language server. It ends the process itself when the protocol says so. */
export const run: RunCommand = async (_invocation, context) => {
  if (context.stdin.isTTY === true)
    context.say(
      'The language server reads the requests of an editor from standard input. Press Ctrl-C to stop.',
    )
  await import('../lsp/main.ts')
  return new Promise(() => {})
}
