import { codeBlock } from '../docs/markdown.ts'
import type { ReadmeTexts } from '../target.ts'
import { hookExample } from './hook-example.ts'

/** What the README of a project says about services in TypeScript. */
export const README: ReadmeTexts = {
  language: 'TypeScript',
  standalone: ({ platform: { services, authentication } }) => {
    const [service] = services
    if (service === undefined) return []
    const { directory, databaseDirectory } = service
    const isAuthenticated = authentication !== undefined
    const credentials = isAuthenticated
      ? 'GATEWAY_CREDENTIALS_FILE=.portico/dev/gateway-credentials.json '
      : ''
    return [
      `To run one service by itself, you need Node.js 24 (24.16 or later) or 26.1 or later${isAuthenticated ? ', an empty Postgres database, and the credentials that verify tokens, which `portico dev` writes' : ' and an empty Postgres database'}:`,
      codeBlock('sh', [
        'npm ci',
        'export DATABASE_URL=postgres://<role>:<password>@localhost:5432/<database>',
        `node lib/migrate.ts ${directory} ${databaseDirectory}`,
        `${credentials}node ${directory}/src/main.ts`,
      ]),
    ]
  },
  testing: [
    'Check types and lint rules, and run the tests of all services, which create databases on a Postgres server:',
    codeBlock('sh', [
      'npm ci',
      'npm run check',
      'TEST_DATABASE_URL=postgres://<role>:<password>@localhost:5432/postgres npm test',
    ]),
  ],
  customCode: ({ platform }) => {
    const example = hookExample(platform)
    return [
      'These files in each service are yours: `src/setup.ts` registers hooks and custom routes, `src/datastore.ts` adds queries, `src/settings.ts` declares environment variables, and `test/` has the tests, which `npm test` runs. Portico creates them once and never overwrites them. `src/hooks.ts` declares all hooks of the service and their parameters.',
      ...(example === undefined
        ? []
        : [`For example, in \`${example.service.directory}/src/setup.ts\`:`, codeBlock('ts', example.lines)]),
      ...(platform.authentication === undefined
        ? []
        : [
            '`env.datastore` does not check access. Routes check it with `env.access.requireReadable(id, caller)` and `env.access.requireWritable(id, caller)`.',
          ]),
    ]
  },
  libraries: 'You can add packages to `package.json`.',
  merged: 'your dependencies and scripts in `package.json`',
  configurationFile: 'src/config.ts',
  metricsFile: 'src/metrics.ts',
  roles: (directory) =>
    `in \`${directory}/src/setup.ts\` (\`input.roles\` in \`beforeRegister\`, \`env.datastore.updateRoles(id, roles)\`)`,
  authenticationVariables: [
    '`PASSWORD_THREADS`: threads that hash passwords (default 0: one less than the number of processors, at most 4)',
    '`PASSWORD_QUEUE`: passwords that may wait to be hashed, for at most 30 s (default 256)',
  ],
}
