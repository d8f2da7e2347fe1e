import { type YamlObject, onOneLine } from '../kit/yaml.ts'

/** How often containers are checked, in seconds. */
export interface Pace {
  readonly interval: number
  /** While they start; engines before 25 take `interval` then, too. */
  readonly startInterval: number
}

const MIN_INTERVAL_S = 15
/** Each check starts a process in the container, a tenth of a second of one core, so that many are spread out. */
const MAX_CHECKS_PER_SECOND = 5
const MAX_CHECKS_PER_SECOND_AT_START = 50

/** The pace for a number of containers: at most five checks a second in all, fifty while everything starts. */
export function intervals(containers: number): Pace {
  return {
    interval: Math.max(MIN_INTERVAL_S, Math.ceil(containers / MAX_CHECKS_PER_SECOND)),
    startInterval: Math.ceil(containers / MAX_CHECKS_PER_SECOND_AT_START),
  }
}

/**
 * A health check. `test` is Compose's, without it the image's is used; `startPeriod` is the time in seconds
 * that a container may take to start before a failed check counts.
 */
export function healthCheck(pace: Pace, startPeriod: number, test?: readonly string[]): YamlObject {
  return {
    ...(test === undefined ? {} : { test: onOneLine(test) }),
    interval: `${pace.interval}s`,
    timeout: '3s',
    retries: 3,
    start_period: `${startPeriod}s`,
    start_interval: `${pace.startInterval}s`,
  }
}
