import { deployedServices } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { GATEWAY_JOB, STATS_PATH, STATS_PORT } from '../gateway/stats.ts'
import { commented, flow, type YamlObject, yamlFile } from '../codegen/yaml.ts'
import { type Component, namespaceOf, selector } from '../kubernetes/metadata.ts'
import { alertRules, alertTests } from './alerts.ts'
import { dashboards } from './dashboards.ts'
import { operatorComponent } from './operator.ts'

const INTERVAL = '15s'

/** The configuration of Prometheus and Grafana. Empty without `#metrics`. */
export function emitObservability(platform: Platform): GeneratedFile[] {
  if (platform.metrics === undefined) return []
  return [
    generated('prometheus/prometheus.yaml', prometheusFile(platform)),
    generated('prometheus/rules.yaml', alertRules(platform)),
    generated('prometheus/rules.test.yaml', alertTests(platform)),
    ...dashboards(platform),
    ...operatorComponent(platform, INTERVAL),
  ]
}

function generated(path: string, content: string): GeneratedFile {
  return { path, content, owner: 'generated' }
}

function prometheusFile(platform: Platform): string {
  const onKubernetes = platform.provider === 'kube'
  const targets = (name: string, port: number, component: Component, portName: string): YamlObject =>
    onKubernetes ? podsWith(platform, name, component, portName) : containersOf(name, port)
  const services = deployedServices(platform).map(({ directory, metricsPort }) => ({
    job_name: directory,
    ...targets(directory, metricsPort, 'service', 'metrics'),
  }))
  return yamlFile(
    `Prometheus scrapes the gateway and every ${onKubernetes ? 'pod' : 'container'} of every service.`,
    {
      global: flow({ scrape_interval: INTERVAL, evaluation_interval: INTERVAL }),
      rule_files: flow(['rules.yaml']),
      ...(onKubernetes ? {} : { alerting: alertmanagers() }),
      scrape_configs: [
        {
          job_name: GATEWAY_JOB,
          metrics_path: STATS_PATH,
          params: commented(
            'Only metrics that have been used, out of thousands.',
            flow({ usedonly: flow(['']) }),
          ),
          ...targets('gateway', STATS_PORT, 'gateway', 'stats'),
        },
        ...services,
      ],
    },
  )
}

/** Found in a file of the user's own, because this one is generated again. Prometheus ignores one that is missing. */
function alertmanagers(): YamlObject {
  return {
    alertmanagers: [
      {
        file_sd_configs: commented(
          'Yours, with the Alertmanagers that get the alerts: [{targets: ["alertmanager:9093"]}]',
          [flow({ files: flow(['alertmanagers.yaml']) })],
        ),
      },
    ],
  }
}

/** Finds the containers of a service through DNS. */
function containersOf(host: string, port: number): YamlObject {
  return {
    dns_sd_configs: [flow({ names: flow([host]), type: 'A', port, refresh_interval: INTERVAL })],
  }
}

/** Finds the pods of a workload, and one of their ports by its name, through the API of Kubernetes. */
function podsWith(platform: Platform, name: string, component: Component, port: string): YamlObject {
  const pod = '__meta_kubernetes_pod'
  const labels = Object.keys(selector(name, component)).map(
    (label) => `${pod}_label_${label.replaceAll(/[./]/g, '_')}`,
  )
  return {
    kubernetes_sd_configs: [{ role: 'pod', namespaces: flow({ names: flow([namespaceOf(platform)]) }) }],
    relabel_configs: [
      {
        source_labels: flow([...labels, `${pod}_container_port_name`]),
        regex: `${name};${component};${port}`,
        action: 'keep',
      },
    ],
  }
}
