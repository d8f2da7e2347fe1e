import { useEffect, useState } from 'preact/hooks'

/** A value that components show, and that changes. */
export interface Store<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  /** Calls the listener after each change, until the function that it returns is called. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Creates a store with this initial value. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
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

/** Returns the value of a store. The component is rendered again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get())
  useEffect(() => {
    // It may have changed since the first rendering.
    setValue(store.get())
    return store.subscribe(() => setValue(store.get()))
  }, [store])
  return value
}
