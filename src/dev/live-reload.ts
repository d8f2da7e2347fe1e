import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Compilation } from '../compile.ts'
import type { Overrides } from '../model/resolve.ts'
import type { Disposables } from './disposables.ts'
import { type OnEvent, UNCHANGED } from './events.ts'
import { PlatformError } from './platform-error.ts'
import { compileProject, generateProject, writeProject } from './project.ts'
import { type OpenQuestions, QuestionWithdrawnError, questionsAbout } from './questions.ts'
import type { Runtime } from './runtime.ts'
import type { ServiceSpec } from './service-specs.ts'
import { createCodeCheck, SHARED_PATHS } from './targets.ts'
import { watch } from './watch.ts'

/** Stands for what all services share, in place of a service's directory. */
const SHARED = ''

/** Hashes of each service's files, by directory, and of what all services share. */
type Fingerprints = ReadonlyMap<string, string>

/** What live reload needs. */
export interface LiveReloadOptions {
  /** The definition's file, absolute. */
  readonly definition: string
  /** The definition that runs now. */
  readonly compilation: Compilation
  readonly output: string
  readonly stateDirectory: string
  readonly overrides: Overrides
  readonly runtime: Runtime
  /** What the services have been started from: see fingerprintsOf. */
  readonly fingerprints: Fingerprints
  readonly onEvent: OnEvent
  /** Asks the user on a terminal. */
  readonly questions: OpenQuestions | undefined
}

/**
 * Watches a platform's files and reloads what changes. A definition with errors, or a service that does not start,
 * leaves what runs unchanged. Checks types in the background.
 */
export async function startLiveReload(options: LiveReloadOptions, disposables: Disposables): Promise<void> {
  const { definition, output, overrides, runtime, onEvent } = options
  const problem = (text: string): void => onEvent({ kind: 'problem', service: undefined, text })
  let text: string | undefined = options.compilation.result.text
  /** Fingerprint of each service's files, and of what all services share, when they were last loaded. */
  const fingerprints = new Map(options.fingerprints)
  /** Cancel the starts of services that were saved, or changed by a definition. */
  const starts = new Map<string, AbortController>()
  /** Services that start after the definition that is about to be applied. */
  const deferred = new Set<string>()
  let isUpdating = false
  let isClosed = false
  /** Changes are applied one at a time. */
  const changes = createQueue()
  /** Definitions are read one at a time. A question about one does not hold up changes of code. */
  const definitions = createQueue()

  const checks = createCodeCheck({
    output,
    stateDirectory: options.stateDirectory,
    onErrors: (errors) => onEvent({ kind: 'types', errors }),
    onFailure: (reason) => problem(`Could not check types: ${reason}`),
  })
  await disposables.defer(checks.stop)

  const watcher = watch({
    definition,
    output,
    shared: SHARED_PATHS,
    onDefinition: () => void definitions(reloadDefinition).catch(reportFailure),
    onFiles: (segments) => {
      if (segments.some(isDatabase)) void definitions(reloadMigrations).catch(reportFailure)
      const touched = segments.map((each) => (SHARED_PATHS.includes(each) ? SHARED : each))
      void changes(() => reloadServices(touched)).catch(reportFailure)
      void cancelOutdated(touched).catch(reportFailure)
    },
    onError: (error) => problem(`Could not watch all files: ${error.message}`),
  })
  await disposables.defer(() => {
    isClosed = true
    return watcher.close()
  })
  watcher.setDefinition(options.compilation.result.paths)
  watchServices()

  function runningDirectories(): string[] {
    return runtime.running().map(({ directory }) => directory)
  }

  function watchServices(): void {
    watcher.setServices(
      runtime.running().map(({ directory, sources, schema: { migrations } }) => {
        return { directory, sources: [...sources, migrations] }
      }),
    )
    checks.setServices(runtime.running())
    checks.run()
  }

  /** Whether a directory of the project has the migrations of a service that runs. */
  function isDatabase(directory: string): boolean {
    return runtime.running().some(({ schema }) => schema.migrations.startsWith(`${directory}/`))
  }

  /** Applies the user's migrations that were saved. */
  async function reloadMigrations(): Promise<void> {
    const update = await runtime.plan(runtime.project(), undefined)
    const { updates, notices } = update.databases
    if (updates.length + notices.length > 0) await changes(async () => void (await runtime.apply(update)))
  }

  function reportFailure(error: unknown): void {
    if (isClosed) return
    if (error instanceof QuestionWithdrawnError)
      return onEvent({ kind: 'notice', service: undefined, text: error.message })
    const reason = error instanceof Error ? error : new Error(String(error))
    problem([reason.message, ...helpOf(reason), UNCHANGED].join('\n'))
  }

  /** Whether the files of a service, or the shared ones, have changed since the last call. */
  async function isChanged(directory: string, specs = runtime.running()): Promise<boolean> {
    const fingerprint = await readFingerprint(directory, specs)
    if (fingerprints.get(directory) === fingerprint) return false
    fingerprints.set(directory, fingerprint)
    return true
  }

  function readFingerprint(directory: string, specs: readonly ServiceSpec[]): Promise<string> {
    return fingerprintOf(output, sourcesOf(directory, specs))
  }

  /**
   * Cancels starts from files that have changed since: they may never be ready, because of an endless `setup` or a
   * database that has the schema of other files, and would hold up the queue.
   */
  async function cancelOutdated(touched: readonly string[]): Promise<void> {
    const isOutdated = async (directory: string): Promise<boolean> =>
      touched.includes(directory) &&
      (await readFingerprint(directory, runtime.running())) !== fingerprints.get(directory)
    const started = [...starts]
    const isSharedOutdated = await isOutdated(SHARED)
    for (const [directory, start] of started)
      if (isSharedOutdated || (await isOutdated(directory))) {
        start.abort()
        // It is not loaded, even if the files change back.
        fingerprints.delete(directory)
      }
  }

  async function reloadDefinition(): Promise<void> {
    const previous = text
    // If it cannot be read now, the next text is new to the user, even if it is the same as before.
    text = undefined
    const { compilation, platform } = compileProject(definition, overrides, output)
    watcher.setDefinition(compilation.result.paths)
    ;({ text } = compilation.result)
    if (text === previous) return
    onEvent({ kind: 'checked', ...compilation })
    if (platform === undefined) return
    const project = generateProject(platform)
    // If the update fails, saving the same text again retries it.
    text = undefined
    const questions = options.questions && questionsAbout(definition, compilation, options.questions)
    const update = await runtime.plan(project, questions)
    // Without the time that the user took to answer.
    const began = performance.now()
    cancelStarts()
    const applied = changes(async () => {
      isUpdating = false
      const before = new Map(runtime.running().map(({ directory, fingerprint }) => [directory, fingerprint]))
      const loaded = update.services.filter((spec) => before.get(spec.directory) !== spec.fingerprint)
      const write = async (): Promise<void> => {
        await writeProject(output, project, onEvent)
        // Files that change from now on may not be those that the services load.
        const directories = loaded.map(({ directory }) => directory)
        await Promise.all([SHARED, ...directories].map((each) => isChanged(each, loaded)))
        for (const directory of directories) starts.set(directory, new AbortController())
      }
      try {
        const outcome = await runtime.apply(update, write, (directory) => starts.get(directory)?.signal)
        const { changed, removed: stopped } = outcome
        const failed = outcome.failed.filter((directory) => starts.get(directory)?.signal.aborted !== true)
        const services = changed.filter((directory) => !outcome.failed.includes(directory))
        onEvent({ kind: 'reloaded', services, stopped, failed, milliseconds: performance.now() - began })
      } finally {
        starts.clear()
      }
    })
    // Those that the update does not restart.
    void changes(() => reloadServices([...deferred])).catch(reportFailure)
    await applied
    ;({ text } = compilation.result)
    watchServices()
  }

  /**
   * Cancels all starts, so that a new definition does not wait for them: their code may be that of another branch, which
   * is ready only once the database is.
   */
  function cancelStarts(): void {
    isUpdating = true
    defer([...starts.keys()])
    for (const start of starts.values()) start.abort()
  }

  function defer(directories: readonly string[]): void {
    for (const directory of directories) {
      fingerprints.delete(directory)
      deferred.add(directory)
    }
  }

  async function reloadServices(touched: readonly string[]): Promise<void> {
    const known = [SHARED, ...runningDirectories()].filter((directory) => touched.includes(directory))
    const flags = await Promise.all(known.map((each) => isChanged(each)))
    const changed = known.filter((_, index) => flags[index])
    await reload(changed.includes(SHARED) ? runningDirectories() : changed)
  }

  async function reload(directories: readonly string[]): Promise<void> {
    if (directories.length === 0) return
    if (isUpdating) return defer(directories)
    for (const directory of directories) deferred.delete(directory)
    const began = performance.now()
    for (const directory of directories) starts.set(directory, new AbortController())
    const outcomes = await Promise.all(
      directories.map((directory) => runtime.services.reload(directory, starts.get(directory)?.signal)),
    )
    starts.clear()
    const services = directories.filter((_, index) => outcomes[index])
    if (services.length > 0)
      onEvent({
        kind: 'reloaded',
        services,
        stopped: [],
        failed: [],
        milliseconds: performance.now() - began,
      })
    checks.run()
  }
}

/** Returns a function that runs tasks one after the other. */
function createQueue(): (task: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return (task) => {
    const run = last.then(task)
    last = run.catch(() => {})
    return run
  }
}

function helpOf(error: Error): string[] {
  return error instanceof PlatformError && error.help !== undefined ? [`help: ${error.help}`] : []
}

/** Reads the files that services are about to be started from. Those that are saved meanwhile are loaded again. */
export async function fingerprintsOf(output: string, specs: readonly ServiceSpec[]): Promise<Fingerprints> {
  const directories = [SHARED, ...specs.map(({ directory }) => directory)]
  return new Map(
    await Promise.all(
      directories.map(async (each) => [each, await fingerprintOf(output, sourcesOf(each, specs))] as const),
    ),
  )
}

function sourcesOf(directory: string, specs: readonly ServiceSpec[]): readonly string[] {
  if (directory === SHARED) return SHARED_PATHS
  return specs.find((each) => each.directory === directory)?.sources ?? []
}

/** Hashes files and directories of the project. Tells real changes from saves without one, and from our own. */
async function fingerprintOf(output: string, paths: readonly string[]): Promise<string> {
  const files = await Promise.all(paths.map((each) => filesAt(path.join(output, each))))
  const hash = createHash('sha256')
  for (const each of files.flat().sort()) {
    const content = await readFile(each).catch(() => Buffer.alloc(0))
    hash.update(`${path.relative(output, each)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** The files in a directory, or the file itself. */
async function filesAt(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) return [place]
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}
