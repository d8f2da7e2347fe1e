import { deployedServices } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../codegen/templates.ts'
import { targetOf, usedTargets } from '../targets.ts'
import { ENVOY_IMAGE } from './containers.ts'

/**
 * What may become part of images, and the scripts of the gateway. Its files are in an image for Kubernetes. Compose
 * mounts them, so that they can change while it runs.
 */
export function emitImages(platform: Platform): GeneratedFile[] {
  return [
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

/**
 * Secrets, tests and installed packages stay out of the build context. Names each directory, because the classic builder
 * ignores patterns such as `!*-db/migrations`.
 */
function dockerignore(platform: Platform): string {
  const shared = new Set(usedTargets(platform).flatMap(({ target }) => target.image.sharedContext))
  const gateway = platform.provider === 'kube' ? ['gateway', 'api/openapi.json'] : []
  const services = deployedServices(platform).flatMap((deployed) => [
    ...targetOf(deployed).image.serviceContext(deployed),
    `${deployed.databaseDirectory}/migrations`,
  ])
  const paths = [...shared, ...gateway, ...services].map((path) => `!${path}`)
  return ['# Only what images are built from.', '*', ...paths, 'shared/test', ''].join('\n')
}
