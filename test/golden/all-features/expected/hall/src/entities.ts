import { z } from 'zod'
import { date } from '#lib/dates.ts'
import { decimal } from '#lib/decimal.ts'
import { comparison, equality, fromText, orNull, pageParameters, sortBy } from '#lib/filters.ts'
import { datetime, time } from '#lib/times.ts'
import { base64, boolean, double, integer, oneOf, real, text, uuid, withDefault } from '#lib/values.ts'
import type { aisle, booth, hall } from './schema.ts'

/** What a client sends to create or update a Hall. */
export const HallRequest = z.object({
  title: text(),
  open: boolean,
  level: integer({ min: -2, max: 10 }),
  visits: integer({ min: 0, max: 9_007_199_254_740_991 }),
  temperature: double(),
  share: real({ min: 0, max: 1 }),
  built: date,
  closes: time,
  inspected: datetime,
  plan: base64({ max: 5_000_000 }),
  fee: decimal({ scale: 2, min: '0.00', max: '999.99' }),
  /**
   * What visitors can do there.
   *
   * A new entity has `open`. `open` can become `sold-out` or `closed`. `sold-out` can become `open` or `closed`. `closed` is final.
   */
  state: withDefault(oneOf('open', 'sold-out', 'closed'), 'open'),
  phone: text({ max: 20 }).nullable().default(null),
  seats: withDefault(integer({ min: 0, max: 10_000 }), 100),
  country: withDefault(text({ max: 2 }), 'NL'),
})
export type HallRequest = z.infer<typeof HallRequest>

/** The query parameters of a list of Hall. */
export const HallQuery = z.object({
  ...pageParameters,
  sort: sortBy('built', 'state'),
  ...equality('open', fromText(boolean)),
  ...comparison('level', fromText(integer({ min: -2, max: 10 }))),
  ...comparison('share', fromText(real({ min: 0, max: 1 }))),
  ...equality('state', oneOf('open', 'sold-out', 'closed')),
  ...equality('phone', text({ max: 20 }), orNull(text({ max: 20 }))),
})
export type HallQuery = z.infer<typeof HallQuery>

/**
 * A stored Hall.
 *
 * A hall, with a value of every type.
 */
export type Hall = Omit<typeof hall.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateHall = { readonly id: string } & Omit<Hall, 'id' | '_version'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateHall = { id: string } & Partial<CreateHall>

/** What clients see of a Hall. */
export const publicHall = (hall: Hall) => ({
  id: hall.id,
  title: hall.title,
  open: hall.open,
  level: hall.level,
  visits: hall.visits,
  temperature: hall.temperature,
  share: hall.share,
  built: hall.built,
  closes: hall.closes,
  inspected: hall.inspected,
  plan: hall.plan.toString('base64'),
  fee: hall.fee,
  earned: hall.earned,
  state: hall.state,
  badgeSize: hall.badgeSize,
  phone: hall.phone,
  seats: hall.seats,
  country: hall.country,
  added: hall.added,
})
export type PublicHall = ReturnType<typeof publicHall>

/** What a client sends to create or update a Booth. */
export const BoothRequest = z.object({
  /** As on the plan. */
  number: integer({ min: 1, max: 500 }),
  /** A new entity has `free`. `free` can become `taken`. `taken` is final. */
  state: withDefault(oneOf('free', 'taken'), 'free'),
})
export type BoothRequest = z.infer<typeof BoothRequest>

/** The query parameters of a list of Booth. */
export const BoothQuery = z.object({
  ...pageParameters,
  sort: sortBy('number'),
})
export type BoothQuery = z.infer<typeof BoothQuery>

/**
 * A stored Booth.
 *
 * A place for an exhibitor.
 */
export type Booth = typeof booth.$inferSelect

/** What a create stores. */
export type CreateBooth = { readonly id: string } & Omit<Booth, 'id' | '_version' | 'createdAt' | 'updatedAt'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateBooth = { id: string; parentId: string } & Partial<CreateBooth>

/** What clients see of a Booth. */
export const publicBooth = (booth: Booth) => ({
  id: booth.id,
  number: booth.number,
  state: booth.state,
  createdAt: booth.createdAt,
  updatedAt: booth.updatedAt,
})
export type PublicBooth = ReturnType<typeof publicBooth>

/** What a client sends to create or update an Aisle. */
export const AisleRequest = z.object({
  from: uuid,
  to: uuid,
  metres: double({ min: 0 }),
})
export type AisleRequest = z.infer<typeof AisleRequest>

/**
 * A stored Aisle.
 *
 * A way between two booths.
 */
export type Aisle = typeof aisle.$inferSelect

/** What a create stores. */
export type CreateAisle = { readonly id: string } & Omit<Aisle, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateAisle = { id: string; parentId: string } & Partial<Aisle>

/** What clients see of an Aisle. */
export const publicAisle = (aisle: Aisle) => ({
  id: aisle.id,
  from: aisle.from,
  to: aisle.to,
  metres: aisle.metres,
  checked: aisle.checked,
})
export type PublicAisle = ReturnType<typeof publicAisle>
