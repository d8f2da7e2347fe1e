import type { Platform } from '../../model/platform.ts'
import { deployedServices } from '../../model/deployed-services.ts'
import { GATEWAY_PORT, PATHS } from '../gateway/envoy-names.ts'
import { commented, flow, type YamlObject } from '../codegen/yaml.ts'
import {
  type HealthCheckIntervals,
  healthCheck,
  mount,
  containerHardening,
  secretsMount,
} from './container-settings.ts'
import { ENVOY_CHECK, ENVOY_IMAGE, ENVOY_USER } from '../images/containers.ts'

const START_PERIOD_S = 60
const STOP_S = 15
/** Variables of the gateway (gateway/configure.sh), empty if they are not set. */
const VARIABLES = ['AUTH_RATE_LIMIT', 'CORS_ORIGINS', 'GATEWAY_OPENAPI', 'GATEWAY_THREADS', 'TRUSTED_PROXIES']

/** The gateway, the only container with a published port. */
export function gatewayContainer(platform: Platform, pace: HealthCheckIntervals): YamlObject {
  return {
    image: ENVOY_IMAGE,
    entrypoint: flow(['bash', '/etc/envoy/start.sh']),
    user: `${ENVOY_USER}:${ENVOY_USER}`,
    environment: Object.fromEntries(VARIABLES.map((name) => [name, `\${${name}:-}`])),
    ports: [
      {
        host_ip: `\${GATEWAY_ADDRESS:-127.0.0.1}`,
        published: `\${GATEWAY_PORT:-8080}`,
        target: GATEWAY_PORT,
      },
    ],
    volumes: [
      commented(
        'Copies of gateway/ and api/openapi.json, which deploy.sh replaces while the gateway runs.',
        mount('./.deploy/gateway', '/etc/envoy'),
      ),
      ...(platform.authentication === undefined ? [] : [secretsMount('gateway', PATHS.secrets)]),
    ],
    depends_on: Object.fromEntries(
      deployedServices(platform).map(({ directory }) => [directory, flow({ condition: 'service_healthy' })]),
    ),
    healthcheck: healthCheck(pace, START_PERIOD_S, ['CMD', ...ENVOY_CHECK]),
    stop_grace_period: `${STOP_S}s`,
    ...containerHardening({ memory: 512, processes: 128 }),
  }
}
