import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { compareSync, hashSync } from 'bcryptjs'

/** A password to hash or, if a hash is given, to compare with it. */
export interface PasswordTask {
  readonly password: string
  readonly hash?: string
}

const COST = 10
const NICENESS = 10

lowerPriority()

/** Runs on a worker thread. Returns the hash, or whether the password matches the given hash. */
export default function run({ password, hash }: PasswordTask): string | boolean {
  return hash === undefined ? hashSync(password, COST) : compareSync(password, hash)
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
