import { z } from 'zod'
import { date } from '#lib/dates.ts'
import { uuid } from '#lib/values.ts'

/** What a request to Move contains. */
export const MoveRequest = z.object({
  hall: uuid,
  day: date,
})
export type MoveRequest = { id: string } & z.infer<typeof MoveRequest>

/** What a call of Move needs. */
export type MoveInput = { id: string } & z.input<typeof MoveRequest>

/** What a request to Cancel contains. */
export type CancelRequest = { id: string }

/** What a call of Cancel needs. */
export type CancelInput = { id: string }

/** What the handler of Cancel returns. */
export const CancelResponse = z.object({})
export type CancelResponse = z.infer<typeof CancelResponse>

/** What clients get from Cancel. */
export const publicCancel = (_response: CancelResponse) => ({})
export type PublicCancel = ReturnType<typeof publicCancel>
