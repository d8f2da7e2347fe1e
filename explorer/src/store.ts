import { useEffect, useState } from 'preact/hooks'

/** A value that parts of the page show, and that changes. */
export interface Store<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  /** Calls the listener after each change, until the function that it returns is called. */
  readonly subscribe: (listener: () => void) => () => void
}

/** A store that begins with this value. */
export function createStore<T>(first: T): Store<T> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The value of a store; whoever uses it is drawn anew when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get())
  useEffect(() => {
    // It may have changed between the first drawing and now.
    setValue(store.get())
    return store.subscribe(() => setValue(store.get()))
  }, [store])
  return value
}
