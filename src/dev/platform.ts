import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Platform } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import { gatewayRoutes } from '../model/routes.ts'
import { type Closers, createClosers } from './closers.ts'
import { type GatewayCredentials, gatewayCredentials } from './credential.ts'
import { startDatabaseServer } from './database-server.ts'
import { openDatabases } from './databases.ts'
import { type Deployable, deployables } from './deployables.ts'
import type { OnEvent } from './events.ts'
import { createGateway } from './gateway/gateway.ts'
import { listenOnLoopback } from './gateway/listen.ts'
import { tokenVerifier, type VerifyToken } from './gateway/tokens.ts'
import { defaultOutput, type Generation, readDefinition, writeProject } from './generation.ts'
import { lockState } from './lock.ts'
import { removePostgresData } from './postgres.ts'
import { PlatformProblem } from './problem.ts'
import { type ConfirmEmptying, describeChanges, schemaProblem } from './schema-question.ts'
import { connectionsOf, createServices } from './services.ts'
import { sourceFingerprint } from './source-fingerprint.ts'
import { stateDirectory } from './state.ts'
import { createTypeCheck } from './type-check.ts'
import { watch } from './watch.ts'

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
  readonly overrides?: Overrides
  /** Sees every platform before it is generated, the first and changed ones, and may refuse it by throwing. */
  readonly accept?: (platform: Platform) => void
  readonly onEvent?: OnEvent
  /** Asks before data is deleted. Without it nothing is ever deleted, and a changed schema is a problem. */
  readonly confirmEmptying?: ConfirmEmptying
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal
}

/** A platform that runs in this process. */
export interface EmbeddedPlatform {
  /** `localhost:8080`. */
  readonly gateway: string
  /** Absolute. */
  readonly output: string
  /** The model that runs now. */
  readonly platform: () => Platform
  /** Process id of the database server that was started first. */
  readonly databasePid: number
  /** Resolves when the platform had to stop by itself, with the reason; never otherwise. */
  readonly failed: Promise<Error>
  /** Ends everything within two seconds and leaves nothing running. */
  stop(): Promise<void>
}

/** The definition has errors; the event `checked` told them. */
export class InvalidDefinition extends Error {
  override readonly name = 'InvalidDefinition'
}

/** What requests that run get at the end, in ms. */
const GRACE_MS = 500

/**
 * Generates a platform and runs it: database, services and gateway. Resolves when every request will be
 * answered. Throws InvalidDefinition, PlatformProblem, PostgresError or a system error; nothing runs then.
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
  started.catch(() => {})
  try {
    return await Promise.race([started, interrupted])
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function start(options: PlatformOptions, opened: Closers): Promise<EmbeddedPlatform> {
  const { overrides = {}, accept = () => {}, onEvent = () => {}, signal } = options
  const progress = (text: string): void => onEvent({ kind: 'progress', text })
  const problem = (text: string): void => onEvent({ kind: 'problem', service: undefined, text })
  const definition = path.resolve(options.definition)

  const checked = await readDefinition(definition, overrides, accept)
  onEvent({ kind: 'checked', text: checked.text, diagnostics: checked.diagnostics })
  if (checked.generation === undefined) throw new InvalidDefinition('The definition has errors.')
  let generation: Generation = checked.generation
  let text = checked.text
  const output = path.resolve(options.output ?? defaultOutput(generation.platform, process.cwd()))

  let verifyToken: VerifyToken | undefined
  const gateway = createGateway(
    {
      service: (directory) => services?.service(directory),
      onRequest: (request) => onEvent({ kind: 'request', request }),
    },
    { routes: [], verifyToken },
  )
  const listening = await listenOnLoopback(gateway.createServer, options.port ?? 0)
  if (listening === undefined)
    throw new PlatformProblem(
      `Port ${options.port} is taken.`,
      'Choose another with --port, or any free one with `--port 0`.',
    )
  await opened.add(listening.close)

  progress('Writing the project')
  // A directory that was never generated into gets nothing at all where something is in the way.
  const isFirst = !existsSync(path.join(output, '.portico'))
  if (isFirst) await writeProject(output, generation)
  const state = await stateDirectory(output)
  await opened.add(lockState(state, output))
  if (!isFirst) await writeProject(output, generation)

  let credentials: GatewayCredentials | undefined
  async function applyRules(platform: Platform): Promise<void> {
    if (platform.authentication !== undefined) {
      credentials ??= await gatewayCredentials(state)
      verifyToken ??= tokenVerifier(credentials.credentials)
    }
    const isProtected = platform.authentication !== undefined
    gateway.setRules({ routes: gatewayRoutes(platform), verifyToken: isProtected ? verifyToken : undefined })
  }
  await applyRules(generation.platform)

  const data = path.join(state, 'postgres')
  if (options.fresh === true) await removePostgresData(data)
  progress(existsSync(data) ? 'Starting the database' : 'Making the database')
  let current = deployables(generation.platform, generation.files)
  const database = await startDatabaseServer({
    directory: data,
    connections: connectionsOf(current.length),
    onProblem: problem,
    ...(signal === undefined ? {} : { signal }),
  })
  await opened.add(database.stop)
  const databases = openDatabases(database.server)
  await opened.add(databases.close)

  /** Empties databases of another schema, after asking. Gives whether all have the right one then. */
  async function settleSchemas(next: readonly Deployable[]): Promise<boolean> {
    const changed = await databases.changed(next.map(({ schema }) => schema))
    if (changed.length === 0) return true
    const changes = describeChanges(changed)
    if (options.confirmEmptying === undefined) throw schemaProblem(changes)
    if (!(await options.confirmEmptying(changes))) return false
    for (const { schema } of changed) {
      await services?.halt(schema.service)
      await databases.drop(schema)
    }
    return true
  }

  const services: ReturnType<typeof createServices> | undefined = createServices({
    output,
    compileCache: path.join(state, 'compile-cache'),
    databases,
    credentialsFile: () => (generation.platform.authentication === undefined ? undefined : credentials?.file),
    onEvent,
  })
  await opened.add(() => services.stop(GRACE_MS))
  if (!(await settleSchemas(current)))
    throw schemaProblem(describeChanges(await databases.changed(current.map(({ schema }) => schema))))
  progress('Starting the services')
  await services.apply(current)

  let fail: (error: Error) => void = () => {}
  const failed = new Promise<Error>((resolve) => (fail = resolve))
  if (options.watch === true) await watchProject()

  return {
    gateway: `localhost:${listening.port}`,
    output,
    platform: () => generation.platform,
    databasePid: database.server.pid,
    failed,
    stop: opened.close,
  }

  async function watchProject(): Promise<void> {
    const types = createTypeCheck({
      output,
      stateDirectory: state,
      onErrors: (errors) => onEvent({ kind: 'types', errors }),
      onFailure: (reason) => problem(`Types could not be checked: ${reason}`),
    })
    await opened.add(types.stop)
    const fingerprints = new Map<string, string>()
    const remember = async (directory: string): Promise<boolean> => {
      const fingerprint = await sourceFingerprint(path.join(output, directory))
      const isNew = fingerprints.get(directory) !== fingerprint
      fingerprints.set(directory, fingerprint)
      return isNew
    }
    await Promise.all(current.map(({ directory }) => remember(directory)))

    /** One change at a time. */
    let queue: Promise<void> = Promise.resolve()
    const enqueue = (act: () => Promise<void>): void => {
      queue = queue.then(act).catch(async (error: unknown) => {
        const reason = error instanceof Error ? error : new Error(String(error))
        if (error instanceof PlatformProblem && error.kind === 'surroundings') return problem(reason.message)
        await opened.close()
        fail(reason)
        return undefined
      })
    }

    async function reloadDefinition(): Promise<void> {
      const began = performance.now()
      const next = await readDefinition(definition, overrides, accept)
      if (next.text === text) return
      text = next.text
      onEvent({ kind: 'checked', text, diagnostics: next.diagnostics })
      if (next.generation === undefined) return
      const wanted = deployables(next.generation.platform, next.generation.files)
      if (!(await settleSchemas(wanted))) return
      await writeProject(output, next.generation)
      generation = next.generation
      current = wanted
      const touched = await services?.apply(current)
      await applyRules(generation.platform)
      await Promise.all((touched ?? []).map(remember))
      onEvent({ kind: 'reloaded', services: touched ?? [], milliseconds: performance.now() - began })
      watching.setServices(current.map(({ directory }) => directory))
      checkTypes()
    }

    async function reloadServices(directories: readonly string[]): Promise<void> {
      const began = performance.now()
      const known = directories.filter((each) => current.some(({ directory }) => directory === each))
      const changed: string[] = []
      for (const directory of known) if (await remember(directory)) changed.push(directory)
      if (changed.length === 0) return
      const outcomes = await Promise.all(changed.map((directory) => services?.reload(directory)))
      const reloaded = changed.filter((_, index) => outcomes[index])
      if (reloaded.length > 0)
        onEvent({ kind: 'reloaded', services: reloaded, milliseconds: performance.now() - began })
      checkTypes()
    }

    function checkTypes(): void {
      types.setServices(current.map(({ directory }) => directory))
      types.run()
    }

    const watching = watch({
      definition,
      output,
      onDefinition: () => enqueue(reloadDefinition),
      onServices: (directories) => enqueue(() => reloadServices(directories)),
      onError: (error) => problem(`A change may go unnoticed: ${error.message}`),
    })
    await opened.add(watching.close)
    watching.setServices(current.map(({ directory }) => directory))
    checkTypes()
  }
}
