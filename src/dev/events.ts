import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { AnsweredRequest } from './gateway/gateway.ts'
import type { ServiceLine } from './service-log.ts'

/** What a platform tells while it starts and runs. Nothing of it is needed to run one. */
export type PlatformEvent =
  /** What a long step is at. */
  | { readonly kind: 'progress'; readonly text: string }
  /** A sentence: something went on, or went wrong. `service` is the directory of the one that it is about. */
  | { readonly kind: 'notice' | 'problem'; readonly service: string | undefined; readonly text: string }
  | { readonly kind: 'line'; readonly service: string; readonly line: ServiceLine }
  | { readonly kind: 'request'; readonly request: AnsweredRequest }
  /** How a service is, after each change. */
  | { readonly kind: 'health'; readonly service: string; readonly health: Health }
  /** What there is to say of the definition, after each reading of it. */
  | { readonly kind: 'checked'; readonly text: string; readonly diagnostics: readonly Diagnostic[] }
  /** Type errors in the project's files, after each check that found others than the last one. */
  | { readonly kind: 'types'; readonly errors: readonly TypeError[] }
  /** The platform runs on with a changed definition or changed code. */
  | Reloaded

/** Services that were started or replaced, and those that the definition has no more. */
export interface Reloaded {
  readonly kind: 'reloaded'
  readonly services: readonly string[]
  readonly stopped: readonly string[]
  readonly milliseconds: number
}

/** What a reload came to: `Reloaded home, stay; stopped review`. */
export function reloadText({ services, stopped }: Reloaded): string {
  const parts = [
    ...(services.length === 0 ? [] : [`reloaded ${services.join(', ')}`]),
    ...(stopped.length === 0 ? [] : [`stopped ${stopped.join(', ')}`]),
  ]
  const text = parts.length === 0 ? 'nothing to restart' : parts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A service runs, is about to, sleeps until it is asked for, or does not start or crashed. */
export type Health = 'running' | 'starting' | 'asleep' | 'down'

/** A type error in a file of the project. */
export interface TypeError {
  /** Relative to the output directory. */
  readonly file: string
  /** Both count from 1. */
  readonly line: number
  readonly column: number
  /** `TS2322` */
  readonly code: string
  readonly message: string
}

/** Takes events as they happen. */
export type OnEvent = (event: PlatformEvent) => void
