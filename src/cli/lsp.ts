import type { RunCommand } from './command.ts'

/** `portico lsp`: runs the language server. It ends the process itself when the protocol says so. */
export const run: RunCommand = async () => {
  await import('../lsp/main.ts')
  return new Promise(() => {})
}
