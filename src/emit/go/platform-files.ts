import { hasCriteria } from '../../model/criteria.ts'
import {
  checksReferences,
  endpointAttributes,
  endpointReferences,
  entitiesOf,
  hasVersions,
  servesReadMany,
  stateAttributes,
} from '../../model/entities.ts'
import type { AttributeType, Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { type Addition, extended } from '../codegen/additions.ts'
import { hasQueue } from '../database/jobs.ts'
import { readTemplate } from '../codegen/templates.ts'
import type { TargetPart } from '../target.ts'
import { GENERATED, ofModule } from './go-file.ts'

/** Files of `internal/platform/` that only some platforms use. */
const CONDITIONAL: Readonly<Record<string, (platform: Platform) => boolean>> = {
  'criteria.go': hasCriteria,
  'dates.go': (platform) => uses(platform, 'date', 'time', 'datetime'),
  'decimal.go': (platform) => uses(platform, 'decimal'),
  'endpoint_calls.go': callsEndpoints,
  'endpoints.go': hasEndpoints,
  'endpoints_dev.go': hasEndpoints,
  'jobs.go': hasJobs,
  'jobs_attempts.go': hasJobs,
  'jobs_kinds.go': hasJobs,
  'jobs_metrics.go': (platform) => hasJobs(platform) && platform.metrics !== undefined,
  'jobs_schedules.go': hasSchedules,
  'jobs_statements.go': hasJobs,
  'many.go': ({ services }) => services.some(servesReadMany),
  'idempotency.go': ({ services }) => services.some(({ idempotent }) => idempotent),
  'metrics.go': ({ metrics }) => metrics !== undefined,
  'numbers.go': (platform) => uses(platform, 'int', 'float'),
  'parameter_text.go': (platform) =>
    callsEndpoints(platform) || (hasCriteria(platform) && callsServices(platform)),
  'platformtest/fake.go': callsServices,
  'parameters.go': (platform) => hasCriteria(platform) && callsServices(platform),
  'platformtest/endpoints.go': hasEndpoints,
  'query.go': (platform) => hasCriteria(platform) || hasEndpoints(platform),
  'references.go': hasReferences,
  'search.go': hasCriteria,
  'services.go': callsServices,
  'versions.go': hasVersions,
  'transitions.go': ({ services }) =>
    services.flatMap(entitiesOf).some((entity) => stateAttributes(entity).length > 0),
  'tokens.go': ({ authentication }) => authentication !== undefined,
}

const ALWAYS = `api.go config.go connect.go database.go hooks.go
  lists.go log.go opentelemetry.go request.go responses.go
  server.go values.go platformtest/account_other.go platformtest/account_unix.go
  platformtest/platformtest.go platformtest/postgres.go`.split(/\s+/)
const MIGRATE = ['files.go', 'migrate.go']

const PROMETHEUS = '\t"github.com/prometheus/client_golang/prometheus"'
/** What `#metrics` adds to files. */
const METRICS: Readonly<Record<string, readonly Addition[]>> = {
  'internal/platform/server.go': [
    { after: '\t"time"', add: `\n${PROMETHEUS}` },
    {
      after: '\tOnStop func(callback Callback)',
      add: '\t// What `/metrics` reports. In tests, a registry that nothing reports.\n\tMetrics prometheus.Registerer',
    },
    {
      after:
        '\tparts := Parts{Log: log, DB: db, OnStop: func(callback Callback) { callbacks = append(callbacks, callback) }}',
      add: '\tparts.Metrics = prometheus.DefaultRegisterer',
    },
  ],
  'internal/platform/platformtest/platformtest.go': [
    { after: '\t"github.com/jackc/pgx/v5"', add: PROMETHEUS },
    {
      after: '\tparts := platform.Parts{Log: log, DB: db, OnStop: onStop}',
      add: '\tparts.Metrics = prometheus.NewRegistry()',
    },
  ],
}

/** What jobs add to files: connections of their own, and fields of their log. */
const JOBS: Readonly<Record<string, readonly Addition[]>> = {
  'internal/platform/database.go': [
    {
      after: 'func (db *DB) acquire(ctx context.Context) (*pgxpool.Conn, error) {',
      add: '\tif job := jobOf(ctx); job != nil {\n\t\tdb = job.queue.own\n\t}',
    },
  ],
  'internal/platform/log.go': [
    {
      after: 'func (h requestHandler) Handle(ctx context.Context, record slog.Record) error {',
      add: '\tif job := jobOf(ctx); job != nil {\n\t\trecord.AddAttrs(job.attrs()...)\n\t}',
    },
  ],
}

function uses(platform: Platform, ...kinds: AttributeType['kind'][]): boolean {
  return platform.services.some((service) =>
    [
      ...entitiesOf(service).flatMap(({ attributes }) => attributes),
      ...service.customEndpoints.flatMap(endpointAttributes),
      ...service.jobs.flatMap(({ attributes }) => attributes),
    ].some(({ type }) => kinds.includes(type.kind)),
  )
}

function hasEndpoints({ services }: Pick<Platform, 'services'>): boolean {
  return services.some(({ customEndpoints }) => customEndpoints.length > 0)
}

function hasJobs({ services }: Platform): boolean {
  return services.some(hasQueue)
}

/** Whether services have jobs that run by themselves. */
export function hasSchedules({ services }: Platform): boolean {
  return services.some(({ jobs }) => jobs.some(({ schedule }) => schedule !== undefined))
}

/** Whether services call custom endpoints of others. */
function callsEndpoints({ services }: Platform): boolean {
  const called = new Set(services.flatMap(({ calls }) => calls.map(({ directory }) => directory)))
  return hasEndpoints({ services: services.filter(({ directory }) => called.has(directory)) })
}

function callsServices({ services }: Platform): boolean {
  return services.some(({ calls }) => calls.length > 0)
}

/** Whether services check references. */
export function hasReferences({ services }: Platform): boolean {
  return services.some(
    (service) =>
      service.referenced ||
      service.calls.length > 0 ||
      entitiesOf(service).some(checksReferences) ||
      service.customEndpoints.some((endpoint) => endpointReferences(endpoint).length > 0),
  )
}

/** The platform with the services that those of the target call, whose jobs they have nothing to do with. */
export function withForeign({ platform, foreign }: TargetPart): Platform {
  return { ...platform, services: [...platform.services, ...foreign.map((each) => ({ ...each, jobs: [] }))] }
}

/** `internal/`: what all services share, only the files that they use. */
export function platformFiles(part: TargetPart): GeneratedFile[] {
  const { platform } = part
  const whole = withForeign(part)
  const conditional = Object.entries(CONDITIONAL)
    .filter(([, isUsed]) => isUsed(whole))
    .map(([name]) => name)
  const paths = [
    ...[...ALWAYS, ...conditional].map((name) => `internal/platform/${name}`),
    ...MIGRATE.map((name) => `internal/migrate/${name}`),
  ]
  return paths.map((path) => {
    const added = [
      ...(platform.metrics === undefined ? [] : (METRICS[path] ?? [])),
      ...(hasJobs(platform) ? (JOBS[path] ?? []) : []),
    ]
    const text = ofModule(platform.module, extended(readTemplate(`go/${path}`), added))
    return { path, content: `${GENERATED}\n\n${text}`, owner: 'generated' }
  })
}
