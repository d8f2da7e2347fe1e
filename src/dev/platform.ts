import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Platform } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import { type Closers, createClosers } from './closers.ts'
import { startDatabaseServer } from './database-server.ts'
import { openDatabases } from './databases.ts'
import type { OnEvent } from './events.ts'
import { createExplorer } from './explorer/explorer.ts'
import { createGateway } from './gateway/gateway.ts'
import { listenOnLoopback } from './gateway/listen.ts'
import { defaultOutput, type Generation, readDefinition, writeProject } from './generation.ts'
import { startLiveReload } from './live-reload.ts'
import { lockState } from './lock.ts'
import { removePostgresData } from './postgres.ts'
import { PlatformProblem } from './problem.ts'
import { createRuntime, type Runtime } from './runtime.ts'
import type { ConfirmEmptying } from './schema-question.ts'
import { connectionsOf } from './services.ts'
import { stateDirectory } from './state.ts'

/** How to run a platform. */
export interface PlatformOptions {
  /** The definition's file. */
  readonly definition: string
  /** Where the project is generated. Default: the project's name in kebab-case, in the working directory. */
  readonly output?: string
  /** Port of the gateway. Default: 0, any free one. */
  readonly port?: number
  /** Begin with an empty database. Default: false. */
  readonly fresh?: boolean
  /** Reload what changes, and check its types. Default: false. */
  readonly watch?: boolean
  /** Serve the description of the API at `/api/openapi.json`. Default: true. */
  readonly openApi?: boolean
  /** Where the page of the explorer was built to. Default: the bundle's. */
  readonly explorerAssets?: URL
  readonly overrides?: Overrides
  /** Sees every platform before it is generated, the first and changed ones, and may refuse it by throwing. */
  readonly accept?: (platform: Platform) => void
  readonly onEvent?: OnEvent
  /** Asks before data is deleted. Without it nothing is ever deleted, and a changed schema is a problem. */
  readonly confirmEmptying?: ConfirmEmptying
  /** Ends the platform, also while it starts. */
  readonly signal?: AbortSignal
}

/** A platform that runs in this process. */
export interface EmbeddedPlatform {
  /** `localhost:8080`. */
  readonly gateway: string
  /** Address of the explorer's page; `undefined` where it was not built. */
  readonly explorer: string | undefined
  /** Absolute. */
  readonly output: string
  /** The model that runs now. */
  readonly platform: () => Platform
  /** Process id of the database server that was started first. */
  readonly databasePid: number
  /** Resolves when the platform had to stop by itself, with the reason; never otherwise. */
  readonly failed: Promise<Error>
  /** Ends everything within two seconds and leaves nothing running. */
  readonly stop: () => Promise<void>
}

/** The definition has errors; the event `checked` told them. */
export class InvalidDefinition extends Error {
  override readonly name = 'InvalidDefinition'
}

/** What requests that run get at the end, in ms. */
const GRACE_MS = 400

/**
 * Generates a platform and runs it: database, services and gateway. Resolves when every request will be
 * answered. Throws InvalidDefinition, PlatformProblem, PostgresError, a system error, what `accept` throws or
 * the signal's reason; nothing runs then.
 */
export async function startPlatform(options: PlatformOptions): Promise<EmbeddedPlatform> {
  const { signal } = options
  const opened = createClosers()
  const interrupted = new Promise<never>((_, reject) => {
    const interrupt = (): void => void opened.close().then(() => reject(signal?.reason))
    if (signal?.aborted === true) interrupt()
    signal?.addEventListener('abort', interrupt, { once: true })
  })
  const started = start(options, opened)
  // What still fails once all is closed is of no interest.
  started.catch(() => {})
  interrupted.catch(() => {})
  try {
    return await Promise.race([started, interrupted])
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function start(options: PlatformOptions, opened: Closers): Promise<EmbeddedPlatform> {
  const { overrides = {}, accept = () => {}, signal } = options
  const explorer = createExplorer(options.explorerAssets)
  const onEvent: OnEvent = (event) => {
    explorer.observe(event)
    options.onEvent?.(event)
  }
  const progress = (text: string): void => onEvent({ kind: 'progress', text })
  const definition = path.resolve(options.definition)

  const { text, diagnostics, generation } = await readDefinition(definition, overrides, accept)
  onEvent({ kind: 'checked', text, diagnostics })
  if (generation === undefined) throw new InvalidDefinition('The definition has errors.')
  const output = path.resolve(options.output ?? defaultOutput(generation.platform, process.cwd()))

  let runtime: Runtime | undefined
  const gateway = createGateway({
    service: (directory) => runtime?.services.service(directory),
    onRequest: (request) => onEvent({ kind: 'request', request }),
    pages: explorer.serve,
  })
  const listening = await listenOnLoopback(gateway.createServer, options.port ?? 0)
  if (listening === undefined) throw portTaken(options.port)
  await opened.add(listening.close)

  progress('Writing the project')
  const state = await takeOutput(output, generation, opened)
  const data = path.join(state, 'postgres')
  if (options.fresh === true) await removePostgresData(data)
  progress(existsSync(data) ? 'Starting the database' : 'Making the database')
  const database = await startDatabaseServer({
    directory: data,
    connections: connectionsOf(generation.platform.services.length + 1),
    onProblem: (problem) => onEvent({ kind: 'problem', service: undefined, text: problem }),
    ...(signal === undefined ? {} : { signal }),
  })
  await opened.add(database.stop)
  const databases = openDatabases(database.server)
  await opened.add(databases.close)

  progress('Starting the services')
  const { confirmEmptying, openApi = true } = options
  const onPlatform = explorer.setPlatform
  const parts = {
    output,
    stateDirectory: state,
    gateway,
    openApi,
    databases,
    confirmEmptying,
    onPlatform,
    onEvent,
  }
  const running = createRuntime(parts, generation)
  runtime = running
  await opened.add(() => running.services.stop(GRACE_MS))
  await running.update(generation, async () => {})

  const failure = Promise.withResolvers<Error>()
  if (options.watch === true) {
    const onFailure = async (error: Error): Promise<void> => {
      await opened.close()
      failure.resolve(error)
    }
    const common = { definition, text, output, stateDirectory: state, overrides, accept, onEvent }
    await startLiveReload({ ...common, runtime: running, onFailure }, opened)
  }
  return {
    gateway: `localhost:${listening.port}`,
    explorer: explorer.isBuilt() ? `http://localhost:${listening.port}/` : undefined,
    output,
    platform: running.platform,
    databasePid: database.server.pid,
    failed: failure.promise,
    stop: opened.close,
  }
}

/** Writes the project and takes its state directory, which it gives, for this platform alone. */
async function takeOutput(output: string, generation: Generation, opened: Closers): Promise<string> {
  // A directory that was never generated into gets nothing at all where something is in the way.
  const isFirst = !existsSync(path.join(output, '.portico'))
  if (isFirst) await writeProject(output, generation)
  const state = await stateDirectory(output)
  await opened.add(lockState(state, output))
  if (!isFirst) await writeProject(output, generation)
  return state
}

function portTaken(port: number | undefined): PlatformProblem {
  return new PlatformProblem(
    `Port ${port} is taken.`,
    'Choose another with --port, or any free one with `--port 0`.',
  )
}
