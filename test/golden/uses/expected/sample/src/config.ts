import type { z } from 'zod'
import { baseConfig, credentialsPath, httpUrl } from '#lib/config.ts'
import { keysDirectory } from '#lib/service-keys.ts'

/** The environment variables of the service, with their defaults. */
export const Config = baseConfig.extend({
  DATABASE_URL: baseConfig.shape.DATABASE_URL.default('postgres://sample@sample-db:5432/sample'),
  MAX_BODY_BYTES: baseConfig.shape.MAX_BODY_BYTES.default(65_536),
  GATEWAY_CREDENTIALS_FILE: credentialsPath,
  STATION_INTERNAL_URL: httpUrl.default('http://station:8081'),
  AUTH_INTERNAL_URL: httpUrl.default('http://auth:8081'),
  REPORT_INTERNAL_URL: httpUrl.default('http://report:8081'),
  READER_INTERNAL_URL: httpUrl.default('http://reader:8081'),
  SERVICE_KEYS_DIRECTORY: keysDirectory,
})
export type Config = z.infer<typeof Config>
