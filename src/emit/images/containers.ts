import type { DatabaseServer, Sharing } from '../../model/database-servers.ts'
import { ADMIN_PORT } from '../gateway/envoy-names.ts'

/** The superuser of a server, and its own database. */
const SUPERUSER = 'postgres'
/** The file with the password of the superuser. */
export const ADMIN_PASSWORD = 'admin-password'
/** The file with the password of a service's role. */
export const DATABASE_PASSWORD = 'database-password'

/** The image of databases. */
export const POSTGRES_IMAGE = 'postgres:18.4'

/** The image of the gateway. */
export const ENVOY_IMAGE = 'envoyproxy/envoy:v1.40.0'

/** The images of `#metrics(prometheus)`. */
export const PROMETHEUS_IMAGE = 'prom/prometheus:v3.5.0'
export const GRAFANA_IMAGE = 'grafana/grafana:12.1.1'

/** The file that an image is built from if nothing else is said. */
export const DEFAULT_DOCKERFILE = 'Dockerfile'

/** The port of databases. */
export const POSTGRES_PORT = 5432

/** The user that the image of databases calls `postgres`. */
export const POSTGRES_USER = 999

/** The user that the image of Envoy calls `envoy`. */
export const ENVOY_USER = 101

/** Where containers find the files with their secrets. */
export const SECRETS_PATH = '/run/secrets'

/** Scripts that a database runs when it starts for the first time. */
export const INIT_SCRIPTS_PATH = '/docker-entrypoint-initdb.d'

/** Where in `SECRETS_PATH` create-databases.sh finds the password of the superuser. */
export const ADMIN_SECRETS = 'admin'

/** Where in `SECRETS_PATH` create-databases.sh finds the password of a database. */
export function databaseSecrets(database: string): string {
  return `databases/${database}`
}

/** The server listens on its network. Its log omits statements and values of rows. */
export function postgresCommand(sharing: Sharing | undefined): string[] {
  const settings = [
    'listen_addresses=*',
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...(sharing === undefined ? [] : [`max_connections=${sharing.maxConnections}`]),
  ]
  return ['postgres', ...settings.flatMap((setting) => ['-c', setting])]
}

/** The database that a server creates when it starts for the first time: those of a shared server follow later. */
export function initialDatabase({ services: [first], sharing }: DatabaseServer): string {
  return sharing === undefined && first !== undefined ? first.database : SUPERUSER
}

/** The environment of a server: what it creates when it starts for the first time. */
export function postgresEnvironment(server: DatabaseServer): Record<string, string> {
  const database = initialDatabase(server)
  return {
    POSTGRES_DB: database,
    POSTGRES_PASSWORD_FILE: `${SECRETS_PATH}/${ADMIN_PASSWORD}`,
    POSTGRES_INITDB_ARGS: '--auth-local=scram-sha-256 --auth-host=scram-sha-256',
    ...(server.sharing === undefined && {
      SERVICE_ROLE: database,
      SERVICE_PASSWORD_FILE: `${SECRETS_PATH}/${DATABASE_PASSWORD}`,
    }),
  }
}

/** The environment of create-databases.sh, without the names of the databases. `host` is that of the server. */
export function setupEnvironment(host: string, { connectionsPerService }: Sharing): Record<string, string> {
  return {
    PGHOST: host,
    ADMIN_PASSWORD_FILE: `${SECRETS_PATH}/${ADMIN_SECRETS}/${ADMIN_PASSWORD}`,
    CONNECTION_LIMIT: String(connectionsPerService),
  }
}

/** Checks whether a database accepts connections. During its first setup, it listens on no address. */
export function postgresCheck(database: string): string[] {
  return ['pg_isready', '-q', '-h', '127.0.0.1', '-d', database]
}

/** Checks whether Envoy is ready. It uses bash because the image contains no HTTP client. */
export const ENVOY_CHECK = [
  'bash',
  '-c',
  `exec 3<>/dev/tcp/127.0.0.1/${ADMIN_PORT} && printf 'GET /ready HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && grep -q ^LIVE <&3`,
]
