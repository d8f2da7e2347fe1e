import type { GeneratedFile } from '../emit/contract.ts'
import type { LogLine } from './service-log.ts'
import type { ServiceInstance, StartFailure } from './service-instance.ts'
import type { TypeCheck, TypeCheckOptions } from './type-check.ts'

/** How `dev` runs the services in one language. */
export interface DevTarget {
  /** Files and directories at the root of a project that its services share. */
  readonly shared: readonly string[]
  /** The files and directories of a service that it has to be reloaded for, besides its `.env`. */
  readonly sources: (directory: string) => readonly string[]
  /** The file of a service with the user's hooks and routes. */
  readonly setup: (directory: string) => string
  /** Throws PlatformError if the machine lacks what its services need. */
  readonly requireTools: () => void
  readonly createRunner: (options: RunnerOptions) => StartService
  /** Creates what checks the code of its services in the background. */
  readonly createCheck: (options: TypeCheckOptions) => TypeCheck
}

/** What running the services in one language takes. */
export interface RunnerOptions {
  /** The project's directory, absolute. */
  readonly output: string
  readonly stateDirectory: string
  /** The files of the project. */
  readonly files: () => readonly GeneratedFile[]
  /** Origins of web pages that the gateway lets through to services. */
  readonly corsOrigins: readonly string[]
  readonly onProgress: (text: string) => void
}

/** One start of a service. */
export interface ServiceStart {
  readonly directory: string
  /** Its environment variables, without those for its ports. */
  readonly environment: Promise<Readonly<Record<string, string>>>
  readonly onLine: (line: LogLine) => void
  /** The service stopped responding (true), or responds again (false). */
  readonly onStall: (stalled: boolean) => void
}

/** Installs or builds what a service needs and starts it. Resolves when it is ready, or with the reason why it failed. */
export type StartService = (
  start: ServiceStart,
  signal: AbortSignal,
) => Promise<ServiceInstance | StartFailure>
