import { Worker } from 'node:worker_threads'

/**
 * Limits of a thread's heap. `watchMemory` terminates a thread long before it reaches them: Node ends the whole
 * process if an array does not fit into a full heap.
 */
const RESOURCES = { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 4 }

/** Threads that were created before their services can start. */
export interface PreparedThreads {
  /** Returns the thread of a service, once. */
  readonly take: (service: string) => Worker | undefined
  /** Ends the threads that were not taken. */
  readonly close: () => Promise<void>
}

/** Creates a thread. It loads what every service needs, and waits for the message that says what to run. */
export function createThread(service: string, environment: NodeJS.ProcessEnv): Worker {
  return new Worker(new URL('./worker/service-worker.ts', import.meta.url), {
    name: service,
    // Threads that the service starts inherit these options, so they find its dependencies too.
    execArgv: ['--import', new URL('./worker/dependencies.ts', import.meta.url).href],
    env: environment,
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: RESOURCES,
  })
}

/** Creates a thread for each of these services. */
export function prepareThreads(services: readonly string[]): PreparedThreads {
  const threads = new Map(services.map((service) => [service, createThread(service, process.env)]))
  // Its service gets another one.
  for (const [service, thread] of threads)
    thread.on('error', () => {}).once('exit', () => threads.delete(service))

  return {
    take: (service) => {
      const thread = threads.get(service)
      threads.delete(service)
      return thread
    },
    close: async () => {
      await Promise.all([...threads.values()].map((thread) => thread.terminate()))
    },
  }
}
