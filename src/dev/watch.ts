import path from 'node:path'
import { watch as watchPaths } from 'chokidar'

/** What to watch and what to call. Files saved together cause one call. A call may come without a change. */
export interface WatchOptions {
  /** The definition's file, absolute. */
  readonly definition: string
  /** The output directory, absolute. */
  readonly output: string
  readonly onDefinition: () => void
  /** Files of services may have changed: their directories, relative to the output. */
  readonly onServices: (directories: readonly string[]) => void
  /** What all services share may have changed. */
  readonly onShared: () => void
  readonly onError: (error: Error) => void
}

/** An active file watcher. */
export interface Watcher {
  /** Watches these files of the definition, relative to its folder. */
  setDefinition(paths: readonly string[]): void
  /** Watches the files of exactly these services. */
  setServices(directories: readonly string[]): void
  readonly close: () => Promise<void>
}

/** What all services of a project share. */
const SHARED = ['lib', 'package.json']
/** Editors write a file in several steps, or several files at once: wait this long, in ms. */
const SETTLE_MS = 40
/** Changes during the setup of a watcher are missed, so the files are checked again after these times, in ms. */
const RECHECKS_MS = [500, 3000]

/**
 * Watches a definition and the files of services. Watches the directories of the definition's files, because editors
 * may replace a file instead of writing to it, and ignores everything else in them.
 */
export function watch(options: WatchOptions): Watcher {
  const { definition, output } = options
  const directory = path.dirname(definition)
  /** The files of the definition, and their directories. */
  const files = new Set([definition])
  const folders = new Set([directory])
  const services = new Set<string>()
  const touched = new Set<string>()
  let rechecks: NodeJS.Timeout[] = []

  const definitionChanged = debounce(options.onDefinition)
  const servicesChanged = debounce(() => {
    const directories = [...touched]
    touched.clear()
    if (directories.some((each) => SHARED.includes(each))) options.onShared()
    else options.onServices(directories)
  })

  const definitionWatcher = watchPaths(directory, {
    depth: 0,
    // Each file that is found calls, because it may have changed since it was read.
    ignoreInitial: false,
    ignored: (candidate) => !folders.has(candidate) && !files.has(candidate),
  })
    .on('all', (_event, changed) => {
      if (files.has(changed)) definitionChanged.call()
    })
    .on('error', (error) => options.onError(toError(error)))
  const servicesWatcher = watchPaths(
    SHARED.map((each) => path.join(output, each)),
    {
      ignoreInitial: true,
      ignored: (candidate) => path.basename(candidate) === 'node_modules',
    },
  )
    .on('all', (_event, changed) => {
      touched.add(path.relative(output, changed).split(path.sep)[0] ?? '')
      servicesChanged.call()
    })
    .on('error', (error) => options.onError(toError(error)))

  return {
    setDefinition: (paths) => {
      const added = paths.map((each) => path.join(directory, each)).filter((file) => !files.has(file))
      for (const file of added) {
        files.add(file)
        folders.add(path.dirname(file))
      }
      definitionWatcher.add([...added.map((file) => path.dirname(file)), ...added])
    },
    setServices: (directories) => {
      const wanted = new Set(directories)
      for (const each of services)
        if (!wanted.has(each)) {
          services.delete(each)
          servicesWatcher.unwatch(pathsOf(each))
        }
      for (const each of wanted)
        if (!services.has(each)) {
          services.add(each)
          servicesWatcher.add(pathsOf(each))
        }
      for (const timer of rechecks) clearTimeout(timer)
      rechecks = RECHECKS_MS.map((wait) => setTimeout(() => options.onServices([...services]), wait).unref())
    },
    close: async () => {
      definitionChanged.cancel()
      servicesChanged.cancel()
      for (const timer of rechecks) clearTimeout(timer)
      await Promise.all([definitionWatcher.close(), servicesWatcher.close()])
    },
  }

  function pathsOf(service: string): string[] {
    return [path.join(output, service, 'src'), path.join(output, service, '.env')]
  }
}

function debounce(run: () => void): { call(): void; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    call: () => {
      clearTimeout(timer)
      timer = setTimeout(run, SETTLE_MS)
    },
    cancel: () => clearTimeout(timer),
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
