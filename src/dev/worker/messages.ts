/** What a worker is told when it is made. */
export interface ServiceWorkerData {
  /** The service's directory, absolute. */
  readonly directory: string
  /** Its whole configuration: what the environment of its process is in a deployment. */
  readonly environment: Readonly<Record<string, string>>
  /** Where compiled code is kept between runs, absolute. */
  readonly compileCache: string
}

/** From the host to a worker: finish what runs and leave; say that you are alive. */
export type HostMessage = { readonly kind: 'stop' } | { readonly kind: 'ping' }

/** From a worker to its host. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly port: number; readonly internalPort: number }
  /** It did not start. `stack` holds places in the user's files. */
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string }
  | { readonly kind: 'pong' }
  | { readonly kind: 'stopped' }
