import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { compareSync, hashSync } from 'bcryptjs'

/** A password to hash with a cost, or to compare with a hash. */
export type PasswordTask =
  | { readonly password: string; readonly cost: number }
  | { readonly password: string; readonly hash: string }

const NICENESS = 10

lowerPriority()

/** Runs on a worker thread. Returns the hash, or whether the password matches the given hash. */
export default function run(task: PasswordTask): string | boolean {
  return 'cost' in task ? hashSync(task.password, task.cost) : compareSync(task.password, task.hash)
}

/** Gives requests precedence over hashing, which uses a whole processor. Only Linux has priorities for threads. */
function lowerPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, NICENESS)
  } catch {
    // On other systems, hashing has the same priority as requests.
  }
}
