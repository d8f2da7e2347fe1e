import type { Platform } from '../../model/platform.ts'
import { ADMIN_PORT, GATEWAY_PORT, OPENAPI_RUNTIME_KEY, PATHS } from '../gateway/names.ts'
import { deployments } from '../deploy/secret-readers.ts'
import type { YamlObject } from '../kit/yaml.ts'
import { type Pace, healthCheck } from './health.ts'
import { restrictions } from './restrictions.ts'

const START_PERIOD_S = 60
const STOP_S = 15
/** The image's account `envoy`. */
const USER = '101:101'
/** Asks Envoy whether it serves: the image has no program for requests but bash. */
const CHECK = `exec 3<>/dev/tcp/127.0.0.1/${ADMIN_PORT} && printf 'GET /ready HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && grep -q ^LIVE <&3`
/** Added to the configuration at start: one value is the deployment's to choose. */
const RUNTIME = `{layered_runtime: {layers: [{name: deployment, static_layer: {${OPENAPI_RUNTIME_KEY}: \${GATEWAY_OPENAPI:-100}}}]}}`

/** The gateway in compose.yaml: the one container with a published port. */
export function gatewayService(platform: Platform, pace: Pace): YamlObject {
  return {
    build: { context: '.', dockerfile: 'gateway/Dockerfile' },
    labels: { 'portico.role': 'gateway' },
    user: USER,
    command: ['--concurrency', `\${GATEWAY_THREADS:-2}`, '--config-yaml', RUNTIME],
    ports: [`\${GATEWAY_ADDRESS:-127.0.0.1}:\${GATEWAY_PORT:-8080}:${GATEWAY_PORT}`],
    ...(platform.authentication === undefined ? {} : { volumes: [`gateway-secrets:${PATHS.secrets}:ro`] }),
    depends_on: Object.fromEntries(
      deployments(platform).map(({ directory }) => [directory, { condition: 'service_healthy' }]),
    ),
    healthcheck: healthCheck(pace, START_PERIOD_S, ['CMD', 'bash', '-c', CHECK]),
    stop_grace_period: `${STOP_S}s`,
    ...restrictions({ memory: 512, processes: 128 }),
  }
}
