import { ADMIN_PORT } from '../gateway/envoy-names.ts'

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

/** The server listens on its network. Its log omits statements and values of rows. */
export const POSTGRES_COMMAND = [
  'postgres',
  ...['listen_addresses=*', 'log_error_verbosity=terse', 'log_min_error_statement=panic'].flatMap(
    (setting) => ['-c', setting],
  ),
]

/** The environment of a database: what it creates when it starts for the first time. */
export function postgresEnvironment(database: string): Record<string, string> {
  return {
    POSTGRES_DB: database,
    POSTGRES_PASSWORD_FILE: `${SECRETS_PATH}/admin-password`,
    POSTGRES_INITDB_ARGS: '--auth-local=scram-sha-256 --auth-host=scram-sha-256',
    SERVICE_ROLE: database,
    SERVICE_PASSWORD_FILE: `${SECRETS_PATH}/database-password`,
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
