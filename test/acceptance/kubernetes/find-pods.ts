import type { ScrapeConfig } from '../metrics/prometheus-process.ts'
import { kubectl } from './cluster.ts'

interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: {
    readonly containers: readonly {
      readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
    }[]
  }
  readonly status: { readonly podIP?: string }
}

/**
 * Finds the targets of a job as Prometheus does with `role: pod`, and names them by address: Debian's Prometheus is
 * built without discovery through Kubernetes.
 */
export async function findPods(job: ScrapeConfig): Promise<ScrapeConfig> {
  const { kubernetes_sd_configs: configs = [], relabel_configs: rules = [] } = job
  const namespaces = configs.flatMap((config) => config.namespaces.names)
  const lists = await Promise.all(
    namespaces.map((namespace) => kubectl(['get', 'pods', '--namespace', namespace, '--output', 'json'])),
  )
  const pods = lists.flatMap(({ stdout }) => (JSON.parse(stdout) as { items: Pod[] }).items)
  const targets = pods.flatMap(({ metadata, spec, status }) =>
    spec.containers
      .flatMap(({ ports = [] }) => ports)
      .filter(({ name }) => {
        const labels = new Map(
          Object.entries(metadata.labels).map(([label, value]) => [
            `__meta_kubernetes_pod_label_${label.replaceAll(/[^a-zA-Z0-9_]/g, '_')}`,
            value,
          ]),
        ).set('__meta_kubernetes_pod_container_port_name', name)
        return rules.every(({ source_labels, regex }) =>
          new RegExp(`^(?:${regex})$`).test(source_labels.map((label) => labels.get(label) ?? '').join(';')),
        )
      })
      .map(({ containerPort }) => `${status.podIP}:${containerPort}`),
  )
  return {
    ...job,
    kubernetes_sd_configs: undefined,
    relabel_configs: undefined,
    static_configs: [{ targets }],
  }
}
