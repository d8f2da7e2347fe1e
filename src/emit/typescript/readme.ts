import { serviceKeyFiles } from '../../model/deployed-services.ts'
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
    const keys =
      serviceKeyFiles(service).length === 0 ? '' : 'SERVICE_KEYS_DIRECTORY=.portico/dev/service-keys '
    const credentials = isAuthenticated
      ? `GATEWAY_CREDENTIALS_FILE=.portico/dev/gateway-credentials.json ${keys}`
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
    'Check types and lint rules, and run the tests of all services. They start a Postgres of their own; `TEST_DATABASE_URL` names another server, with a role that may create databases:',
    codeBlock('sh', ['npm ci', 'npm run check', 'npm test']),
  ],
  customFiles:
    'These files in each service are yours: `src/setup.ts` registers hooks and custom routes, `src/datastore.ts` adds queries, `src/settings.ts` declares environment variables, and `test/` has the tests, which `npm test` runs. Portico creates them once and never overwrites them. `src/hooks.ts` declares all hooks of the service and their parameters.',
  example: ({ platform }) => {
    const example = hookExample(platform)
    if (example === undefined) return []
    return [`For example, in \`${example.service.directory}/src/setup.ts\`:`, codeBlock('ts', example.lines)]
  },
  accessChecks:
    '`env.datastore` does not check access and runs no hooks. Where not every user may do everything, `env.datastore.as(caller)` sees and changes only what the caller may. Routes can also check access with `env.access.requireReadable(id, caller)` and `env.access.requireWritable(id, caller)`, where `caller` is `c.var.caller`.',
  rules: [
    'A hook rejects a request with `throw new HookError(status, message)`. The message of any other error does not reach the client, who gets 500.',
    'In a hook, use the `env` that it gets: its statements belong to the transaction of the request. Mail, payments and other effects belong in `env.afterCommit(() => ...)`, because a transaction can be rolled back, or run again.',
    'The update methods of `env.datastore` write all attributes that clients send. To change one, add a query to `src/datastore.ts`.',
    'A service reaches only its own database. It calls the others with `env.comm`, which has those that its attributes refer to and those in `#uses[...]` of the definition.',
    'Log with `env.log`, and never what users send, tokens or passwords.',
    'Imports end in `.ts`. Node.js strips the types, so enums, namespaces and parameter properties do not work.',
  ],
  shared: () => ({
    language: 'ts',
    code: "import { withTax } from '#shared/prices.ts'",
    tests:
      '`npm run check` checks it, and `npm test` runs the tests in `shared/test/`, whose names end in `.test.ts`.',
  }),
  libraries: 'You can add packages to `package.json`.',
  merged: 'your dependencies and scripts in `package.json`',
  configurationFile: 'src/config.ts',
  metricsFile: 'src/metrics.ts',
  roles: (directory) =>
    `in \`${directory}/src/setup.ts\` (\`input.roles\` in \`beforeRegister\`, \`env.datastore.updateRoles(id, roles)\`)`,
  authenticationVariables: [
    '`PASSWORD_THREADS`: threads that hash passwords (default 0: one less than the number of processors, at most 4)',
    '`PASSWORD_QUEUE`: passwords that may wait to be hashed (default 256)',
  ],
}
