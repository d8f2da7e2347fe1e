import type { statistic } from './schema.ts'

/**
 * A stored Statistic.
 *
 * Written by custom code only, which also calls bookings.
 */
export type Statistic = Omit<typeof statistic.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateStatistic = { readonly id: string } & Omit<Statistic, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateStatistic = { id: string } & Partial<Statistic>

/** What clients see of a Statistic. */
export const publicStatistic = (statistic: Statistic) => ({
  id: statistic.id,
  hall: statistic.hall,
  text: statistic.text,
})
export type PublicStatistic = ReturnType<typeof publicStatistic>
