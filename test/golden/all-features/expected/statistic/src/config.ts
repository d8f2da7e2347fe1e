import type { z } from 'zod'
import { baseConfig, credentialsPath, httpUrl } from '#lib/config.ts'
import { keysDirectory } from '#lib/service-keys.ts'

/** The environment variables of the service, with their defaults. */
export const Config = baseConfig.extend({
  DATABASE_URL: baseConfig.shape.DATABASE_URL.default('postgres://statistic@statistic-db:5432/statistic'),
  MAX_BODY_BYTES: baseConfig.shape.MAX_BODY_BYTES.default(65_536),
  GATEWAY_CREDENTIALS_FILE: credentialsPath,
  HALL_INTERNAL_URL: httpUrl.default('http://hall:8081'),
  BOOKING_INTERNAL_URL: httpUrl.default('http://booking:8081'),
  AUTH_INTERNAL_URL: httpUrl.default('http://auth:8081'),
  VISITOR_INTERNAL_URL: httpUrl.default('http://visitor:8081'),
  SERVICE_KEYS_DIRECTORY: keysDirectory,
})
export type Config = z.infer<typeof Config>
