import type { Violation } from './exchange.ts'
import type { HookResponse } from './hook-response.ts'
import type { CheckContext } from './check-context.ts'

/** A requirement of a platform and how to test it. */
export interface Check {
  /** The part of the platform: `Gateway`, `Auth`, `Home`, `Home.Photo`. */
  readonly group: string
  /** Checks of the same sequence run one after another. The name of their service. */
  readonly sequence: string
  /** The requirement: `only the creator can read (3 users)`. */
  readonly title: string
  /** Why the check is not possible on this platform; `undefined` if it is. */
  readonly skip: string | undefined
  /** Sends requests and compares the responses. Throws `ViolationError` or `SkipError`. The context is its own. */
  readonly run: (context: CheckContext) => Promise<void>
}

/** The result of a check. */
export interface CheckResult {
  readonly group: string
  readonly title: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why the check was skipped. */
  readonly reason: string | undefined
  /** The response of a hook because of which it was skipped. */
  readonly hook?: HookResponse
  /** Why the check failed. */
  readonly violation: Violation | undefined
}

/** The result of a run. */
export interface RunSummary {
  readonly results: readonly CheckResult[]
  readonly requests: number
}
