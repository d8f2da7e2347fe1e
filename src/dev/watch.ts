import path from 'node:path'
import { watch as watchPaths } from 'chokidar'

/**
 * What is watched, and who is told. Calls come at most once for what is saved at the same moment, and now and
 * then for nothing at all.
 */
export interface WatchOptions {
  /** The definition, absolute. */
  readonly definition: string
  /** The output directory, absolute. */
  readonly output: string
  readonly onDefinition: () => void
  /** Files of services may have changed: their directories, relative to the output. */
  readonly onServices: (directories: readonly string[]) => void
  readonly onError: (error: Error) => void
}

/** A watch that is on. */
export interface Watch {
  /** Watches these services' files, and those of no others any more. */
  setServices(directories: readonly string[]): void
  readonly close: () => Promise<void>
}

/** Editors write a file in several steps, or several files at once. In ms. */
const SETTLE_MS = 40
/** What is saved while a watch is being set up goes unnoticed: so it is looked at again afterwards. In ms. */
const SECOND_LOOKS_MS = [500, 3000]

/**
 * Watches a definition and the files of services. Editors may replace a file instead of writing to it, so the
 * directory that holds the definition is watched, and of it nothing but that file.
 */
export function watch(options: WatchOptions): Watch {
  const { definition, output } = options
  const directory = path.dirname(definition)
  const services = new Set<string>()
  const touched = new Set<string>()
  let looks: NodeJS.Timeout[] = []

  const ofDefinition = debounced(options.onDefinition)
  const ofServices = debounced(() => {
    const directories = [...touched]
    touched.clear()
    options.onServices(directories)
  })

  const definitionWatch = watchPaths(directory, {
    depth: 0,
    ignoreInitial: true,
    ignored: (candidate) => candidate !== directory && candidate !== definition,
  })
    .on('all', (event, changed) => {
      if (changed === definition && event !== 'unlink') ofDefinition.call()
    })
    .on('ready', () => ofDefinition.call())
    .on('error', (error) => options.onError(asError(error)))
  const servicesWatch = watchPaths([], {
    ignoreInitial: true,
    ignored: (candidate) => path.basename(candidate) === 'node_modules',
  })
    .on('all', (_event, changed) => {
      touched.add(path.relative(output, changed).split(path.sep)[0] ?? '')
      ofServices.call()
    })
    .on('error', (error) => options.onError(asError(error)))

  return {
    setServices: (directories) => {
      const wanted = new Set(directories)
      for (const each of services)
        if (!wanted.has(each)) {
          services.delete(each)
          servicesWatch.unwatch(pathsOf(each))
        }
      for (const each of wanted)
        if (!services.has(each)) {
          services.add(each)
          servicesWatch.add(pathsOf(each))
        }
      for (const timer of looks) clearTimeout(timer)
      looks = SECOND_LOOKS_MS.map((wait) => setTimeout(() => options.onServices([...services]), wait).unref())
    },
    close: async () => {
      ofDefinition.cancel()
      ofServices.cancel()
      for (const timer of looks) clearTimeout(timer)
      await Promise.all([definitionWatch.close(), servicesWatch.close()])
    },
  }

  function pathsOf(service: string): string[] {
    return [path.join(output, service, 'src'), path.join(output, service, 'package.json')]
  }
}

function debounced(act: () => void): { call(): void; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    call: () => {
      clearTimeout(timer)
      timer = setTimeout(act, SETTLE_MS)
    },
    cancel: () => clearTimeout(timer),
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
