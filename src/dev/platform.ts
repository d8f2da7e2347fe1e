import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Compilation } from '../compile.ts'
import type { Platform } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import { createDisposables, type Disposables } from './disposables.ts'
import { defaultProjectDirectory } from '../output/project-directory.ts'
import { startDatabaseServer } from './database-server.ts'
import { openDatabases } from './databases.ts'
import type { OnEvent } from './events.ts'
import { createExplorer } from './explorer/explorer.ts'
import { createGateway } from './gateway/gateway.ts'
import { listenOnLoopback } from './gateway/listen.ts'
import { fingerprintsOf, startLiveReload } from './live-reload.ts'
import { removePostgresData } from './postgres.ts'
import { type GeneratedProject, compileProject, generateProject, writeProject } from './project.ts'
import { InvalidDefinitionError, PlatformError } from './platform-error.ts'
import { type Answers, type OpenQuestions, QuestionWithdrawnError, questionsAbout } from './questions.ts'
import { createRuntime, type Runtime } from './runtime.ts'
import { maxConnections } from './services.ts'
import { DATA_DIRECTORY, lockStateDirectory, stateDirectory } from './state-directory.ts'

/** How to run a platform. */
export interface PlatformOptions {
  /** The definition's file. */
  readonly definition: string
  /** Where to generate the project. Default: see `defaultProjectDirectory`. */
  readonly output?: string
  /** Port of the gateway. Default: 0, any free port. */
  readonly port?: number
  /** Delete all data first. Default: false. */
  readonly fresh?: boolean
  /** Reload changed files and check their types. Default: false. */
  readonly watch?: boolean
  /** Serve the OpenAPI document at `/api/openapi.json`. Default: true. */
  readonly openApi?: boolean
  /** Origins of web pages that may call the API, besides those of this machine. Default: none. */
  readonly corsOrigins?: readonly string[]
  /** Directory of the built explorer page. Default: the one in the bundle. */
  readonly explorerAssets?: URL
  readonly overrides?: Overrides
  readonly onEvent?: OnEvent
  /** Asks the user about a change of the schema. Without it, a change that needs an answer is an error. */
  readonly questions?: OpenQuestions
  /** Answers to questions about the definition at the start. Later changes are asked about. Default: none. */
  readonly answers?: Answers
  /** Stops the platform, even while it is starting. */
  readonly signal?: AbortSignal
}

/** A platform running in this process. */
export interface EmbeddedPlatform {
  /** `localhost:8080`. */
  readonly gateway: string
  /** URL of the explorer's page; `undefined` if it was not built. */
  readonly explorer: string | undefined
  /** Absolute. */
  readonly output: string
  /** The platform that runs now. */
  readonly platform: () => Platform
  /** Directories of the services that did not start. Why was reported. */
  readonly failed: readonly string[]
  /** Process id of the first database server. */
  readonly databasePid: number
  /** Stops everything within two seconds. */
  readonly stop: () => Promise<void>
}

/** How long requests under way may take to finish on a stop, in ms. */
const GRACE_MS = 400

/**
 * Generates a platform and runs it: database, services and gateway. Resolves when the platform is ready for
 * requests. Throws InvalidDefinitionError, PlatformError, a system error, or the signal's
 * reason; nothing runs then.
 */
export async function startPlatform(options: PlatformOptions): Promise<EmbeddedPlatform> {
  const { signal } = options
  const disposables = createDisposables()
  const interrupted = new Promise<never>((_, reject) => {
    const interrupt = (): void => void disposables.dispose().then(() => reject(signal?.reason))
    if (signal?.aborted === true) interrupt()
    signal?.addEventListener('abort', interrupt, { once: true })
  })
  const started = start(options, disposables)
  // Errors that follow from the disposal are not reported.
  started.catch(() => {})
  interrupted.catch(() => {})
  try {
    return await Promise.race([started, interrupted])
  } catch (error) {
    await disposables.dispose()
    throw error
  }
}

async function start(options: PlatformOptions, disposables: Disposables): Promise<EmbeddedPlatform> {
  const { overrides = {}, corsOrigins = [], signal } = options
  const explorer = createExplorer(options.explorerAssets)
  const onEvent: OnEvent = (event) => {
    explorer.observe(event)
    options.onEvent?.(event)
  }
  const progress = (text: string): void => onEvent({ kind: 'progress', text })
  const definition = path.resolve(options.definition)

  function readPlatform(): { compilation: Compilation; platform: Platform } {
    const { compilation, platform } = compileProject(definition, overrides, options.output)
    onEvent({ kind: 'checked', ...compilation })
    if (platform === undefined) throw new InvalidDefinitionError('The definition has errors')
    return { compilation, platform }
  }

  let { compilation, platform } = readPlatform()
  const output = path.resolve(options.output ?? defaultProjectDirectory(platform.names.kebab, process.cwd()))

  let runtime: Runtime | undefined
  const gateway = createGateway({
    service: (directory) => runtime?.services.service(directory),
    onRequest: (request) => onEvent({ kind: 'request', request }),
    pages: explorer.serve,
    corsOrigins,
  })
  const listening = await listenOnLoopback(gateway.createServer, options.port ?? 0)
  if (listening === undefined) throw portInUse(options.port)
  await disposables.defer(listening.close)

  async function write(): Promise<GeneratedProject> {
    progress('Writing the project')
    const next = generateProject(platform)
    await writeProject(output, next, onEvent)
    return next
  }

  // If the first write is refused, nothing must be left in the output directory.
  let project = existsSync(path.join(output, '.portico')) ? undefined : await write()
  const state = await stateDirectory(output)
  await disposables.defer(lockStateDirectory(state, output))
  const data = path.join(output, DATA_DIRECTORY)
  if (options.fresh === true) {
    project ??= await write()
    await removePostgresData(data)
  }
  progress(
    existsSync(data) || existsSync(`${data}.location`) ? 'Starting the database' : 'Creating the database',
  )
  const launched = Promise.withResolvers<void>()
  const starting = startDatabaseServer({
    directory: data,
    connections: maxConnections(platform.services.length + 1),
    onProblem: (problem) => onEvent({ kind: 'problem', service: undefined, text: problem }),
    onLaunch: launched.resolve,
    ...(signal === undefined ? {} : { signal }),
  }).then(async (server) => {
    await disposables.defer(server.stop)
    return server
  })
  // The database starts while the project is generated, which would hold up its launch.
  const written = project ?? Promise.race([launched.promise, starting]).then(write)
  await Promise.allSettled([starting, written])
  const database = await starting
  project = await written
  const databases = openDatabases(database.server)
  await disposables.defer(databases.close)

  progress('Starting the services')
  const { questions, openApi = true } = options
  const onPlatform = explorer.setPlatform
  const parts = {
    output,
    stateDirectory: state,
    gateway,
    openApi,
    corsOrigins,
    databases,
    onPlatform,
    onEvent,
  }
  const running = createRuntime(parts, project)
  runtime = running
  await disposables.defer(() => running.services.stop(GRACE_MS))
  let { answers } = options
  let failed: readonly string[]
  let fingerprints: Awaited<ReturnType<typeof fingerprintsOf>>
  for (;;) {
    try {
      const update = await running.plan(
        project,
        questions && questionsAbout(definition, compilation, questions),
        answers,
      )
      fingerprints = await fingerprintsOf(output, update.services)
      ;({ failed } = await running.apply(update))
      break
    } catch (error) {
      if (!(error instanceof QuestionWithdrawnError)) throw error
      onEvent({ kind: 'notice', service: undefined, text: error.message })
      // It is another definition.
      answers = undefined
      ;({ compilation, platform } = readPlatform())
      project = generateProject(platform)
      await writeProject(output, project, onEvent)
    }
  }

  if (options.watch === true) {
    const common = { definition, compilation, output, stateDirectory: state, overrides, onEvent }
    await startLiveReload({ ...common, runtime: running, fingerprints, questions }, disposables)
  }
  return {
    gateway: `localhost:${listening.port}`,
    explorer: explorer.isBuilt() ? `http://localhost:${listening.port}/` : undefined,
    output,
    platform: running.platform,
    failed,
    databasePid: database.server.pid,
    stop: disposables.dispose,
  }
}

function portInUse(port: number | undefined): PlatformError {
  return new PlatformError(
    `Port ${port} is already in use`,
    'choose another port with `--port`, or any free port with `--port 0`',
  )
}
