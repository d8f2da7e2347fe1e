import type { Deployment } from '../../model/platform.ts'
import { type YamlObject, commented, onOneLine } from '../kit/yaml.ts'
import { type Pace, healthCheck } from './health.ts'
import { POSTGRES_IMAGE } from './names.ts'
import { restrictions } from './restrictions.ts'

/** Time in seconds that the first start may take, which makes the cluster. */
const START_PERIOD_S = 120
/** Time in seconds to write what is in memory when it is told to stop. */
const STOP_S = 60
/** By socket and loopback alone. The log keeps no values of rows or statements, which errors quote otherwise. */
const SETTINGS = ['listen_addresses=127.0.0.1', 'log_error_verbosity=terse', 'log_min_error_statement=panic']
/** The image's account `postgres`. */
const USER = '999:999'

/**
 * The database of a service in compose.yaml. It has no network: its service reaches it through a socket in a
 * volume that nobody else mounts, and has to give a password there as well.
 */
export function databaseService(deployment: Deployment, pace: Pace): YamlObject {
  const { directory, databaseDirectory, database } = deployment
  return {
    image: POSTGRES_IMAGE,
    labels: { 'portico.role': 'database', 'portico.of': directory },
    user: USER,
    network_mode: 'none',
    command: onOneLine(['postgres', ...SETTINGS.flatMap((setting) => ['-c', setting])]),
    environment: {
      POSTGRES_DB: database,
      POSTGRES_PASSWORD_FILE: '/run/secrets/admin-password',
      // Else whoever reaches the socket would be let in as superuser.
      POSTGRES_INITDB_ARGS: '--auth-local=scram-sha-256 --auth-host=scram-sha-256',
      SERVICE_ROLE: database,
      SERVICE_PASSWORD_FILE: '/run/secrets/database-password',
    },
    // `z`: for systems whose SELinux keeps containers from files that are not labelled as theirs.
    volumes: [
      `${databaseDirectory}-data:/var/lib/postgresql`,
      `${databaseDirectory}-socket:/var/run/postgresql`,
      `${databaseDirectory}-secrets:/run/secrets:ro`,
      `./${databaseDirectory}/create-role.sh:/docker-entrypoint-initdb.d/create-role.sh:ro,z`,
      `./${databaseDirectory}/init.sql:/schema/init.sql:ro,z`,
    ],
    healthcheck: commented(
      'Asks by loopback, which the container shares with nobody: while the first start sets up the database,\nthe socket answers already.',
      healthCheck(pace, START_PERIOD_S, ['CMD', 'pg_isready', '-q', '-h', '127.0.0.1', '-d', database]),
    ),
    stop_grace_period: `${STOP_S}s`,
    ...restrictions({ memory: 512, processes: 256 }),
  }
}

/** Its volumes but that of its secrets. */
export function databaseVolumes({ databaseDirectory }: Deployment): readonly string[] {
  return [`${databaseDirectory}-data`, `${databaseDirectory}-socket`]
}
