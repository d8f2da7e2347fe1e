import type { Ports } from './origin-guard.ts'

/** The data that a worker is created with. */
export interface ServiceWorkerData {
  /** The project's directory, absolute. */
  readonly output: string
  /** Directory of the service in it: `home`. */
  readonly service: string
  /** Directory of the compile cache, absolute. */
  readonly compileCache: string
  /** Origins of web pages that the gateway lets through. */
  readonly corsOrigins: readonly string[]
}

/** Sent to a worker. `stop`: finish requests and end. `ping`: respond with `pong`. */
export type SupervisorMessage = { readonly kind: 'stop' } | { readonly kind: 'ping' }

/** Sent by a worker. */
export type WorkerMessage =
  | ({ readonly kind: 'ready' } & Ports)
  /** The files could not be loaded. `stack` may have positions in the user's files. */
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string }
  | { readonly kind: 'pong' }
