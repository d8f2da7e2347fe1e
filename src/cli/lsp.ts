import { startOnStandardStreams } from '../lsp/transport.ts'
import type { RunCommand } from './command.ts'

/** `portico lsp`: the language server, for editors. It ends the process itself, when the protocol says so. */
export const run: RunCommand = () => {
  startOnStandardStreams()
  return new Promise(() => {})
}
