/** What was opened and has to be closed, however far a start came. */
export interface Closers {
  /** Takes what closes something just opened; when all is being closed already, it is called at once. */
  readonly add: (closer: () => unknown) => Promise<void>
  /** Calls every closer, the last first, once. A second call waits for the first. */
  readonly close: () => Promise<void>
}

/** Nothing opened yet. */
export function createClosers(): Closers {
  const closers: (() => unknown)[] = []
  let closing: Promise<void> | undefined

  async function closeAll(): Promise<void> {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer()
  }

  return {
    add: async (closer) => {
      if (closing === undefined) closers.push(closer)
      else await closer()
    },
    close: () => (closing ??= closeAll()),
  }
}
