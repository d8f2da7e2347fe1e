import { deployments } from '../../model/deployments.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../codegen/templates.ts'
import { ENVOY_IMAGE } from './containers.ts'

/**
 * What the images of services are built from, and the scripts of the gateway. Its files are in an image for Kubernetes.
 * Compose mounts them, so that they can change while it runs.
 */
export function emitImages(platform: Platform): GeneratedFile[] {
  return [
    generated('Dockerfile', readTemplate('typescript/images/Dockerfile')),
    generated('.dockerignore', dockerignore(platform)),
    ...['start.sh', 'configure.sh'].map((name) =>
      generated(`gateway/${name}`, readTemplate(`images/gateway/${name}`)),
    ),
    ...(platform.provider === 'kube' ? [generated('gateway/Dockerfile', GATEWAY_DOCKERFILE)] : []),
  ]
}

const GATEWAY_DOCKERFILE = `FROM ${ENVOY_IMAGE}
COPY --chown=101:101 gateway/start.sh gateway/configure.sh gateway/envoy.yaml api/openapi.json /etc/envoy/
USER 101:101
EXPOSE 10000
ENTRYPOINT ["bash", "/etc/envoy/start.sh"]
`

function generated(path: string, content: string): GeneratedFile {
  return { path, content, owner: 'generated' }
}

/** Names each directory, because the classic builder ignores patterns such as `!*-db/migrations`. */
function dockerignore(platform: Platform): string {
  const directories = deployments(platform).flatMap(({ directory, databaseDirectory }) => [
    `!${directory}/src`,
    `!${databaseDirectory}/migrations`,
  ])
  const gateway = platform.provider === 'kube' ? ['!gateway', '!api/openapi.json'] : []
  return `${[...BUILD_CONTEXT, ...gateway, ...directories].join('\n')}\n`
}

/** Secrets, tests and installed packages stay out of the build context. */
const BUILD_CONTEXT = [
  '# Only what images are built from.',
  '*',
  '!package.json',
  '!package-lock.json',
  '!lib',
]
