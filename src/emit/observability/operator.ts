import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { STATS_PATH } from '../gateway/stats.ts'
import { flow, type YamlObject, yamlDocuments } from '../codegen/yaml.ts'
import { type Component, labels, namespaceOf } from '../kubernetes/metadata.ts'
import { alertGroups } from './alerts.ts'

const DIRECTORY = 'kube/components/prometheus-operator'
/** The value of this label becomes the label `job`, by which alerts and dashboards find a service. */
const JOB_LABEL = 'app.kubernetes.io/name'

/**
 * A component of kustomize that has the Prometheus Operator scrape the platform and load its alerts. Overlays include
 * it where the cluster has the operator. Empty for other providers.
 */
export function operatorComponent(platform: Platform, interval: string): GeneratedFile[] {
  if (platform.provider !== 'kube') return []
  return [
    file(
      'kustomization',
      'For clusters with the Prometheus Operator. An overlay includes it with\ncomponents: [../../components/prometheus-operator]',
      {
        apiVersion: 'kustomize.config.k8s.io/v1alpha1',
        kind: 'Component',
        resources: flow(['services.yaml', 'gateway.yaml', 'alerts.yaml']),
      },
    ),
    file(
      'services',
      'Scrapes every pod of every service.',
      monitor(platform, 'ServiceMonitor', 'services', {
        jobLabel: JOB_LABEL,
        selector: componentsOf(platform, 'service'),
        endpoints: [flow({ port: 'metrics', interval })],
      }),
    ),
    file(
      'gateway',
      'Scrapes every pod of the gateway. The Service leaves the port out, because the Service is reachable from outside.',
      monitor(platform, 'PodMonitor', 'gateway', {
        jobLabel: JOB_LABEL,
        selector: componentsOf(platform, 'gateway'),
        podMetricsEndpoints: [
          { port: 'stats', path: STATS_PATH, params: flow({ usedonly: flow(['']) }), interval },
        ],
      }),
    ),
    file(
      'alerts',
      'The alerts of prometheus/rules.yaml, for this namespace.',
      monitor(platform, 'PrometheusRule', 'alerts', alertGroups(platform, namespaceOf(platform))),
    ),
  ]
}

function file(name: string, head: string, object: YamlObject): GeneratedFile {
  return { path: `${DIRECTORY}/${name}.yaml`, content: yamlDocuments(head, [object]), owner: 'generated' }
}

/** Selects Services or pods of a component. */
function componentsOf(platform: Platform, component: Component): YamlObject {
  return {
    matchLabels: {
      'app.kubernetes.io/component': component,
      'app.kubernetes.io/part-of': namespaceOf(platform),
    },
  }
}

function monitor(platform: Platform, kind: string, name: string, spec: YamlObject): YamlObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind,
    metadata: { name, labels: labels(platform, name, 'monitoring') },
    spec,
  }
}
