import { type YamlObject, flow } from '../codegen/yaml.ts'

/** Resource limits of a container. */
export interface ResourceLimits {
  /** In MiB. Containers that exceed it are killed. */
  readonly memory: number
  /** Maximum number of processes and threads. */
  readonly processes: number
}

/** At most three log files of 10 MB per container. */
const LOGGING = { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } }

/**
 * Settings of every container: no capabilities and no way to gain any, a read-only file system except for a small
 * `/tmp`, limits on memory, processes and logs, and an init process.
 */
export function containerHardening({ memory, processes }: ResourceLimits): YamlObject {
  return {
    read_only: true,
    tmpfs: ['/tmp:size=64m,mode=1777,noexec,nosuid,nodev'],
    cap_drop: flow(['ALL']),
    security_opt: flow(['no-new-privileges:true']),
    mem_limit: `${memory}m`,
    // No swap: a container that swaps is too slow to be useful but still appears healthy.
    memswap_limit: `${memory}m`,
    pids_limit: processes,
    init: true,
    restart: 'unless-stopped',
    logging: LOGGING,
  }
}

/** Mounts the secrets of a container. */
export function secretsMount(directory: string, target: string): YamlObject {
  return mount(`./.secrets/${directory}`, target)
}

/** Mounts a directory of the project, or a file that is never replaced by a rename. */
export function mount(source: string, target: string): YamlObject {
  return {
    type: 'bind',
    source,
    target,
    read_only: true,
    // For systems with SELinux.
    bind: flow({ selinux: 'z' }),
  }
}

/** Intervals of health checks, in seconds. */
export interface HealthCheckIntervals {
  readonly interval: number
  /** Interval while a container starts. */
  readonly startInterval: number
}

const MIN_INTERVAL_S = 15
/** Each check starts a process, which takes a tenth of a second of one core, so their number is limited. */
const MAX_CHECKS_PER_SECOND = 5
const MAX_CHECKS_PER_SECOND_AT_START = 50

/** The intervals for a number of containers: at most 5 checks per second in total, 50 while containers start. */
export function healthCheckIntervals(containers: number): HealthCheckIntervals {
  return {
    interval: Math.max(MIN_INTERVAL_S, Math.ceil(containers / MAX_CHECKS_PER_SECOND)),
    startInterval: Math.ceil(containers / MAX_CHECKS_PER_SECOND_AT_START),
  }
}

/**
 * A health check. Without `test`, the image's own is used. During the first `startPeriod` seconds, failed checks do
 * not count.
 */
export function healthCheck(
  intervals: HealthCheckIntervals,
  startPeriod: number,
  test?: readonly string[],
): YamlObject {
  return {
    ...(test === undefined ? {} : { test: flow(test) }),
    interval: `${intervals.interval}s`,
    timeout: '3s',
    retries: 3,
    start_period: `${startPeriod}s`,
    start_interval: `${intervals.startInterval}s`,
  }
}
