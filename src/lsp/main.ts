import { startOnStandardStreams } from './transport.ts'

// The server as a program of its own, as editors start it: dist/lsp.mjs. `portico lsp` is the same.
startOnStandardStreams()
