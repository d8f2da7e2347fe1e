import { readTemplate } from '../../src/emit/codegen/templates.ts'
import { serviceMemory } from '../../src/emit/targets.ts'
import type { DeployedService } from '../../src/model/deployed-services.ts'

const MIB = 1 << 20
const ALLOCATOR = 'MALLOC_MMAP_THRESHOLD_'

/** How a service runs in its container. */
export interface InContainer {
  /** The memory limit of the container in bytes. */
  readonly limit: number
  /** Variables that give a service outside of a container the same heap, pool and limit of bodies. */
  readonly environment: Readonly<Record<string, string>>
}

/** Returns the settings of a service in its container. */
export function inContainer(deployed: DeployedService): InContainer {
  const memory = serviceMemory(deployed)
  const runtime = { typescript: nodeVariables, go: goVariables }[deployed.language]
  return {
    limit: memory * MIB,
    environment: {
      ...runtime(memory),
      DATABASE_POOL_SIZE: String(deployed.connections),
      MAX_BODY_BYTES_IN_FLIGHT: String((memory * MIB) / 16),
      MAX_UNSENT_BYTES: String((memory * MIB) / 8),
    },
  }
}

/** The heap that Node derives from a memory limit in MiB, and the allocator of the image. */
function nodeVariables(memory: number): Record<string, string> {
  const old = Math.max(256, memory / 2)
  const young = 2 ** Math.ceil(Math.log2(old / 64))
  const [, threshold = ''] =
    new RegExp(`^ENV ${ALLOCATOR}=(.*)`, 'm').exec(readTemplate('typescript/images/Dockerfile')) ?? []
  return {
    NODE_OPTIONS: `--max-old-space-size=${old} --max-semi-space-size=${young}`,
    [ALLOCATOR]: threshold,
  }
}

/** The soft limit that a service in Go derives from a memory limit in MiB. */
function goVariables(memory: number): Record<string, string> {
  return { GOMEMLIMIT: `${Math.floor(memory * 0.9)}MiB` }
}
