import { hasQueue } from '../database/jobs.ts'
import { readTemplate } from '../codegen/templates.ts'
import type { Target } from '../target.ts'
import { authenticationFiles } from './authentication.ts'
import { foreignClients } from './foreign-client.ts'
import { libFiles } from './lib-files.ts'
import { packageFiles } from './package-files.ts'
import { README } from './readme.ts'
import { serviceFiles } from './services.ts'

/** Services in TypeScript, on Node.js with Hono and Drizzle. */
export const TYPESCRIPT: Target = {
  serviceFiles,
  authenticationFiles,
  sharedFiles: (part, files) => {
    const clients = foreignClients(part)
    return [
      ...libFiles([...files, ...clients], part.platform.services.some(hasQueue) ? ['job-admin.ts'] : []),
      ...clients,
      ...packageFiles(part),
      { path: 'Dockerfile', content: readTemplate('typescript/images/Dockerfile'), owner: 'generated' },
    ]
  },
  image: {
    dockerfile: 'Dockerfile',
    variables: [],
    // The user that the image calls `node`.
    user: 1000,
    sharedContext: ['package.json', 'package-lock.json', '.npmrc', 'lib', 'shared'],
    serviceContext: ({ directory }) => [`${directory}/src`],
    migrations: ['node', '--import', './lib/env-file.ts', 'lib/migrate.ts'],
    jobs: ({ directory }) => ['node', '--import', './lib/env-file.ts', 'lib/job-admin.ts', directory],
  },
  ignored: ['node_modules/'],
  // A body is received, joined, decoded, parsed and sent to the database, while others arrive.
  memory: { base: 384, bodyFactor: 16 },
  isModule: false,
  panels: (selector) => [
    {
      title: 'Event loop lag',
      unit: 's',
      targets: {
        p50: `max(nodejs_eventloop_lag_p50_seconds{${selector}})`,
        p99: `max(nodejs_eventloop_lag_p99_seconds{${selector}})`,
      },
    },
  ],
  readme: README,
}
