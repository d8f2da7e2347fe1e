import type { z } from 'zod'
import { baseConfig, byteCount, credentialsPath, httpUrl, integer } from '#lib/config.ts'
import { keysDirectory } from '#lib/service-keys.ts'
import { rolesConfig } from './roles.ts'

/** The environment variables of the service. */
export const Config = baseConfig.extend({
  ...rolesConfig,
  DATABASE_URL: baseConfig.shape.DATABASE_URL.default('postgres://auth@auth-db:5432/auth'),
  MAX_BODY_BYTES: byteCount.default(16_384),
  GATEWAY_CREDENTIALS_FILE: credentialsPath,
  SERVICE_KEYS_DIRECTORY: keysDirectory,
  REPORT_INTERNAL_URL: httpUrl.default('http://report:8081'),
  READER_INTERNAL_URL: httpUrl.default('http://reader:8081'),
  /** How long a token is valid. */
  TOKEN_LIFETIME_MINUTES: integer(1, 43_200).default(1440),
  /** The logarithm of the work to hash a password. Existing hashes keep theirs. */
  BCRYPT_COST: integer(10, 15).default(10),
  /** Threads that hash passwords. 0 means one fewer than there are processors, 4 at most. */
  PASSWORD_THREADS: integer(0, 1000).default(0),
  /** How many passwords may wait to be hashed. Further requests get 503. */
  PASSWORD_QUEUE: integer(1, 1_000_000).default(256),
  /** How long they may wait. The typed client gives up after the default, and so do most others. */
  PASSWORD_QUEUE_TIMEOUT_MS: integer(1, 300_000).default(30_000),
  /** How many proxies in front of the gateway add an address to `X-Forwarded-For`. */
  TRUSTED_PROXIES: integer(0, 100).default(0),
})
export type Config = z.infer<typeof Config>
