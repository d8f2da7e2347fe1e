import { deployments } from '../../model/deployments.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../kit/templates.ts'

/** What the images of services and of the gateway are built from, whatever runs them. */
export function emitImages(platform: Platform): GeneratedFile[] {
  return [
    generated('Dockerfile', readTemplate('images/Dockerfile')),
    generated('.dockerignore', dockerignore(platform)),
    ...['Dockerfile', 'start.sh', 'configure.sh'].map((name) =>
      generated(`gateway/${name}`, readTemplate(`images/gateway/${name}`)),
    ),
  ]
}

function generated(path: string, content: string): GeneratedFile {
  return { path, content, owner: 'generated' }
}

/** Names each directory, because the classic builder ignores patterns such as `!*-db/migrations`. */
function dockerignore(platform: Platform): string {
  const directories = deployments(platform).flatMap(({ directory, databaseDirectory }) => [
    `!${directory}/src`,
    `!${databaseDirectory}/migrations`,
  ])
  return `${[...BUILD_CONTEXT, ...directories].join('\n')}\n`
}

/** Secrets, tests and installed packages stay out of the build context. */
const BUILD_CONTEXT = [
  '# Only what images are built from.',
  '*',
  '!package.json',
  '!package-lock.json',
  '!lib',
  '!gateway',
  '!api/openapi.json',
]
