import { type YamlObject, onOneLine } from '../kit/yaml.ts'

/** What a container may use at most. */
export interface Limits {
  /** In MiB. Containers that would take more are ended. */
  readonly memory: number
  /** Processes and threads. */
  readonly processes: number
}

/** Log files of a container: three of 10 MB at most. */
const LOGGING = { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } }

/**
 * What holds for every container: no capabilities, no way to get any, a file system that cannot be written to
 * but for a small `/tmp`, bounded memory, processes and logs, and a first process that ends the others.
 */
export function restrictions({ memory, processes }: Limits): YamlObject {
  return {
    read_only: true,
    tmpfs: ['/tmp:size=64m,mode=1777,noexec,nosuid,nodev'],
    cap_drop: onOneLine(['ALL']),
    security_opt: onOneLine(['no-new-privileges:true']),
    mem_limit: `${memory}m`,
    // Without swap: a database or a service that swaps is as good as down, but does not say so.
    memswap_limit: `${memory}m`,
    pids_limit: processes,
    init: true,
    restart: 'unless-stopped',
    logging: LOGGING,
  }
}
