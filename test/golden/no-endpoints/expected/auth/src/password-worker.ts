import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { compareSync, hashSync } from 'bcryptjs'

/** A password to hash or, with a hash, to compare with it. */
export interface PasswordTask {
  readonly password: string
  readonly hash?: string
}

const COST = 10
const NICENESS = 10

yieldToRequests()

/** Runs on a thread of its own. Gives the hash, or whether the password is the one that was hashed. */
export default function run({ password, hash }: PasswordTask): string | boolean {
  return hash === undefined ? hashSync(password, COST) : compareSync(password, hash)
}

/** Hashing takes all of a processor: on Linux, where a thread has its own priority, whoever answers goes first. */
function yieldToRequests(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, NICENESS)
  } catch {
    // Elsewhere hashing competes with the rest as equals.
  }
}
