import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { GeneratedFile } from '../emit/contract.ts'
import type { Language } from '../model/platform.ts'
import { readEnvFile } from '#lib/env-file.ts'
import type { Databases } from './databases.ts'
import type { OnEvent } from './events.ts'
import { type InternalAddress, openInternalAddress } from './internal-address.ts'
import type { ServiceInstance, StartFailure } from './service-instance.ts'
import { serviceKeys } from './service-keys.ts'
import type { ServiceSpec } from './service-specs.ts'
import type { StartService } from './target.ts'
import { devTargetOf } from './targets.ts'
import { createServiceSupervisor, type ServiceSupervisor } from './service-supervisor.ts'
import { hasCompiledServices } from './state-directory.ts'
import { createTurns } from './turns.ts'

/** All services of a running platform. */
export interface Services {
  /** The API of a service: see ServiceSupervisor. `undefined` for an unknown service. */
  service(directory: string): Dispatcher | Promise<Dispatcher | undefined> | undefined
  /**
   * Runs exactly these services: starts new ones (or leaves them idle if there are many), reloads changed ones and
   * stops the others. Of the `migrated` ones, whose database the previous code does not know, the previous version
   * stops before the new one is ready. The signal of a service cancels its start, which is not reported.
   */
  apply(
    specs: readonly ServiceSpec[],
    migrated?: ReadonlySet<string>,
    signalOf?: (directory: string) => AbortSignal | undefined,
  ): Promise<ServiceChanges>
  /**
   * Makes requests of the gateway to these services wait until the returned function is called. Resolves when those
   * under way have finished, or after a second.
   */
  hold(directories: readonly string[]): Promise<() => void>
  /** Reloads one service from its files: see ServiceSupervisor. */
  reload(directory: string, signal?: AbortSignal): Promise<boolean>
  /** Stops all services. Requests under way get at most this long (ms). */
  stop(milliseconds: number): Promise<void>
}

/** What has become of services, by their directories. */
export interface ServiceChanges {
  readonly changed: readonly string[]
  /** Those of the changed ones that did not start, or not with the change. */
  readonly failed: readonly string[]
  readonly removed: readonly string[]
}

/** What running services takes. */
export interface ServicesOptions {
  readonly output: string
  readonly stateDirectory: string
  readonly databases: Databases
  /** The files of the project. */
  readonly files: () => readonly GeneratedFile[]
  /** The file with the gateway's credentials; `undefined` without authentication. */
  readonly credentialsFile: () => string | undefined
  /** Origins of web pages that the gateway lets through. Default: none. */
  readonly corsOrigins?: readonly string[]
  readonly onEvent: OnEvent
}

/** A platform of up to this many services starts them all; services of a larger one start at their first request. */
const EAGER_START_LIMIT = 16
/**
 * How many services of a new project start at a time, because each would compile what the first ones have compiled.
 * One more than there are processors, because a start also waits for the database.
 */
const FIRST_STARTS = availableParallelism() + 1
/** How long a service that is not ready may hold up the start of another one, in ms. */
const MAX_TURN_MS = 1000
/** The maximum number of services that run at a time (about 30 MB each). The least recently used are suspended. */
const MAX_RUNNING = 48
/** A service used this recently is not suspended, in ms. */
const MIN_IDLE_MS = 5000
/** How long a service may take to finish before it is suspended, in ms. */
const SUSPEND_MS = 5000
/** Connections per service. Postgres uses some MB for each, and a developer's machine has one user. */
const POOL_SIZE = { few: 8, many: 3 } as const
/** Jobs per service, unless its `.env` says otherwise. One more connection renews their leases. */
const JOBS = 2
/** How long jobs may take to finish, in ms: less than STOP_MS, so that those that do not are given back. */
const SHUTDOWN_TIMEOUT_MS = 200
const STOP_MS = 1000
/** How long a start from files of another definition waits for that definition, in ms. */
const OTHER_SCHEMA_MS = 2000
/** Additional time for threads to end, in ms. */
const TERMINATION_MS = 200

/** How many connections this many services may open together. */
export function maxConnections(services: number): number {
  // Some services run twice while they are replaced.
  return (services + 4) * (poolSize(services) + JOBS + 1)
}

function poolSize(services: number): number {
  return services > EAGER_START_LIMIT ? POOL_SIZE.many : POOL_SIZE.few
}

/** Creates an empty set of services. */
export function createServices(options: ServicesOptions): Services {
  const { output, onEvent } = options
  const supervisors = new Map<string, ServiceSupervisor>()
  const specs = new Map<string, ServiceSpec>()
  const addresses = new Map<string, Promise<InternalAddress>>()
  /** When each running service was last used, the least recent first. */
  const lastUses = new Map<string, number>()
  /** What requests to a service wait for while its database changes. */
  const holds = new Map<string, Promise<void>>()
  const runners = new Map<Language, StartService>()
  const isCompiled = hasCompiledServices(options.stateDirectory)
  const inTurn = createTurns(isCompiled ? EAGER_START_LIMIT : FIRST_STARTS, MAX_TURN_MS)

  function addressOf(directory: string): Promise<InternalAddress> {
    const known = addresses.get(directory)
    if (known !== undefined) return known
    const address = openInternalAddress(async () => use(directory)?.internalPort())
    addresses.set(directory, address)
    return address
  }

  /** Returns the supervisor of a service that is needed now. */
  function use(directory: string): ServiceSupervisor | undefined {
    const supervisor = supervisors.get(directory)
    if (supervisor === undefined) return undefined
    lastUses.delete(directory)
    lastUses.set(directory, Date.now())
    if (lastUses.size > MAX_RUNNING) suspendIdle()
    return supervisor
  }

  function suspendIdle(): void {
    for (const [directory, time] of lastUses) {
      if (lastUses.size <= MAX_RUNNING || Date.now() - time < MIN_IDLE_MS) return
      lastUses.delete(directory)
      void supervisors.get(directory)?.stop(SUSPEND_MS)
    }
  }

  const onProgress = (text: string): void => onEvent({ kind: 'notice', service: undefined, text })

  function runnerOf(language: Language): StartService {
    const known = runners.get(language)
    if (known !== undefined) return known
    const { stateDirectory, files, corsOrigins = [] } = options
    const runner = devTargetOf(language).createRunner({
      output,
      stateDirectory,
      files,
      corsOrigins,
      onProgress,
    })
    runners.set(language, runner)
    return runner
  }

  async function start(directory: string, signal: AbortSignal): Promise<ServiceInstance | StartFailure> {
    const spec = specs.get(directory)
    if (spec === undefined) return { failure: 'it is not part of the platform' }
    try {
      if (await isOfOtherSchema(spec)) {
        // A definition saved together with the files, as by `git checkout`, cancels this start.
        await delay(OTHER_SCHEMA_MS, undefined, { signal }).catch(() => {})
        return { failure: 'its files are for another database schema than that of the definition that runs' }
      }
      const run = runnerOf(spec.language)
      return await run(
        {
          directory,
          environment: environmentOf(spec),
          onLine: (line) => onEvent({ kind: 'line', service: directory, line }),
          onStall: (stalled) => onEvent(stallEvent(directory, stalled)),
        },
        signal,
      )
    } catch (error) {
      return { failure: error instanceof Error ? error.message : String(error) }
    }
  }

  /** Whether others than this process have written the files of a service: it would wait for their schema in vain. */
  async function isOfOtherSchema({ directory, schema }: ServiceSpec): Promise<boolean> {
    const naming = options
      .files()
      .filter((file) => file.path.startsWith(`${directory}/`) && file.content.includes(schema.hash))
    const contents = await Promise.all(
      naming.map((file) => readFile(path.join(output, file.path), 'utf8').catch(() => undefined)),
    )
    return contents.some((content) => content?.includes(schema.hash) === false)
  }

  /** The variables given to this process, those of the service's `.env`, and those of the platform, which win. */
  async function environmentOf({
    directory,
    schema,
    calls,
    keys,
  }: ServiceSpec): Promise<Record<string, string>> {
    const [url, ...targets] = await Promise.all([
      options.databases.ensure(schema),
      ...calls.map(async ([variable, target]) => [variable, (await addressOf(target)).url] as const),
    ])
    return definedValues({
      JOBS: String(JOBS),
      SHUTDOWN_TIMEOUT_MS: String(SHUTDOWN_TIMEOUT_MS),
      ...process.env,
      ...readEnvFile(path.join(output, directory, '.env')),
      HOST: '127.0.0.1',
      METRICS_PORT: '0',
      DRAIN_MS: '0',
      DATABASE_URL: url,
      DATABASE_PASSWORD_FILE: '',
      // Those of a deployment, which its readiness check would reach.
      DATABASE_POOLER: '',
      DATABASE_DIRECT_URL: '',
      DATABASE_POOL_SIZE: String(poolSize(specs.size)),
      GATEWAY_CREDENTIALS_FILE: options.credentialsFile(),
      ...(keys.length > 0 && { SERVICE_KEYS_DIRECTORY: await serviceKeys(options.stateDirectory, keys) }),
      ...Object.fromEntries(targets),
    })
  }

  function supervisorOf(directory: string): ServiceSupervisor {
    const known = supervisors.get(directory)
    if (known !== undefined) return known
    const supervisor = createServiceSupervisor((signal) => start(directory, signal), {
      onProblem: (text) => onEvent({ kind: 'problem', service: directory, text }),
      onHealth: (health) => onEvent({ kind: 'health', service: directory, health }),
    })
    supervisors.set(directory, supervisor)
    return supervisor
  }

  /** Returns whether the service is up to date. */
  async function applyOne(
    directory: string,
    change: { isNew: boolean; isMigrated: boolean },
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const supervisor = supervisorOf(directory)
    if (change.isMigrated) return supervisor.restart(STOP_MS, signal)
    if (!change.isNew) return supervisor.reload(signal)
    return specs.size > EAGER_START_LIMIT || inTurn(() => supervisor.start(signal))
  }

  function service(directory: string): ReturnType<Services['service']> {
    const held = holds.get(directory)
    if (held !== undefined) return held.then(() => service(directory))
    const own = use(directory)?.service()
    // A service waits two seconds for those that it calls. An idle one may need that to start: start them now.
    const calls = specs.get(directory)?.calls ?? []
    const starting = calls
      .map(([, target]) => use(target)?.service())
      .filter((each) => each instanceof Promise)
    return starting.length === 0 ? own : Promise.all(starting).then(() => own)
  }

  return {
    service,
    hold: async (directories) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      for (const directory of directories) holds.set(directory, promise)
      await Promise.all(directories.map(async (directory) => supervisors.get(directory)?.settle(STOP_MS)))
      return () => {
        for (const directory of directories) holds.delete(directory)
        resolve()
      }
    },
    apply: async (next, migrated = new Set(), signalOf = () => undefined) => {
      const wanted = new Set(next.map(({ directory }) => directory))
      const removed = [...supervisors.keys()].filter((directory) => !wanted.has(directory))
      const changed = next.filter(
        ({ directory, fingerprint }) => specs.get(directory)?.fingerprint !== fingerprint,
      )
      const known = new Set(specs.keys())
      for (const directory of removed) specs.delete(directory)
      for (const spec of next) specs.set(spec.directory, spec)
      const stopping = removed.map(async (directory) => {
        await supervisors.get(directory)?.stop(STOP_MS)
        supervisors.delete(directory)
      })
      const outcomes = await Promise.all(
        changed.map(({ directory }) => {
          const isNew = !known.has(directory)
          return applyOne(
            directory,
            { isNew, isMigrated: !isNew && migrated.has(directory) },
            signalOf(directory),
          )
        }),
      )
      await Promise.all(stopping)
      const directories = changed.map(({ directory }) => directory)
      return { changed: directories, failed: directories.filter((_, index) => !outcomes[index]), removed }
    },
    reload: async (directory, signal) => (await supervisors.get(directory)?.reload(signal)) ?? true,
    stop: async (milliseconds) => {
      const closing = [...addresses.values()].map(async (address) => (await address).close())
      const stopping = [...supervisors.values()].map((supervisor) => supervisor.stop(milliseconds))
      // A thread that does not end in time ends with the process.
      const timeout = new AbortController()
      await Promise.race([
        Promise.all([...closing, ...stopping]),
        delay(milliseconds + TERMINATION_MS, undefined, { signal: timeout.signal }).catch(() => {}),
      ])
      timeout.abort()
    },
  }
}

function definedValues(variables: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function stallEvent(service: string, stalled: boolean): Parameters<OnEvent>[0] {
  return stalled
    ? {
        kind: 'problem',
        service,
        text: 'Not responding. Its code may contain an infinite loop. Other services are not affected.',
      }
    : { kind: 'notice', service, text: 'Responding again' }
}
