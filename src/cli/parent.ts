const POLL_MS = 250

/**
 * Aborts when npm, which started this process, is gone: killed, it takes nothing with it, and nobody would be
 * left who could end what runs here. Other parents may leave on purpose, as a shell does behind `&`.
 */
export function parentIsGone(env: Readonly<Record<string, string | undefined>>): AbortSignal {
  const gone = new AbortController()
  const parent = process.ppid
  if (env['npm_lifecycle_event'] !== undefined || env['npm_command'] !== undefined) {
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      gone.abort()
    }, POLL_MS)
    timer.unref()
  }
  return gone.signal
}
