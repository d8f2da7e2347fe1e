import type { z } from 'zod'
import { baseConfig, credentialsPath } from '#lib/config.ts'

/** The environment variables of the service, with their defaults. */
export const Config = baseConfig.extend({
  DATABASE_URL: baseConfig.shape.DATABASE_URL.default('postgres://hall@hall-db:5432/hall'),
  MAX_BODY_BYTES: baseConfig.shape.MAX_BODY_BYTES.default(17_153_675),
  GATEWAY_CREDENTIALS_FILE: credentialsPath,
})
export type Config = z.infer<typeof Config>
