import type { z } from 'zod'
import { baseConfig } from '#lib/config.ts'

/** The environment variables of the service, with their defaults. */
export const Config = baseConfig.extend({
  DATABASE_URL: baseConfig.shape.DATABASE_URL.default('postgres://note@note-db:5432/note'),
  MAX_BODY_BYTES: baseConfig.shape.MAX_BODY_BYTES.default(10_485_766),
})
export type Config = z.infer<typeof Config>
