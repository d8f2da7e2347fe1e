import type { TestProject } from 'vitest/node'
import { removeRun } from './leftovers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Names this run of tests among those that use the same container engine: its process id. */
    containersRun: string
  }
}

/** Gives the run its name, and removes at its end what tests left in the engine, failed ones included. */
export default function setup(project: TestProject): () => Promise<void> {
  const run = String(process.pid)
  project.provide('containersRun', run)
  return () => removeRun(run)
}
