import { z } from 'zod'
import { integer, uuid } from '#lib/values.ts'
import type { seat, stop, train } from './schema.ts'

/** What a client sends to create or update a Train. */
export const TrainRequest = z.object({
  from: uuid,
  to: uuid,
  driver: uuid,
  detour: uuid,
})
export type TrainRequest = z.infer<typeof TrainRequest>

/** What an update of a Train results in. It may lack what is not stored. */
export type UpdateTrainRequest = Omit<TrainRequest, 'detour'> & Partial<Pick<TrainRequest, 'detour'>>

/** A stored Train. */
export type Train = Omit<typeof train.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateTrain = { readonly id: string } & Omit<Train, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateTrain = { id: string } & Partial<Train>

/** What clients see of a Train. */
export const publicTrain = (train: Train) => ({
  id: train.id,
  from: train.from,
  to: train.to,
  driver: train.driver,
})
export type PublicTrain = ReturnType<typeof publicTrain>

/** What a client sends to create or update a Seat. */
export const SeatRequest = z.object({
  number: integer({ min: 1, max: 500 }),
  taker: uuid,
  connection: uuid,
})
export type SeatRequest = z.infer<typeof SeatRequest>

/** A stored Seat. */
export type Seat = typeof seat.$inferSelect

/** What a create stores. */
export type CreateSeat = { readonly id: string } & Omit<Seat, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateSeat = { id: string; parentId: string } & Partial<Seat>

/** What clients see of a Seat. */
export const publicSeat = (seat: Seat) => ({
  id: seat.id,
  number: seat.number,
  taker: seat.taker,
  connection: seat.connection,
  through: seat.through,
})
export type PublicSeat = ReturnType<typeof publicSeat>

/** What a client sends to create or update a Stop. */
export const StopRequest = z.object({
  city: uuid,
})
export type StopRequest = z.infer<typeof StopRequest>

/** What an update of a Stop results in. It may lack what is not stored. */
export type UpdateStopRequest = Omit<StopRequest, 'city'> & Partial<Pick<StopRequest, 'city'>>

/** A stored Stop. */
export type Stop = typeof stop.$inferSelect

/** What a create stores. */
export type CreateStop = { readonly id: string } & Omit<Stop, 'id'>

/** What an update stores. */
export type UpdateStop = { id: string; parentId: string }

/** What clients see of a Stop. */
export const publicStop = (stop: Stop) => ({
  id: stop.id,
})
export type PublicStop = ReturnType<typeof publicStop>
