import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Databases } from './databases.ts'
import type { Deployable } from './deployables.ts'
import type { OnEvent } from './events.ts'
import { installDependencies } from './install.ts'
import { type InternalAddress, openInternalAddress } from './internal-address.ts'
import { createServiceHost, type ServiceHost } from './service-host.ts'
import { type ServiceInstance, type StartFailure, startInstance } from './service-instance.ts'

/** All services of a platform that runs. */
export interface Services {
  /** A service's API: see ServiceHost. `undefined` where there is no such service. */
  service(directory: string): Dispatcher | Promise<Dispatcher | undefined> | undefined
  /**
   * Makes these the services that run: new ones are started (or, where there are many, sleep until they are
   * asked for), changed ones reloaded, others stopped. Gives the directories of those that were touched.
   */
  apply(deployables: readonly Deployable[]): Promise<string[]>
  /** Reloads one from its present files. */
  reload(directory: string): Promise<boolean>
  /** Ends one, so that nothing uses its database; it starts again at its next `apply` or request. */
  halt(directory: string): Promise<void>
  /** Ends all, giving what runs at most this long (ms). */
  stop(milliseconds: number): Promise<void>
}

/** What services need of their surroundings. */
export interface ServicesOptions {
  readonly output: string
  readonly compileCache: string
  readonly databases: Databases
  /** The file with the gateway's credentials, `undefined` without authentication. */
  readonly credentialsFile: () => string | undefined
  readonly onEvent: OnEvent
}

/** Up to this many services start at once with the platform; of more, each starts at its first request. */
const MOST_STARTED = 16
/** Of many services this many run at a time (some 30 MB each); beyond, those longest unused go to sleep. */
const MOST_RUNNING = 48
/** A service that was used this recently (ms) stays awake all the same. */
const RECENT_MS = 5000
/** What a service may take to finish before it sleeps, in ms. */
const SLEEP_MS = 5000
/** Connections that each service may open: Postgres spends some MB on each, and a laptop has one user. */
const POOL_SIZE = { few: 8, many: 3 } as const
const HALT_MS = 1000
/** What the end of a thread takes beyond what it was given, in ms. */
const OVERTIME_MS = 200

/** The connections that this many services may open together. */
export function connectionsOf(services: number): number {
  // Twice: while a service is replaced, it runs twice.
  return services * poolSize(services) + poolSize(services) * 4
}

function poolSize(services: number): number {
  return services > MOST_STARTED ? POOL_SIZE.many : POOL_SIZE.few
}

/** No services yet. */
export function createServices(options: ServicesOptions): Services {
  const { output, onEvent } = options
  const hosts = new Map<string, ServiceHost>()
  const present = new Map<string, Deployable>()
  const addresses = new Map<string, Promise<InternalAddress>>()
  /** When each running service was asked for last, the longest ago first. */
  const uses = new Map<string, number>()
  /** npm does not like company. */
  let installations: Promise<unknown> = Promise.resolve()

  function addressOf(directory: string): Promise<InternalAddress> {
    const known = addresses.get(directory)
    if (known !== undefined) return known
    const address = openInternalAddress(async () => use(directory)?.internalPort())
    addresses.set(directory, address)
    return address
  }

  /** The host of a service that is needed now. */
  function use(directory: string): ServiceHost | undefined {
    const host = hosts.get(directory)
    if (host === undefined) return undefined
    uses.delete(directory)
    uses.set(directory, Date.now())
    if (uses.size > MOST_RUNNING) putToSleep()
    return host
  }

  function putToSleep(): void {
    for (const [directory, time] of uses) {
      if (uses.size <= MOST_RUNNING || Date.now() - time < RECENT_MS) return
      uses.delete(directory)
      void hosts.get(directory)?.stop(SLEEP_MS)
    }
  }

  async function start(directory: string, signal: AbortSignal): Promise<ServiceInstance | StartFailure> {
    const deployable = present.get(directory)
    if (deployable === undefined) return { failure: 'it is not part of the platform' }
    try {
      const absolute = path.join(output, directory)
      const installation = installations.then(() =>
        installDependencies({
          directory: absolute,
          generated: deployable.generatedDependencies,
          onProgress: (text) => onEvent({ kind: 'notice', service: directory, text }),
          signal,
        }),
      )
      installations = installation.catch(() => {})
      const [failure, environment] = await Promise.all([installation, environmentOf(deployable)])
      if (failure !== undefined) return { failure }
      return await startInstance(
        {
          directory: absolute,
          environment,
          compileCache: options.compileCache,
          onLine: (line) => onEvent({ kind: 'line', service: directory, line }),
          onStall: (stalled) => onEvent(stallEvent(directory, stalled)),
        },
        signal,
      )
    } catch (error) {
      return { failure: error instanceof Error ? error.message : String(error) }
    }
  }

  async function environmentOf({ schema, calls }: Deployable): Promise<Record<string, string>> {
    const [url, ...targets] = await Promise.all([
      options.databases.ensure(schema),
      ...calls.map(async ([variable, directory]) => [variable, (await addressOf(directory)).url] as const),
    ])
    const credentialsFile = options.credentialsFile()
    return {
      HOST: '127.0.0.1',
      PORT: '0',
      INTERNAL_PORT: '0',
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: String(poolSize(present.size)),
      ...(credentialsFile === undefined ? {} : { GATEWAY_CREDENTIALS_FILE: credentialsFile }),
      ...Object.fromEntries(targets),
    }
  }

  function hostOf(directory: string): ServiceHost {
    const known = hosts.get(directory)
    if (known !== undefined) return known
    const host = createServiceHost((signal) => start(directory, signal), {
      onProblem: (text) => onEvent({ kind: 'problem', service: directory, text }),
      onHealth: (health) => onEvent({ kind: 'health', service: directory, health }),
    })
    hosts.set(directory, host)
    return host
  }

  async function applyOne(deployable: Deployable, isNew: boolean, startsNow: boolean): Promise<void> {
    const host = hostOf(deployable.directory)
    if (!isNew) await host.reload()
    else if (startsNow) await host.start()
  }

  return {
    service: (directory) => {
      const own = use(directory)?.service()
      // A service gives those that it asks two seconds, which one that sleeps may need to start: wake them now.
      const calls = present.get(directory)?.calls ?? []
      const starting = calls
        .map(([, target]) => use(target)?.service())
        .filter((each) => each instanceof Promise)
      return starting.length === 0 ? own : Promise.all(starting).then(() => own)
    },
    apply: async (deployables) => {
      const wanted = new Set(deployables.map(({ directory }) => directory))
      const gone = [...hosts.keys()].filter((directory) => !wanted.has(directory))
      const changed = deployables.filter(
        ({ directory, fingerprint }) => present.get(directory)?.fingerprint !== fingerprint,
      )
      const known = new Set(present.keys())
      for (const directory of gone) present.delete(directory)
      for (const deployable of deployables) present.set(deployable.directory, deployable)
      await Promise.all([
        ...gone.map(async (directory) => {
          await hosts.get(directory)?.stop(HALT_MS)
          hosts.delete(directory)
        }),
        ...changed.map((each) =>
          applyOne(each, !known.has(each.directory), deployables.length <= MOST_STARTED),
        ),
      ])
      return [...changed.map(({ directory }) => directory), ...gone]
    },
    reload: async (directory) => (await hosts.get(directory)?.reload()) ?? true,
    halt: async (directory) => {
      await hosts.get(directory)?.stop(HALT_MS)
      present.delete(directory)
    },
    stop: async (milliseconds) => {
      const closing = [...addresses.values()].map(async (address) => (await address).close())
      const stopping = [...hosts.values()].map((host) => host.stop(milliseconds))
      // Threads that do not end in time end with the process, or in their own.
      const impatience = new AbortController()
      await Promise.race([
        Promise.all([...closing, ...stopping]),
        delay(milliseconds + OVERTIME_MS, undefined, { signal: impatience.signal }).catch(() => {}),
      ])
      impatience.abort()
    },
  }
}

function stallEvent(service: string, stalled: boolean): Parameters<OnEvent>[0] {
  return stalled
    ? {
        kind: 'problem',
        service,
        text: 'does not answer: is there an endless loop in its code? The others run on.',
      }
    : { kind: 'notice', service, text: 'answers again' }
}
