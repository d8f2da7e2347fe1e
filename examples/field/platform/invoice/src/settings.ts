import { z } from 'zod'

/** Environment variables of this service. The payment provider signs with the secret: without it, nothing is accepted. */
export const Settings = z.object({ PAYMENT_SECRET: z.string().min(1).optional() })
export type Settings = z.infer<typeof Settings>
