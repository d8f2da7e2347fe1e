import type { z } from 'zod'
import { baseConfig, byteCount, credentialsPath, integer } from '#lib/config.ts'
import { rolesConfig } from './roles.ts'

/** The environment variables of the service. */
export const Config = baseConfig.extend({
  ...rolesConfig,
  DATABASE_URL: baseConfig.shape.DATABASE_URL.default('postgres://auth@auth-db:5432/auth'),
  MAX_BODY_BYTES: byteCount.default(16_384),
  GATEWAY_CREDENTIALS_FILE: credentialsPath,
  /** Threads that hash passwords. 0 means one fewer than there are processors, 4 at most. */
  PASSWORD_THREADS: integer(0, 1000).default(0),
  /** How many passwords may wait to be hashed. Further requests get 503. */
  PASSWORD_QUEUE: integer(1, 1_000_000).default(256),
  /** How many proxies in front of the gateway add an address to `X-Forwarded-For`. */
  TRUSTED_PROXIES: integer(0, 100).default(0),
})
export type Config = z.infer<typeof Config>
