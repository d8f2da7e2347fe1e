/** What a platform has opened, disposed of in reverse order. */
export interface Disposables {
  /** Registers a function to call on disposal. Once disposal has begun, calls it at once instead. */
  readonly defer: (dispose: () => unknown) => Promise<void>
  /** Calls every registered function once, the last first. Later calls wait for the first one. */
  readonly dispose: () => Promise<void>
}

/**
 * An `AsyncDisposableStack` that can be disposed of while a start still adds to it: what opens late is closed at
 * once.
 */
export function createDisposables(): Disposables {
  const stack = new AsyncDisposableStack()
  let disposal: Promise<void> | undefined
  return {
    defer: async (dispose) => {
      if (stack.disposed) await dispose()
      else stack.defer(async () => void (await dispose()))
    },
    dispose: () => (disposal ??= stack.disposeAsync()),
  }
}
