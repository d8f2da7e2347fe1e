import { customOperationName } from './custom-endpoints.ts'
import type { DeployedService } from './deployed-services.ts'
import { operationName } from './endpoints.ts'
import type { Entity, Method } from './platform.ts'
import { entitiesOf, servesReadMany } from './entities.ts'

/** The names of the metrics of a service. `templates/typescript/lib/metrics.ts` creates them from the same prefix. */
interface MetricNames {
  readonly success: string
  readonly failure: string
  readonly seconds: string
  readonly databaseSeconds: string
  readonly databaseFailure: string
  readonly databaseUp: string
  readonly databaseMigrated: string
  readonly connections: string
  readonly connectionsMax: string
  readonly connectionsWaiting: string
  /** Attempts of jobs, by their result. */
  readonly jobs: string
  readonly jobSeconds: string
  readonly jobsWaiting: string
  readonly jobsDead: string
  /** How long the job that is due for longest has waited. */
  readonly jobsOldest: string
}

/** Returns the names of the metrics of a service, which begin with its own name. */
export function metricNames({ names: { snake } }: DeployedService): MetricNames {
  return {
    success: `${snake}_request_success_total`,
    failure: `${snake}_request_failure_total`,
    seconds: `${snake}_request_seconds`,
    databaseSeconds: `${snake}_database_request_seconds`,
    databaseFailure: `${snake}_database_failure_total`,
    databaseUp: `${snake}_database_up`,
    databaseMigrated: `${snake}_database_migrated`,
    connections: `${snake}_database_connections`,
    connectionsMax: `${snake}_database_connections_max`,
    connectionsWaiting: `${snake}_database_connections_waiting`,
    jobs: `${snake}_jobs_total`,
    jobSeconds: `${snake}_job_seconds`,
    jobsWaiting: `${snake}_jobs_waiting`,
    jobsDead: `${snake}_jobs_dead`,
    jobsOldest: `${snake}_jobs_oldest_seconds`,
  }
}

/** A kind of requests, which is the value of the label `request_type`. */
export interface RequestType {
  readonly method: Method
  /** Path below the gateway's `/api`, with the parameters of endpoints: `/home/{id}`. */
  readonly path: string
  /** `readHome` */
  readonly name: string
  /** The entity that the path belongs to. */
  readonly entity?: Entity
}

/** The kinds of requests to a service, in the order of its endpoints. Routes of setup.ts count as `custom`. */
export function requestTypes(deployed: DeployedService): RequestType[] {
  if (!('entity' in deployed))
    return ['register', 'login'].map((name) => ({ method: 'POST', path: `/auth/${name}`, name }))
  const { customEndpoints } = deployed
  const generated = entitiesOf(deployed).flatMap((each) =>
    each.endpoints.flatMap((endpoint) =>
      endpoint.paths.map((path) => ({
        method: endpoint.method,
        path: path.slice('/api'.length),
        name: operationName(each, endpoint),
        entity: each,
      })),
    ),
  )
  const custom = customEndpoints.map((endpoint) => ({
    method: endpoint.method,
    path: endpoint.path.slice('/api'.length),
    name: customOperationName(endpoint, deployed),
  }))
  const endpoints: RequestType[] = [...generated, ...custom]
  const internal: RequestType[] = [
    ...(deployed.referenced
      ? [{ method: 'POST' as const, path: '/references', name: 'checkReferences' }]
      : []),
    ...(servesReadMany(deployed) ? [{ method: 'POST' as const, path: '/read-many', name: 'findMany' }] : []),
  ]
  // A service named References creates its entities at the same path. Metrics tell requests apart by path.
  const isFree = ({ method, path }: RequestType) =>
    !endpoints.some((endpoint) => endpoint.method === method && endpoint.path === path)
  return [...endpoints, ...internal.filter(isFree)]
}
