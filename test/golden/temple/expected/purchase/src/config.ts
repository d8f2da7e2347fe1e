import type { z } from 'zod'
import { baseConfig, credentialsPath, httpUrl } from '#lib/config.ts'

/** The environment variables of the service, with their defaults. */
export const Config = baseConfig.extend({
  DATABASE_URL: baseConfig.shape.DATABASE_URL.default('postgres://purchase@purchase-db:5432/purchase'),
  MAX_BODY_BYTES: baseConfig.shape.MAX_BODY_BYTES.default(65_536),
  GATEWAY_CREDENTIALS_FILE: credentialsPath,
  PRODUCT_INTERNAL_URL: httpUrl.default('http://product:8081'),
})
export type Config = z.infer<typeof Config>
