import { basename, resolve } from 'node:path'
import { watch } from 'chokidar'
import type { Context } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'

/** Changes that come within this many milliseconds of each other are one. */
const SETTLE_MS = 50

/**
 * Runs `action` now and whenever one of these files changes, appears or goes, one run after the other, until
 * the process is told to stop.
 *
 * @throws what `action` throws.
 */
export async function watchFiles(
  files: readonly string[],
  context: Context,
  action: () => Promise<void>,
): Promise<ExitStatus> {
  const { signal } = context
  const changed = new Set<string>()
  let wake: (() => void) | undefined
  const watcher = watch(
    files.map((file) => resolve(context.cwd, file)),
    { ignoreInitial: true },
  )
  watcher.on('all', (_event, path) => {
    changed.add(basename(path))
    wake?.()
  })
  signal.addEventListener('abort', () => wake?.(), { once: true })
  try {
    await new Promise<void>((ready) => void watcher.once('ready', () => ready()))
    for (;;) {
      await action()
      context.say(context.colors.dim('Watching for changes; Ctrl-C ends it.'))
      while (changed.size === 0 && !signal.aborted) {
        await new Promise<void>((resolve_) => {
          wake = resolve_
        })
      }
      if (signal.aborted) return EXIT.done
      await new Promise((resolve_) => setTimeout(resolve_, SETTLE_MS))
      context.say(`\n${[...changed].join(', ')} changed`)
      changed.clear()
    }
  } finally {
    await watcher.close()
  }
}
