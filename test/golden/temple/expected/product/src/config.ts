import type { z } from 'zod'
import { baseConfig, credentialsPath } from '#lib/config.ts'

/** The environment variables of the service, with their defaults. */
export const Config = baseConfig.extend({
  DATABASE_URL: baseConfig.shape.DATABASE_URL.default('postgres://product@product-db:5432/product'),
  MAX_BODY_BYTES: baseConfig.shape.MAX_BODY_BYTES.default(10_485_835),
  GATEWAY_CREDENTIALS_FILE: credentialsPath,
})
export type Config = z.infer<typeof Config>
