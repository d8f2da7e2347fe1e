import { z } from 'zod'
import { date } from '#lib/dates.ts'
import { comparison, equality, pageParameters, sortBy } from '#lib/filters.ts'
import { uuid, withDefault } from '#lib/values.ts'
import type { booking } from './schema.ts'

/** What a client sends to create or update a Booking. */
export const BookingRequest = z.object({
  hall: uuid,
  guest: uuid,
  instead: uuid.nullable().default(null),
  made: withDefault(date, () => new Date().toISOString().slice(0, 10)),
  day: date,
})
export type BookingRequest = z.infer<typeof BookingRequest>

/** The query parameters of a list of Booking. */
export const BookingQuery = z.object({
  ...pageParameters,
  sort: sortBy('day'),
  ...equality('hall', uuid),
  ...comparison('day', date),
})
export type BookingQuery = z.infer<typeof BookingQuery>

/**
 * A stored Booking.
 *
 * A visit that a guest plans.
 */
export type Booking = Omit<typeof booking.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateBooking = { readonly id: string } & Omit<Booking, 'id' | 'createdAt' | 'updatedAt'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateBooking = { id: string } & Partial<CreateBooking>

/** What clients see of a Booking. */
export const publicBooking = (booking: Booking) => ({
  id: booking.id,
  hall: booking.hall,
  guest: booking.guest,
  follows: booking.follows,
  instead: booking.instead,
  made: booking.made,
  day: booking.day,
  createdAt: booking.createdAt,
  updatedAt: booking.updatedAt,
})
export type PublicBooking = ReturnType<typeof publicBooking>
