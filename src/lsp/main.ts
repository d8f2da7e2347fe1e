import { parentPort, workerData } from 'node:worker_threads'
import { type DiagramJob, drawDiagram } from './diagram-thread.ts'
import { startOnStandardStreams } from './transport.ts'

// The server as a program for editors: dist/lsp.mjs, which `portico lsp` runs too. So does the thread that draws
// diagrams.
if (parentPort === null) startOnStandardStreams(new URL(import.meta.url))
else parentPort.postMessage(drawDiagram(workerData as DiagramJob))
