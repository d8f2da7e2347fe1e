import { inject } from 'vitest'
import { beginRun, prefixOf } from './leftovers.ts'

let count = 0
let begun: Promise<void> | undefined

/** A name for a Compose project or an image: what is called after it goes with the run of tests. */
export async function uniqueName(): Promise<string> {
  const run = inject('containersRun')
  begun ??= beginRun(run)
  await begun
  return `${prefixOf(run)}${process.pid}-${++count}`
}
