import path from 'node:path'
import { watch as watchPaths } from 'chokidar'

/** What to watch and what to call. Files saved together cause one call. A call may come without a change. */
export interface WatchOptions {
  /** The definition's file, absolute. */
  readonly definition: string
  /** The output directory, absolute. */
  readonly output: string
  /** The files and directories in it that services share. */
  readonly shared: readonly string[]
  readonly onDefinition: () => void
  /** Files of services, or shared ones, may have changed: the first segments of their paths in the output. */
  readonly onFiles: (segments: readonly string[]) => void
  readonly onError: (error: Error) => void
}

/** A service, and its files and directories that are watched. */
export interface WatchedService {
  readonly directory: string
  readonly sources: readonly string[]
}

/** An active file watcher. */
export interface Watcher {
  /** Watches these files of the definition, relative to its folder. */
  setDefinition(paths: readonly string[]): void
  /** Watches the files of exactly these services. */
  setServices(services: readonly WatchedService[]): void
  readonly close: () => Promise<void>
}

/** Editors write a file in several steps, or several files at once: wait this long, in ms. */
const SETTLE_MS = 40
/** Changes during the setup of a watcher are missed, so the files are checked again after these times, in ms. */
const RECHECKS_MS = [500, 3000]

/**
 * Watches a definition and the files of services. Watches the directories of the definition's files, because editors
 * may replace a file instead of writing to it, and ignores everything else in them.
 */
export function watch(options: WatchOptions): Watcher {
  const { definition, output, shared } = options
  const directory = path.dirname(definition)
  /** The files of the definition, and their directories. */
  const files = new Set([definition])
  const folders = new Set([directory])
  const services = new Map<string, string[]>()
  const touched = new Set<string>()
  let rechecks: NodeJS.Timeout[] = []

  const definitionChanged = debounce(options.onDefinition)
  const filesChanged = debounce(() => {
    const segments = [...touched]
    touched.clear()
    options.onFiles(segments)
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
    shared.map((each) => path.join(output, each)),
    {
      ignoreInitial: true,
      ignored: (candidate) => path.basename(candidate) === 'node_modules',
    },
  )
    .on('all', (_event, changed) => {
      touched.add(path.relative(output, changed).split(path.sep)[0] ?? '')
      filesChanged.call()
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
    setServices: (watched) => {
      const wanted = new Map(watched.map(({ directory: name, sources }) => [name, sources]))
      for (const [name, paths] of services)
        if (!wanted.has(name)) {
          services.delete(name)
          servicesWatcher.unwatch(paths)
        }
      for (const [name, sources] of wanted)
        if (!services.has(name)) {
          const paths = sources.map((each) => path.join(output, each))
          services.set(name, paths)
          servicesWatcher.add(paths)
        }
      for (const timer of rechecks) clearTimeout(timer)
      rechecks = RECHECKS_MS.map((wait) =>
        setTimeout(() => options.onFiles([...shared, ...services.keys()]), wait).unref(),
      )
    },
    close: async () => {
      definitionChanged.cancel()
      filesChanged.cancel()
      for (const timer of rechecks) clearTimeout(timer)
      await Promise.all([definitionWatcher.close(), servicesWatcher.close()])
    },
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
