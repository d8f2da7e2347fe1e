import { readTemplate } from '../codegen/templates.ts'
import type { Target } from '../target.ts'
import { authenticationFiles } from './authentication.ts'
import { clientFiles } from './clients.ts'
import { moduleFiles } from './module.ts'
import { platformFiles } from './platform-files.ts'
import { README } from './readme.ts'
import { serviceFiles } from './services.ts'

/** Services in Go, on the standard library and pgx. */
export const GO: Target = {
  serviceFiles,
  authenticationFiles,
  sharedFiles: (part) => [
    ...platformFiles(part),
    ...clientFiles(part),
    ...moduleFiles(part),
    { path: 'go.Dockerfile', content: readTemplate('go/Dockerfile'), owner: 'generated' },
  ],
  image: {
    dockerfile: 'go.Dockerfile',
    variables: ['TAGS'],
    // The user that the image calls `nonroot`.
    user: 65532,
    sharedContext: ['go.mod', 'go.sum', 'go.env', '.netrc', 'internal', 'shared'],
    serviceContext: ({ directory }) => [directory],
    migrations: ['/service', 'migrate'],
    jobs: () => ['/service', 'jobs'],
  },
  ignored: [],
  // A body is received, decoded and sent to the database, while others arrive.
  memory: { base: 128, bodyFactor: 16 },
  isModule: true,
  panels: (selector) => [
    {
      title: 'Goroutines',
      unit: 'short',
      targets: { goroutines: `sum(go_goroutines{${selector}})` },
    },
  ],
  readme: README,
}
