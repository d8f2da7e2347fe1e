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
import type { DeployedService } from '../../model/deployed-services.ts'
import type { AttributeType, Platform, Service } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { type Addition, extended } from '../codegen/additions.ts'
import { hasQueue } from '../database/jobs.ts'
import { readTemplate } from '../codegen/templates.ts'
import type { TargetPart } from '../target.ts'
import { GENERATED, ofModule } from './go-file.ts'

/** Files of `internal/platform/` that only some platforms use. */
const CONDITIONAL: Readonly<Record<string, (platform: Platform, part: TargetPart) => boolean>> = {
  'accounts.go': usesAccounts,
  'criteria.go': hasCriteria,
  'dates.go': (platform) => uses(platform, 'date', 'time', 'datetime'),
  'decimal.go': (platform) => uses(platform, 'decimal'),
  'endpoint_calls.go': callsEndpoints,
  'endpoints.go': hasEndpoints,
  'endpoints_dev.go': hasEndpoints,
  'job_admin.go': hasJobs,
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
  'parameter_text.go': (platform, part) =>
    callsEndpoints(platform, part) || (hasCriteria(platform) && callsServices(platform, part)),
  'platformtest/accounts.go': (_platform, { platform }) => platform.services.some(readsAccounts),
  'platformtest/fake.go': callsServices,
  'parameters.go': (platform, part) => hasCriteria(platform) && callsServices(platform, part),
  'platformtest/endpoints.go': hasEndpoints,
  'query.go': (platform) => hasCriteria(platform) || hasEndpoints(platform),
  'references.go': hasReferences,
  'search.go': hasCriteria,
  'service_keys.go': usesAccounts,
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
  'internal/platform/server.go': [
    {
      after: 'func command(config Config, arguments []string) error {',
      add: '\tif arguments[0] == "jobs" {\n\t\treturn manageJobs(context.Background(), config, arguments[1:])\n\t}',
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
function callsEndpoints({ services }: Platform, part: TargetPart): boolean {
  const called = new Set(
    callersIn(services, part).flatMap(({ calls }) => calls.map(({ directory }) => directory)),
  )
  return hasEndpoints({ services: services.filter(({ directory }) => called.has(directory)) })
}

function callsServices({ services }: Platform, part: TargetPart): boolean {
  return callersIn(services, part).some(({ calls }) => calls.length > 0)
}

/** The services, and the authentication service if it is in the language. */
function callersIn(services: readonly Service[], { authentication }: TargetPart): DeployedService[] {
  return [...services, ...(authentication === undefined ? [] : [authentication])]
}

const readsAccounts = ({ calls }: DeployedService) => calls.some(({ isAuthentication }) => isAuthentication)

/** Whether services in the language read accounts, or ask it for them. */
function usesAccounts(_platform: Platform, { platform, authentication }: TargetPart): boolean {
  return platform.services.some(readsAccounts) || (authentication?.readers ?? []).length > 0
}

/** Whether services check references. */
export function hasReferences(platform: Platform, part: TargetPart): boolean {
  const { services } = platform
  return (
    callsServices(platform, part) ||
    services.some(
      (service) =>
        service.referenced ||
        entitiesOf(service).some(checksReferences) ||
        service.customEndpoints.some((endpoint) => endpointReferences(endpoint).length > 0),
    )
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
    .filter(([, isUsed]) => isUsed(whole, part))
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
