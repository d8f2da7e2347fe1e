import type { Platform } from '../../model/platform.ts'
import { deployments } from '../deploy/secret-readers.ts'
import { type YamlObject, commented } from '../kit/yaml.ts'
import { type Pace, healthCheck } from './health.ts'
import { restrictions } from './restrictions.ts'

const START_PERIOD_S = 60
const STOP_S = 15
/** The image's account `envoy`. */
const USER = '101:101'
/** Where it listens inside its container. */
const PORT = 10_000

/** The gateway in compose.yaml: the one container with a published port. */
export function gatewayService(platform: Platform, pace: Pace): YamlObject {
  return {
    build: { context: '.', dockerfile: 'gateway/Dockerfile' },
    labels: { 'portico.role': 'gateway' },
    user: USER,
    ports: [`\${GATEWAY_ADDRESS:-127.0.0.1}:\${GATEWAY_PORT:-8080}:${PORT}`],
    ...(platform.authentication === undefined ? {} : { volumes: ['gateway-secrets:/etc/envoy/secrets:ro'] }),
    depends_on: Object.fromEntries(
      deployments(platform).map(({ directory }) => [directory, { condition: 'service_healthy' }]),
    ),
    healthcheck: commented(
      'It listens once it has its configuration and knows the services.',
      healthCheck(pace, START_PERIOD_S, ['CMD', 'bash', '-c', `: </dev/tcp/127.0.0.1/${PORT}`]),
    ),
    stop_grace_period: `${STOP_S}s`,
    ...restrictions({ memory: 512, processes: 128 }),
  }
}
