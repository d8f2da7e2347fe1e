const POLL_MS = 250
/** Environment variables of parent processes that a command must not outlive. */
const PARENT_VARIABLES = ['npm_lifecycle_event', 'npm_command', 'PORTICO_ENDS_WITH_PARENT']

/**
 * Returns a signal that is aborted when the parent process has ended. It watches only npm, and programs that set
 * `PORTICO_ENDS_WITH_PARENT`, as editors do: when they are killed, nothing else stops this process. Other parents
 * may end on purpose, such as a shell after `&`.
 */
export function parentExitSignal(env: Readonly<Record<string, string | undefined>>): AbortSignal {
  const controller = new AbortController()
  const parent = process.ppid
  if (PARENT_VARIABLES.some((name) => env[name] !== undefined)) {
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      controller.abort()
    }, POLL_MS)
    timer.unref()
  }
  return controller.signal
}
