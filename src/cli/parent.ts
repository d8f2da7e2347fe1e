const POLL_MS = 250
/** Variables that are set by parents which nothing here is to outlive. */
const ASKING = ['npm_lifecycle_event', 'npm_command', 'PORTICO_ENDS_WITH_PARENT']

/**
 * Aborts when what started this process is gone, where that was npm or a program that asks for it by
 * `PORTICO_ENDS_WITH_PARENT`, as editors do: killed, they take nothing with them, and nobody would be left who
 * could end what runs here. Other parents may leave on purpose, as a shell does behind `&`.
 */
export function parentIsGone(env: Readonly<Record<string, string | undefined>>): AbortSignal {
  const gone = new AbortController()
  const parent = process.ppid
  if (ASKING.some((name) => env[name] !== undefined)) {
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      gone.abort()
    }, POLL_MS)
    timer.unref()
  }
  return gone.signal
}
