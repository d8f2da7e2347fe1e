import type { Platform, ServiceTarget } from '../../model/platform.ts'
import { paragraphs, table } from './markdown.ts'

/** The environment variables of all services, and their defaults. */
export function configurationSection({ authentication, services }: Platform): string {
  const rows = [
    [
      '`HOST`, `PORT`, `INTERNAL_PORT`',
      '`0.0.0.0`, 8080, 8081',
      'where it listens: clients, and the platform',
    ],
    ['`DATABASE_URL`', 'its own database', '`postgres://role@host:port/database`'],
    [
      '`DATABASE_SOCKET_DIRECTORY`',
      'none',
      "directory of the database's Unix socket, in place of host and port",
    ],
    ['`DATABASE_PASSWORD_FILE`', 'none', "file that holds the role's password"],
    ['`DATABASE_POOL_SIZE`', '10', 'connections to the database'],
    ['`MAX_BODY_BYTES`', 'see below', 'largest body of a request'],
    ['`LOG_LEVEL`', '`info`', '`debug`, `info`, `warn` or `error`'],
    ['`SHUTDOWN_TIMEOUT_MS`', '10000', 'time that requests may still take on SIGTERM'],
  ]
  if (authentication !== undefined)
    rows.push([
      '`GATEWAY_CREDENTIALS_FILE`',
      '`/run/secrets/gateway-credentials`',
      'file of what tokens are checked with',
    ])
  return paragraphs(
    '## Configuration',
    'Every service reads these environment variables once, when it starts; `src/config.ts` in its directory is where. A value that cannot be is named, and the service does not start.',
    table(['variable', 'default', 'meaning'], rows),
    table(
      ['service', '`MAX_BODY_BYTES`', 'variables of its own'],
      [
        ...(authentication === undefined
          ? []
          : [
              [
                `\`${authentication.directory}\``,
                String(authentication.maxBodyBytes),
                '`PASSWORD_THREADS` (0: one for each processor but one, up to four), `PASSWORD_QUEUE` (256 may wait)',
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

function urlText({ names, directory, internalPort }: ServiceTarget): string {
  return `\`${names.snake.toUpperCase()}_INTERNAL_URL\` (\`http://${directory}:${internalPort}\`)`
}
