import { hasQueue } from '../database/jobs.ts'
import { type DeployedService, deployedServices } from '../../model/deployed-services.ts'
import { metricNames } from '../../model/metrics.ts'
import type { Platform } from '../../model/platform.ts'
import { GATEWAY_JOB } from '../gateway/stats.ts'
import { flow, type YamlObject, yamlFile } from '../codegen/yaml.ts'
import { GATEWAY } from './expressions.ts'

/** An alert with a case that makes it fire. */
interface Alert {
  readonly name: string
  /** Its condition is `expression comparison`. */
  readonly expression: string
  readonly comparison: string
  /** How many minutes the condition must hold. */
  readonly minutes: number
  readonly severity: 'critical' | 'warning'
  readonly summary: string
  /** Series, with a sample a minute, for which the alert fires at the end of its time. */
  readonly firing: Readonly<Record<string, string>>
}

/** `prometheus/rules.yaml` */
export function alertRules(platform: Platform): string {
  return yamlFile(
    'Alerts. `promtool test rules rules.test.yaml` runs a case for each of them.',
    alertGroups(platform),
  )
}

/**
 * The alerts as Prometheus and its operator read them. With a namespace, they are about its pods only: the Prometheus of a
 * cluster can have several platforms, each with a gateway.
 */
export function alertGroups(platform: Platform, namespace?: string): YamlObject {
  return {
    groups: groups(platform).map(({ name, alerts }) => ({
      name,
      rules: alerts.map((alert) => rule(alert, namespace)),
    })),
  }
}

/** `prometheus/rules.test.yaml` */
export function alertTests(platform: Platform): string {
  return yamlFile('For each alert of rules.yaml, values for which it fires.', {
    rule_files: flow(['rules.yaml']),
    evaluation_interval: '1m',
    tests: groups(platform).flatMap(({ alerts }) => alerts.map(ruleTest)),
  })
}

function groups(platform: Platform): { name: string; alerts: readonly Alert[] }[] {
  return [
    { name: GATEWAY_JOB, alerts: gatewayAlerts() },
    ...deployedServices(platform).map((deployed) => ({
      name: deployed.directory,
      alerts: serviceAlerts(deployed),
    })),
  ]
}

/** Names of metrics are `up`, and words with `_` that are not functions, labels or values. */
const METRIC = /\b(up|\w+_\w+)(?![\w(="])(\{)?/g

function rule(
  { name, expression, comparison, minutes, severity, summary }: Alert,
  namespace?: string,
): YamlObject {
  const expr = `${expression} ${comparison}`
  const within = (_: string, metric: string, brace?: string) =>
    `${metric}{namespace="${namespace}"${brace === undefined ? '}' : ','}`
  return {
    alert: name,
    expr: namespace === undefined ? expr : expr.replaceAll(METRIC, within),
    for: `${minutes}m`,
    labels: flow({ severity, ...(namespace === undefined ? {} : { namespace }) }),
    annotations: flow({ summary }),
  }
}

/** After the time of the alert and 10 minutes in which rates take effect. */
function ruleTest({ name, minutes, severity, summary, firing }: Alert): YamlObject {
  return {
    interval: '1m',
    input_series: Object.entries(firing).map(([series, values]) => flow({ series, values })),
    alert_rule_test: [
      {
        eval_time: `${minutes + 10}m`,
        alertname: name,
        exp_alerts: [flow({ exp_labels: flow({ severity }), exp_annotations: flow({ summary }) })],
      },
    ],
  }
}

function down(name: string, job: string, what: string): Alert {
  return {
    name,
    expression: `(sum(up{job="${job}"}) or vector(0))`,
    comparison: '< 1',
    minutes: 1,
    severity: 'critical',
    summary: `No container of ${what} responds`,
    firing: { [`up{job="${job}"}`]: '0x30' },
  }
}

function gatewaySeries(statusClass: string): string {
  return `envoy_http_downstream_rq_xx{envoy_http_conn_manager_prefix="gateway",envoy_response_code_class="${statusClass}"}`
}

function gatewayAlerts(): Alert[] {
  return [
    down('GatewayDown', GATEWAY_JOB, 'the gateway'),
    {
      name: 'GatewayErrors',
      expression: GATEWAY.errorRatio,
      comparison: '> 0.05',
      minutes: 5,
      severity: 'warning',
      summary: 'More than 5% of requests to the gateway get a 5xx response',
      firing: { [gatewaySeries('2')]: '0+90x30', [gatewaySeries('5')]: '0+10x30' },
    },
  ]
}

function serviceAlerts(deployed: DeployedService): Alert[] {
  const { names, directory } = deployed
  const metrics = metricNames(deployed)
  const alert = (name: string) => `${names.declared}${name}`
  return [
    down(alert('Down'), directory, directory),
    {
      name: alert('Errors'),
      expression: `sum(rate(${metrics.failure}{error_code=~"5.."}[5m])) / sum(rate(${metrics.seconds}_count[5m]))`,
      comparison: '> 0.05',
      minutes: 5,
      severity: 'warning',
      summary: `More than 5% of requests to ${directory} get a 5xx response`,
      firing: {
        [`${metrics.failure}{error_code="500"}`]: '0+10x30',
        [`${metrics.seconds}_count`]: '0+100x30',
      },
    },
    {
      name: alert('Slow'),
      expression: `histogram_quantile(0.99, sum by (le) (rate(${metrics.seconds}_bucket[5m])))`,
      comparison: '> 1',
      minutes: 10,
      severity: 'warning',
      summary: `1% of requests to ${directory} take longer than a second`,
      firing: {
        [`${metrics.seconds}_bucket{le="1"}`]: '0+90x30',
        [`${metrics.seconds}_bucket{le="2.5"}`]: '0+100x30',
        [`${metrics.seconds}_bucket{le="+Inf"}`]: '0+100x30',
      },
    },
    {
      name: alert('PoolSaturated'),
      expression: `max(${metrics.connections}{state="busy"} / ignoring(state) ${metrics.connectionsMax})`,
      comparison: '> 0.9',
      minutes: 5,
      severity: 'warning',
      summary: `${directory} uses almost all of its database connections`,
      firing: { [`${metrics.connections}{state="busy"}`]: '10x30', [metrics.connectionsMax]: '10x30' },
    },
    {
      name: alert('DatabaseDown'),
      expression: `min(${metrics.databaseUp})`,
      comparison: '< 1',
      minutes: 1,
      severity: 'critical',
      summary: `The database of ${directory} does not respond`,
      firing: { [metrics.databaseUp]: '0x30' },
    },
    {
      name: alert('MigrationsMissing'),
      expression: `max(${metrics.databaseUp} - ${metrics.databaseMigrated})`,
      comparison: '> 0',
      minutes: 5,
      severity: 'critical',
      summary: `The database of ${directory} does not have the migrations that the code needs. They failed or did not run`,
      firing: { [metrics.databaseUp]: '1x30', [metrics.databaseMigrated]: '0x30' },
    },
    {
      name: alert('DiskFull'),
      expression: `sum(increase(${metrics.databaseFailure}{reason="disk_full"}[10m]))`,
      comparison: '> 0',
      minutes: 0,
      severity: 'critical',
      summary: `The volume of the database of ${directory} is full`,
      firing: { [`${metrics.databaseFailure}{reason="disk_full"}`]: '0+1x30' },
    },
    ...(hasQueue(deployed) ? jobAlerts(deployed) : []),
  ]
}

function jobAlerts(deployed: DeployedService): Alert[] {
  const { names, directory } = deployed
  const metrics = metricNames(deployed)
  return [
    {
      name: `${names.declared}JobsDead`,
      // Every replica reports what is in the database.
      expression: `max(${metrics.jobsDead})`,
      comparison: '> 0',
      minutes: 0,
      severity: 'warning',
      summary: `Jobs of ${directory} have failed in all their attempts. ./deploy.sh jobs shows them`,
      firing: { [`${metrics.jobsDead}{kind="remind"}`]: '1x30' },
    },
    {
      name: `${names.declared}JobsLate`,
      expression: `max(${metrics.jobsOldest})`,
      comparison: '> 300',
      minutes: 5,
      severity: 'warning',
      summary: `Jobs of ${directory} have been due for more than five minutes`,
      firing: { [`${metrics.jobsOldest}{kind="remind"}`]: '600x30' },
    },
  ]
}
