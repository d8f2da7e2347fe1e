import { isIPv4, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'
import { unavailable } from '#lib/errors.ts'
import type { Config } from './config.ts'
import type { PasswordTask } from './password-worker.ts'
import { normalized } from './requests.ts'

/** Hashes and compares normalized passwords on worker threads. */
export interface Passwords {
  /** Returns the salted bcrypt hash. */
  readonly hash: (password: string) => Promise<string>
  /** Returns whether the password matches the hash, which may be of the password as it is written. Without a hash it returns false after the same time. */
  readonly matches: (password: string, hash: string | undefined) => Promise<boolean>
}

/** Passwords with a bounded queue. Throws 503 if too many of them are waiting, or one for too long. */
export interface QueuedPasswords extends Passwords {
  /** Runs the work when it is the turn of the client with this IP address. It must use the passwords that it is given. */
  inTurn<Result>(address: string, work: (passwords: Passwords) => Promise<Result>): Promise<Result>
  /** Stops the threads. */
  close(): Promise<void>
}

/** A hash that no password matches, with the same cost as new ones. */
const dummyHash = (cost: number) => `$2b$${cost}$KLld8GyikEuoQLbW7PdJtOO4xXnUHm0F8tt8LmUiHDk8D5L7DIRKe`
const MAX_AUTOMATIC_THREADS = 4
const IDLE_THREAD_MS = 30_000

/** The settings of the pool. */
type PasswordConfig = Pick<
  Config,
  'BCRYPT_COST' | 'PASSWORD_THREADS' | 'PASSWORD_QUEUE' | 'PASSWORD_QUEUE_TIMEOUT_MS'
>

/** Creates the pool, which starts threads on demand. */
export function createPasswords({
  BCRYPT_COST: cost,
  PASSWORD_THREADS,
  PASSWORD_QUEUE,
  PASSWORD_QUEUE_TIMEOUT_MS,
}: PasswordConfig): QueuedPasswords {
  const automatic = Math.min(MAX_AUTOMATIC_THREADS, Math.max(1, availableParallelism() - 1))
  const threads = PASSWORD_THREADS === 0 ? automatic : PASSWORD_THREADS
  const queue = new FairQueue(threads, PASSWORD_QUEUE, PASSWORD_QUEUE_TIMEOUT_MS)
  const pool = new Tinypool({
    filename: new URL('password-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_THREAD_MS,
  })
  const dummy = dummyHash(cost)
  const run = (task: PasswordTask): Promise<unknown> => pool.run(task)
  const passwords: Passwords = {
    hash: async (password) => String(await run({ password: normalized(password), cost })),
    async matches(password, hash = dummy) {
      for (const written of new Set([normalized(password), password])) {
        const isSame = await run({ password: written, hash })
        if (isSame === true && hash !== dummy) return true
      }
      return false
    },
  }
  return {
    hash: (password) => queue.run('', () => passwords.hash(password)),
    matches: (password, hash) => queue.run('', () => passwords.matches(password, hash)),
    inTurn: (address, work) => queue.run(networkOf(address), () => work(passwords)),
    close: () => pool.destroy(),
  }
}

/**
 * Whom an address belongs to. For IPv6 that is a network of 64 bits, which one client has to itself. The limit of the
 * gateway follows the same rule. What is not an address counts as one client.
 */
function networkOf(address: string): string {
  const [, mapped = address] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return ''
  const [head = [], tail = []] = address
    .split('::')
    .map((groups) => groups.split(':').filter((group) => group !== ''))
  const zeros = Math.max(0, 8 - head.length - tail.length)
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16))
    .join(':')
}

/** Tells a waiting task whether it may run. */
type Waiting = (mayRun: boolean) => void

/** Runs a limited number of tasks at a time. Clients take turns, however many tasks each of them has. */
class FairQueue {
  readonly #maxRunning: number
  readonly #maxWaiting: number
  readonly #timeoutMs: number
  /** The waiting tasks of each client. The first client is next. */
  readonly #waiting = new Map<string, Waiting[]>()
  #running = 0
  #waitingCount = 0

  constructor(maxRunning: number, maxWaiting: number, timeoutMs: number) {
    this.#maxRunning = maxRunning
    this.#maxWaiting = maxWaiting
    this.#timeoutMs = timeoutMs
  }

  /**
   * Runs a task when it is the client's turn. Throws 503 if the queue is full or the turn is far away. A client that has fewer tasks in it than
   * another one replaces the last task of the other.
   */
  async run<Result>(client: string, task: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#maxRunning) this.#running++
    else if (!(await this.#turn(client))) throw unavailable('Auth')
    try {
      return await task()
    } finally {
      this.#startNext()
    }
  }

  /** Resolves with whether the task may run. */
  #turn(client: string): Promise<boolean> {
    const own = this.#waiting.get(client) ?? []
    if (this.#waitingCount >= this.#maxWaiting && !this.#displace(own.length)) return Promise.resolve(false)
    this.#waitingCount++
    this.#waiting.set(client, own)
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        own.splice(own.indexOf(waiting), 1)
        if (own.length === 0) this.#waiting.delete(client)
        this.#waitingCount--
        resolve(false)
      }, this.#timeoutMs)
      const waiting: Waiting = (mayRun) => {
        clearTimeout(timer)
        resolve(mayRun)
      }
      own.push(waiting)
    })
  }

  /** Rejects the last task of the client that has the most tasks, if it has more than the given number. */
  #displace(count: number): boolean {
    const [first = [], ...others] = this.#waiting.values()
    const longest = others.reduce((a, b) => (b.length > a.length ? b : a), first)
    if (longest.length <= count + 1) return false
    this.#waitingCount--
    longest.pop()?.(false)
    return true
  }

  /** Gives the place of a task that has ended to the next one. */
  #startNext(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#running--
      return
    }
    const [client, waiting] = next
    this.#waiting.delete(client)
    this.#waitingCount--
    waiting.shift()?.(true)
    if (waiting.length > 0) this.#waiting.set(client, waiting)
  }
}
