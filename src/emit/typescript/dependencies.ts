import type { Platform } from '../../model/platform.ts'

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
const WITH_AUTHENTICATION = ['bcryptjs', 'jose', 'tinypool', 'uuid']
const WITH_CALLS = ['undici']
const WITH_METRICS = ['prom-client']

/** Packages that a project is checked with. They are not installed into images. */
export const DEV_DEPENDENCIES: readonly string[] = [
  '@types/node',
  '@types/pg',
  'oxlint',
  'oxlint-tsgolint',
  'typescript',
]

/** All packages that a project may depend on. */
export const ALL_DEPENDENCIES: readonly string[] = [
  ...ALWAYS,
  ...TRACES,
  ...WITH_AUTHENTICATION,
  ...WITH_CALLS,
  ...WITH_METRICS,
].sort()

/** The packages that the code of a platform imports. */
export function dependenciesOf({ authentication, metrics, services }: Platform): string[] {
  const calls = services.some((service) => service.calls.length > 0)
  return [
    ...ALWAYS,
    ...TRACES,
    ...(authentication === undefined ? [] : WITH_AUTHENTICATION),
    ...(calls ? WITH_CALLS : []),
    ...(metrics === undefined ? [] : WITH_METRICS),
  ].sort()
}
