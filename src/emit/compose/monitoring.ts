import { commented, flow, type YamlObject } from '../codegen/yaml.ts'
import { mount, containerHardening } from './container-settings.ts'
import { GRAFANA_IMAGE, PROMETHEUS_IMAGE } from '../images/containers.ts'

/** The network on which Grafana reaches Prometheus. Services are not on it. Its name is that of no database. */
export const MONITORING_NETWORK = 'monitoring'
export const PROMETHEUS_VOLUME = 'prometheus-data'
/** The users of the images. */
const PROMETHEUS_USER = '65534:65534'
const GRAFANA_USER = '472:0'
const GRAFANA_PORT = 3000

/** Prometheus, which reaches the services and the gateway. No port is published. */
export function prometheusContainer(): YamlObject {
  return {
    image: PROMETHEUS_IMAGE,
    user: PROMETHEUS_USER,
    command: [
      '--config.file=/etc/prometheus/prometheus.yaml',
      '--storage.tsdb.path=/prometheus',
      '--storage.tsdb.retention.time=15d',
      '--enable-feature=auto-reload-config',
    ],
    networks: flow(['default', MONITORING_NETWORK]),
    volumes: [mount('./prometheus', '/etc/prometheus'), `${PROMETHEUS_VOLUME}:/prometheus`],
    ...containerHardening({ memory: 1024, processes: 256 }),
  }
}

/** Grafana with the generated dashboards, for viewers on this machine. It keeps nothing. */
export function grafanaContainer(): YamlObject {
  return {
    image: GRAFANA_IMAGE,
    user: GRAFANA_USER,
    environment: {
      GF_AUTH_ANONYMOUS_ENABLED: commented(
        'Anyone who can reach the port can view the dashboards. Nobody can sign in or change anything.',
        'true',
      ),
      GF_AUTH_BASIC_ENABLED: 'false',
      GF_AUTH_DISABLE_LOGIN_FORM: 'true',
      GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
      GF_ANALYTICS_REPORTING_ENABLED: 'false',
      GF_ANALYTICS_CHECK_FOR_UPDATES: 'false',
      GF_ANALYTICS_CHECK_FOR_PLUGIN_UPDATES: 'false',
    },
    ports: [
      {
        host_ip: '127.0.0.1',
        published: `\${GRAFANA_PORT:-3000}`,
        target: GRAFANA_PORT,
      },
    ],
    networks: flow([MONITORING_NETWORK]),
    volumes: [
      mount('./grafana/provisioning', '/etc/grafana/provisioning'),
      mount('./grafana/dashboards', '/etc/grafana/dashboards'),
    ],
    ...containerHardening({ memory: 512, processes: 256 }),
    tmpfs: ['/tmp:size=64m,mode=1777,noexec,nosuid,nodev', '/var/lib/grafana:uid=472,mode=755'],
  }
}
