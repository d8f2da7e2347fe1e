import type { Authentication, Service } from '../../model/platform.ts'
import type { YamlObject } from '../kit/yaml.ts'
import { type Pace, healthCheck } from './health.ts'
import { restrictions } from './restrictions.ts'

/** Memory of a service in MiB, beside what its bodies take. */
const BASE_MEMORY = 384
/** Times its size that a body takes while it is read, parsed and stored, several at once. */
const BODY_FACTOR = 16
const MIB = 1 << 20
/** Until a service is ready it waits for its database and runs setup.ts. */
const START_PERIOD_S = 120
/** More than the 10 s that a service lets requests finish in. */
const STOP_S = 15

/** A service of compose.yaml: the platform's network, its database's socket, and secrets of its own. */
export function codeService(deployment: Service | Authentication, pace: Pace): YamlObject {
  const { directory, databaseDirectory } = deployment
  return {
    build: `./${directory}`,
    labels: { 'portico.role': 'service', 'portico.path': deployment.path },
    environment: {
      DATABASE_SOCKET_DIRECTORY: '/run/postgresql',
      DATABASE_PASSWORD_FILE: '/run/secrets/database-password',
      LOG_LEVEL: `\${LOG_LEVEL:-info}`,
    },
    volumes: [
      {
        type: 'volume',
        source: `${databaseDirectory}-socket`,
        target: '/run/postgresql',
        read_only: true,
        volume: { nocopy: true },
      },
      { type: 'volume', source: `${directory}-secrets`, target: '/run/secrets', read_only: true },
    ],
    depends_on: { [databaseDirectory]: { condition: 'service_healthy' } },
    healthcheck: healthCheck(pace, START_PERIOD_S),
    stop_grace_period: `${STOP_S}s`,
    ...restrictions({ memory: memory(deployment.maxBodyBytes), processes: 256 }),
  }
}

/** In MiB, a multiple of 128. */
function memory(maxBodyBytes: number): number {
  return Math.ceil((BASE_MEMORY + (BODY_FACTOR * maxBodyBytes) / MIB) / 128) * 128
}
