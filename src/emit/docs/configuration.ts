import { DEFAULT_JOBS } from '../../model/capacity.ts'
import { deployedServices } from '../../model/deployed-services.ts'
import type { Authentication, Platform, ServiceTarget } from '../../model/platform.ts'
import { listed } from '../../naming.ts'
import { hasQueue } from '../database/jobs.ts'
import { targetOf, usedTargets } from '../targets.ts'
import { paragraphs, table } from './markdown.ts'

/** The environment variables of all services, with their defaults. */
export function configurationSection(platform: Platform): string {
  const { authentication, services, metrics } = platform
  const files = usedTargets(platform).map(({ target }) => target.readme.configurationFile)
  const rows = [
    [
      '`HOST`, `PORT`, `INTERNAL_PORT`',
      '`0.0.0.0`, 8080, 8081',
      'Address and ports. `PORT` is for clients, `INTERNAL_PORT` for health checks and other services',
    ],
    ...(metrics === undefined ? [] : [['`METRICS_PORT`', '8082', 'Port of `/metrics`']]),
    [
      '`DATABASE_URL`',
      "the service's own database",
      'URL of the database: `postgres://role@host:port/database`',
    ],
    [
      '`DATABASE_POOLER`, `DATABASE_DIRECT_URL`',
      'none',
      '`transaction` if `DATABASE_URL` is that of a pooler such as PgBouncer in this mode, and the URL of the database itself, for migrations and the readiness check',
    ],
    ['`DATABASE_PASSWORD_FILE`', 'none', 'File with the password of the database role'],
    [
      '`DATABASE_POOL_SIZE`',
      '10',
      'Maximum number of database connections. Deployments set it to what the memory of the database allows',
    ],
    [
      '`DATABASE_CONNECT_TIMEOUT_MS`',
      '2000',
      'How long a request waits for a free connection of the pool, or a new one, in milliseconds. The client gets 503 after that',
    ],
    [
      '`DATABASE_STATEMENT_TIMEOUT_MS`',
      '4000',
      'How long a statement may take, in milliseconds. The client gets 503 after that',
    ],
    [
      '`DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS`',
      '10000',
      'How long a transaction may wait for its next statement, such as during a hook, in milliseconds. The client gets 503 after that',
    ],
    [
      '`DATABASE_IDLE_TIMEOUT_MS`',
      '60000',
      'How long a connection stays in the pool without use, in milliseconds',
    ],
    ...(deployedServices(platform).every(({ calls }) => calls.length === 0)
      ? []
      : [
          [
            '`SERVICE_TIMEOUT_MS`',
            '2000',
            'How long a call of another service may take with all attempts, in milliseconds. The client gets 503 after that',
          ],
        ]),
    ...(services.every((service) => !hasQueue(service))
      ? []
      : [
          [
            '`JOBS`',
            String(DEFAULT_JOBS),
            'How many jobs run at a time in each replica of a service with jobs, from 0 to 100. They take as many database connections, and one more, besides `DATABASE_POOL_SIZE`',
          ],
        ]),
    ['`MAX_BODY_BYTES`', 'see below', 'Maximum size of a request body, in bytes'],
    [
      '`MAX_BODY_BYTES_IN_FLIGHT`',
      'a sixteenth of the memory limit',
      'Maximum size of all request bodies that are handled at the same time, in bytes. One body is always accepted. A body needs up to 16 times its size, so the memory limit of a service grows with its largest body',
    ],
    [
      '`MAX_UNSENT_BYTES`',
      'an eighth of the memory limit',
      'Maximum size of what clients have not received of all responses, in bytes. Above it, the service closes the connections that have been waiting longest',
    ],
    ['`LOG_LEVEL`', '`info`', 'Minimum level of log messages: `debug`, `info`, `warn` or `error`'],
    [
      '`OTEL_EXPORTER_OTLP_ENDPOINT`',
      'none',
      'Where traces are sent: the URL of an OpenTelemetry collector, such as `http://collector:4318`',
    ],
    [
      '`OTEL_TRACES_SAMPLER_ARG`',
      '1',
      'The fraction of traces that are recorded, from 0 to 1. A request that continues a trace is recorded if the trace is',
    ],
    [
      '`DRAIN_MS`',
      '2000',
      'How long requests are still accepted after SIGTERM, in milliseconds, until the gateway stops sending them',
    ],
    [
      '`SHUTDOWN_TIMEOUT_MS`',
      '10000',
      'How long open requests may take to finish after that, in milliseconds',
    ],
  ]
  if (authentication !== undefined && authentication.readers.length > 0)
    rows.push([
      '`SERVICE_KEYS_DIRECTORY`',
      '`/run/secrets`',
      `Directory with the keys of services that read accounts, in files such as \`${authentication.readers[0] ?? ''}.${authentication.directory}.key\`, one per line: 32 bytes in base64url, of which the first one signs`,
    ])
  if (authentication !== undefined)
    rows.push([
      '`GATEWAY_CREDENTIALS_FILE`',
      '`/run/secrets/gateway-credentials`',
      'File with the credentials that verify tokens, of which the first one signs: `{"credentials": [{"id": "<iss of its tokens>", "secret": "<32 bytes or more in base64url>"}]}`',
    ])
  return paragraphs(
    '## Configuration',
    `Services read these environment variables when they start (see ${listed(files, 'or')} in each service). If a value is invalid, the service logs an error and does not start.`,
    table(['Variable', 'Default', 'Description'], rows),
    table(
      ['Service', '`MAX_BODY_BYTES`', 'Additional variables'],
      [
        ...(authentication === undefined
          ? []
          : [
              [
                `\`${authentication.directory}\``,
                String(authentication.maxBodyBytes),
                authenticationVariables(authentication),
              ],
            ]),
        ...services.map(({ directory, maxBodyBytes, calls }) => [
          `\`${directory}\``,
          String(maxBodyBytes),
          calls.map(urlText).join(', '),
        ]),
      ],
    ),
  )
}

/** An example of the variable `AUTH_ROLES`, with all roles. */
export function rolesExample({ roles }: Authentication): string {
  return roles.map((role) => `${role}=<id>,<id>`).join(';')
}

function authenticationVariables(authentication: Authentication): string {
  const { roles } = authentication
  return [
    ...(roles.length === 0
      ? []
      : [
          `\`AUTH_ROLES\`: roles of users, in addition to the stored ones, by the \`id\` in their tokens (default none): \`${rolesExample(authentication)}\``,
        ]),
    '`TOKEN_LIFETIME_MINUTES`: how long a token is valid, in minutes, at most 43200 (default 1440). A token that a rotated credential has signed is valid for at most 24 hours after the rotation',
    '`BCRYPT_COST`: logarithm of the work to hash a password, from 10 to 15 (default 10). Each step doubles the time. Existing hashes keep theirs until the password changes',
    ...targetOf(authentication).readme.authenticationVariables,
    '`PASSWORD_QUEUE_TIMEOUT_MS`: how long a password may wait to be hashed, in milliseconds (default 30000)',
    ...authentication.calls.map(urlText),
    '`TRUSTED_PROXIES`: number of proxies in front of the gateway that add the address of the client to `X-Forwarded-For` (default 0)',
  ].join('; ')
}

function urlText({ urlVariable, url }: ServiceTarget): string {
  return `\`${urlVariable}\` (default \`${url}\`)`
}
