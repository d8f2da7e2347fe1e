import { basename, resolve } from 'node:path'
import { watch } from 'chokidar'
import type { Context } from './context.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { stripEscapes } from './terminal-text.ts'

/** Changes within this many milliseconds are handled together. */
const SETTLE_MS = 50
/** File systems tell the time of a change with this precision, in milliseconds. */
const PRECISION_MS = 10

/**
 * Runs `action` now and whenever one of the files changes, one run after the other, until the process receives a
 * signal to stop. `action` returns the absolute paths of further files.
 *
 * @throws what `action` throws.
 */
export async function watchFiles(
  files: readonly string[],
  context: Context,
  action: () => Promise<readonly string[]>,
): Promise<ExitStatus> {
  const { signal } = context
  const changed = new Set<string>()
  let wake: (() => void) | undefined
  const watcher = watch(
    files.map((file) => resolve(context.cwd, file)),
    { alwaysStat: true },
  )
  let started = Infinity
  watcher.on('all', (event, path, stats) => {
    // Watching begins with this event. The file may have changed after it was read.
    if (event.startsWith('add') && stats !== undefined && stats.ctimeMs < started - PRECISION_MS) return
    changed.add(stripEscapes(basename(path)))
    wake?.()
  })
  signal.addEventListener('abort', () => wake?.(), { once: true })
  try {
    await new Promise<void>((ready) => void watcher.once('ready', () => ready()))
    for (;;) {
      started = Date.now()
      watcher.add([...(await action())])
      context.say(context.colors.dim('Watching for changes. Press Ctrl-C to stop.'))
      while (changed.size === 0 && !signal.aborted) {
        await new Promise<void>((done) => {
          wake = done
        })
      }
      if (signal.aborted) return EXIT.success
      await new Promise((done) => setTimeout(done, SETTLE_MS))
      context.say(`\n${[...changed].join(', ')} changed`)
      changed.clear()
    }
  } finally {
    await watcher.close()
  }
}
