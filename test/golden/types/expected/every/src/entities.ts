import { z } from 'zod'
import { date } from '#lib/dates.ts'
import { datetime, time } from '#lib/times.ts'
import { base64, boolean, double, integer, real, text } from '#lib/values.ts'
import type { every } from './schema.ts'

/** What a client sends to create or update an Every. */
export const EveryRequest = z.object({
  flag: boolean,
  anyText: text(),
  boundText: text({ max: 10 }),
  exactText: text({ min: 8, max: 8 }),
  lowText: text({ min: 3 }),
  anyInt: integer({ min: -2_147_483_648, max: 2_147_483_647 }),
  max: integer({ min: -2_147_483_648, max: 7 }),
  range: integer({ min: 1, max: 100 }),
  one: integer({ min: -128, max: 127 }),
  two: integer({ min: -32_768, max: 32_767 }),
  three: integer({ min: -8_388_608, max: 8_388_607 }),
  four: integer({ min: -2_147_483_648, max: 2_147_483_647 }),
  five: integer({ min: -549_755_813_888, max: 549_755_813_887 }),
  eight: integer({ min: -9_007_199_254_740_991, max: 9_007_199_254_740_991 }),
  wide: integer({ min: -9_007_199_254_740_991, max: 9_007_199_254_740_991 }),
  anyFloat: double(),
  positive: double({ min: 0 }),
  share: double({ min: 0, max: 1 }),
  single: real({ min: -0.25, max: 1_000_000 }),
  day: date,
  clock: time,
  moment: datetime,
  blob: base64(),
  small: base64({ max: 5_000_000 }),
})
export type EveryRequest = z.infer<typeof EveryRequest>

/** A stored Every. */
export type Every = typeof every.$inferSelect

/** What a create stores. */
export type CreateEvery = { readonly id: string } & Omit<Every, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateEvery = { id: string } & Partial<Every>

/** What clients see of an Every. */
export const publicEvery = (every: Every) => ({
  id: every.id,
  flag: every.flag,
  anyText: every.anyText,
  boundText: every.boundText,
  exactText: every.exactText,
  lowText: every.lowText,
  anyInt: every.anyInt,
  max: every.max,
  range: every.range,
  one: every.one,
  two: every.two,
  three: every.three,
  four: every.four,
  five: every.five,
  eight: every.eight,
  wide: every.wide,
  anyFloat: every.anyFloat,
  positive: every.positive,
  share: every.share,
  single: every.single,
  day: every.day,
  clock: every.clock,
  moment: every.moment,
  blob: every.blob.toString('base64'),
  small: every.small.toString('base64'),
})
export type PublicEvery = ReturnType<typeof publicEvery>
