import type { Compilation } from '../compile.ts'
import type { LoggedRequest } from './gateway/gateway.ts'
import type { LogLine } from './service-log.ts'

/** What a platform reports while it starts and runs, for display only. */
export type PlatformEvent =
  /** The current step of a start. */
  | { readonly kind: 'progress'; readonly text: string }
  /** A message for the user. `service` is the directory of the service that it concerns. */
  | { readonly kind: 'notice' | 'problem'; readonly service: string | undefined; readonly text: string }
  | { readonly kind: 'line'; readonly service: string; readonly line: LogLine }
  | { readonly kind: 'request'; readonly request: LoggedRequest }
  /** The health of a service has changed. */
  | { readonly kind: 'health'; readonly service: string; readonly health: Health }
  | DefinitionChecked
  /** The type errors in the project have changed. */
  | { readonly kind: 'types'; readonly errors: readonly TypeCheckError[] }
  | PlatformReloaded

/** The definition was read and checked. */
export interface DefinitionChecked extends Pick<Compilation, 'result' | 'diagnostics'> {
  readonly kind: 'checked'
}

/** The platform runs a changed definition or changed code. */
export interface PlatformReloaded {
  readonly kind: 'reloaded'
  /** Directories of the services that were started or replaced. */
  readonly services: readonly string[]
  /** Directories of the services that the definition no longer has. */
  readonly stopped: readonly string[]
  /** Directories of the services that did not start with the change. Why was reported. */
  readonly failed: readonly string[]
  readonly milliseconds: number
}

/** Describes a reload: `Reloaded home, stay; stopped review`. */
export function reloadText({ services, stopped, failed }: PlatformReloaded): string {
  const parts = [
    ...(services.length === 0 ? [] : [`reloaded ${services.join(', ')}`]),
    ...(stopped.length === 0 ? [] : [`stopped ${stopped.join(', ')}`]),
    ...(failed.length === 0 ? [] : [`could not start ${failed.join(', ')}`]),
  ]
  const text = parts.length === 0 ? 'nothing to reload' : parts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What the user is told when a change cannot be applied. */
export const UNCHANGED = 'The platform keeps running unchanged'

/** The health of a service. An `idle` one starts at its next request; a `down` one could not start or crashed. */
export type Health = 'running' | 'starting' | 'idle' | 'down'

/** A type error in a file of the project. */
export interface TypeCheckError {
  /** Relative to the output directory. */
  readonly file: string
  /** Line and column count from 1. */
  readonly line: number
  readonly column: number
  /** `TS2322` */
  readonly code: string
  /** One line or, with details, several. */
  readonly message: string
}

/** Receives events as they happen. */
export type OnEvent = (event: PlatformEvent) => void
