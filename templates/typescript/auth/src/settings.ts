import { z } from 'zod'

/** Environment variables of this service, as `env.settings`. This file is yours: Portico never overwrites it. */
export const Settings = z.object({})
export type Settings = z.infer<typeof Settings>
