import { hasQueue } from '../database/jobs.ts'
import type {
  Dashboard,
  Panel as DashboardPanel,
} from '@grafana/schema/dist/esm/raw/dashboard/x/Dashboard_types.gen'
import { type DeployedService, deployedServices } from '../../model/deployed-services.ts'
import { metricNames } from '../../model/metrics.ts'
import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { flow, yamlFile } from '../codegen/yaml.ts'
import { targetOf } from '../targets.ts'
import { GATEWAY } from './expressions.ts'
import type { Panel } from './panel.ts'

const COLUMNS = 2
const WIDTH = 12
const HEIGHT = 8
const MAX_UID = 40

/** What Grafana reads at its start: the data source, a dashboard of the platform, and one of each service. */
export function dashboards(platform: Platform): GeneratedFile[] {
  const { names } = platform
  return [
    generated('grafana/provisioning/datasources/prometheus.yaml', datasource()),
    generated('grafana/provisioning/dashboards/dashboards.yaml', provider(names.declared)),
    // No directory of a service begins with an underscore.
    generated(
      'grafana/dashboards/_platform.json',
      dashboard('platform', names.declared, platformPanels(platform)),
    ),
    ...deployedServices(platform).map((deployed) =>
      generated(
        `grafana/dashboards/${deployed.directory}.json`,
        dashboard(`service-${deployed.directory}`, deployed.names.declared, servicePanels(deployed)),
      ),
    ),
  ]
}

function generated(path: string, content: string): GeneratedFile {
  return { path, content, owner: 'generated' }
}

function datasource(): string {
  return yamlFile('The Prometheus of this platform.', {
    apiVersion: 1,
    datasources: [
      {
        name: 'Prometheus',
        type: 'prometheus',
        url: 'http://prometheus:9090',
        access: 'proxy',
        isDefault: true,
      },
    ],
  })
}

function provider(folder: string): string {
  return yamlFile('The dashboards of this platform.', {
    apiVersion: 1,
    providers: [
      { name: 'platform', folder, type: 'file', options: flow({ path: '/etc/grafana/dashboards' }) },
    ],
  })
}

function platformPanels(platform: Platform): Panel[] {
  const all = deployedServices(platform)
  const perService = (expression: (deployed: DeployedService) => string) =>
    Object.fromEntries(all.map((deployed) => [deployed.directory, expression(deployed)]))
  return [
    {
      title: 'Requests to the gateway by status',
      unit: 'reqps',
      targets: { '{{envoy_response_code_class}}xx': GATEWAY.requests },
    },
    { title: '5xx responses of the gateway', unit: 'percentunit', targets: { '5xx': GATEWAY.errorRatio } },
    {
      title: 'Gateway request duration',
      unit: 's',
      targets: { p50: GATEWAY.latency(0.5), p99: GATEWAY.latency(0.99) },
    },
    { title: 'Connections to the gateway', unit: 'short', targets: { connections: GATEWAY.connections } },
    {
      title: 'Requests by service',
      unit: 'reqps',
      targets: perService((deployed) => `sum(rate(${metricNames(deployed).seconds}_count[5m]))`),
    },
    {
      title: 'Request duration by service, 99th percentile',
      unit: 's',
      targets: perService((deployed) => quantile(0.99, metricNames(deployed).seconds)),
    },
    {
      title: 'Containers that respond',
      unit: 'short',
      targets: { '{{job}}': 'sum by (job) (up)' },
    },
    {
      title: 'Databases that respond',
      unit: 'short',
      targets: perService((deployed) => `min(${metricNames(deployed).databaseUp})`),
    },
  ]
}

function servicePanels(deployed: DeployedService): Panel[] {
  const metrics = metricNames(deployed)
  const job = `job="${deployed.directory}"`
  return [
    {
      title: 'Successful requests',
      unit: 'reqps',
      targets: { '{{request_type}}': `sum by (request_type) (rate(${metrics.success}[5m]))` },
    },
    {
      title: 'Failed requests',
      unit: 'reqps',
      targets: {
        '{{request_type}} {{error_code}}': `sum by (request_type, error_code) (rate(${metrics.failure}[5m]))`,
      },
    },
    {
      title: 'Request duration',
      unit: 's',
      targets: { p50: quantile(0.5, metrics.seconds), p99: quantile(0.99, metrics.seconds) },
    },
    {
      title: 'Request duration by operation, 99th percentile',
      unit: 's',
      targets: { '{{request_type}}': quantile(0.99, metrics.seconds, 'request_type') },
    },
    {
      title: 'Statements',
      unit: 'ops',
      targets: { '{{query_type}}': `sum by (query_type) (rate(${metrics.databaseSeconds}_count[5m]))` },
    },
    {
      title: 'Statement duration, 99th percentile',
      unit: 's',
      targets: { '{{query_type}}': quantile(0.99, metrics.databaseSeconds, 'query_type') },
    },
    {
      title: 'Failed statements',
      unit: 'ops',
      targets: { '{{reason}}': `sum by (reason) (rate(${metrics.databaseFailure}[5m]))` },
    },
    {
      title: 'Database connections',
      unit: 'short',
      targets: {
        '{{state}}': `sum by (state) (${metrics.connections})`,
        waiting: `sum(${metrics.connectionsWaiting})`,
        limit: `sum(${metrics.connectionsMax})`,
      },
    },
    ...(hasQueue(deployed) ? jobPanels(deployed) : []),
    ...targetOf(deployed).panels(job),
    {
      title: 'CPU time',
      unit: 'percentunit',
      targets: { '{{instance}}': `rate(process_cpu_seconds_total{${job}}[5m])` },
    },
    {
      title: 'Memory',
      unit: 'bytes',
      targets: { '{{instance}}': `process_resident_memory_bytes{${job}}` },
    },
  ]
}

function jobPanels(deployed: DeployedService): Panel[] {
  const metrics = metricNames(deployed)
  return [
    {
      title: 'Attempts of jobs',
      unit: 'ops',
      targets: { '{{kind}} {{result}}': `sum by (kind, result) (rate(${metrics.jobs}[5m]))` },
    },
    {
      title: 'Duration of jobs, 99th percentile',
      unit: 's',
      targets: { '{{kind}}': quantile(0.99, metrics.jobSeconds, 'kind') },
    },
    {
      title: 'Jobs',
      unit: 'short',
      targets: {
        // Every replica reports what is in the database.
        '{{kind}} waiting': `max by (kind) (${metrics.jobsWaiting})`,
        '{{kind}} dead': `max by (kind) (${metrics.jobsDead})`,
      },
    },
    {
      title: 'Time for which the oldest job has been due',
      unit: 's',
      targets: { '{{kind}}': `max by (kind) (${metrics.jobsOldest})` },
    },
  ]
}

function quantile(share: number, histogram: string, by?: string): string {
  const labels = by === undefined ? 'le' : `le, ${by}`
  return `histogram_quantile(${share}, sum by (${labels}) (rate(${histogram}_bucket[5m])))`
}

/** A dashboard in Grafana's format, version 39 of its schema. `@grafana/schema` describes it. */
function dashboard(uid: string, title: string, panels: readonly Panel[]): string {
  const content: Dashboard = {
    // Grafana makes one up for a name that is too long.
    ...(uid.length <= MAX_UID && { uid }),
    title,
    schemaVersion: 39,
    editable: false,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
  }
  // A line for each panel, so that a diff shows which ones changed.
  const lines = panels.map((panel, index) => `    ${JSON.stringify(graph(panel, index))}`)
  return `${JSON.stringify(content, undefined, 2).slice(0, -2)},\n  "panels": [\n${lines.join(',\n')}\n  ]\n}\n`
}

function graph(panel: Panel, index: number): DashboardPanel {
  return {
    id: index + 1,
    type: 'timeseries',
    title: panel.title,
    gridPos: {
      x: (index % COLUMNS) * WIDTH,
      y: Math.floor(index / COLUMNS) * HEIGHT,
      w: WIDTH,
      h: HEIGHT,
    },
    fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
    targets: Object.entries(panel.targets).map(([legendFormat, expr], target) => ({
      refId: `Q${target}`,
      legendFormat,
      expr,
    })),
  }
}
