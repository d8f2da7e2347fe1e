import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'
import { ServiceError } from './errors.ts'
import type { PasswordTask } from './password-worker.ts'

/** Hashes and compares passwords on threads of their own. */
export interface Passwords {
  /** The salted bcrypt hash. Throws 503 when too many wait already. */
  hash(password: string): Promise<string>
  /** Whether the password is the one that was hashed; without a hash it takes as long and is false. */
  matches(password: string, hash: string | undefined): Promise<boolean>
  /** Ends the threads. */
  close(): Promise<void>
}

/** Hash of a password that nobody has, of the same cost as all others. */
const NOBODYS_HASH = '$2b$10$KLld8GyikEuoQLbW7PdJtOO4xXnUHm0F8tt8LmUiHDk8D5L7DIRKe'
const MAX_AUTOMATIC_THREADS = 4
const IDLE_THREAD_MS = 30_000
const RETRY_AFTER_S = '1'

/** Starts no thread yet. `threads` may be 0: all processors but one, which is left for requests, up to four. */
export function createPasswords(threads: number, maxWaiting: number): Passwords {
  const automatic = Math.min(MAX_AUTOMATIC_THREADS, Math.max(1, availableParallelism() - 1))
  const pool = new Tinypool({
    filename: new URL('password-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads === 0 ? automatic : threads,
    idleTimeout: IDLE_THREAD_MS,
  })

  async function run(task: PasswordTask): Promise<unknown> {
    if (pool.queueSize >= maxWaiting) {
      throw new ServiceError(503, 'Auth is unavailable', { 'Retry-After': RETRY_AFTER_S })
    }
    return pool.run(task)
  }

  return {
    hash: async (password) => String(await run({ password })),
    async matches(password, hash) {
      const same = await run({ password, hash: hash ?? NOBODYS_HASH })
      return same === true && hash !== undefined
    },
    close: () => pool.destroy(),
  }
}
