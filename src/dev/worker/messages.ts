import type { Ports } from './origin-guard.ts'

/** What a worker runs. */
export interface ServiceRun {
  /** The project's directory, absolute. */
  readonly output: string
  /** Directory of the service in it: `home`. */
  readonly service: string
  /** Its environment variables. */
  readonly environment: Readonly<Record<string, string>>
  /** Directory of the compile cache, absolute. */
  readonly compileCache: string
  /** Origins of web pages that the gateway lets through. */
  readonly corsOrigins: readonly string[]
}

/** Sent to a worker once. */
export type RunMessage = { readonly kind: 'run' } & ServiceRun

/** Sent to a worker. `stop`: finish requests and end. `ping`: respond with `pong`. */
export type SupervisorMessage = RunMessage | { readonly kind: 'stop' } | { readonly kind: 'ping' }

/** Sent by a worker. */
export type WorkerMessage =
  | ({ readonly kind: 'ready' } & Ports)
  /** The files could not be loaded. `stack` may have positions in the user's files. */
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string }
  | { readonly kind: 'pong' }
