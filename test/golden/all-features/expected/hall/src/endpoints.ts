import { z } from 'zod'
import { date } from '#lib/dates.ts'
import { decimal } from '#lib/decimal.ts'
import { pageRequest } from '#lib/endpoints.ts'
import { fromText } from '#lib/filters.ts'
import { base64, integer, text, withDefault } from '#lib/values.ts'

/** What the path of Price contains. */
export const PricePath = z.object({
  day: date,
})

/**
 * What a request to Price contains.
 *
 * What a day in the hall costs.
 */
export const PriceRequest = z.object({
  people: withDefault(fromText(integer({ min: 1, max: 100 })), 1),
  voucher: text({ max: 20 }).nullable().default(null),
})
export type PriceRequest = { id: string } & z.infer<typeof PricePath> & z.infer<typeof PriceRequest>

/** What a call of Price needs. */
export type PriceInput = { id: string } & z.infer<typeof PricePath> & z.input<typeof PriceRequest>

/** What the handler of Price returns. */
export const PriceResponse = z.object({
  day: date,
  total: decimal({ scale: 2 }),
  plan: base64().nullable().default(null),
})
export type PriceResponse = z.infer<typeof PriceResponse>

/** What clients get from Price. */
export const publicPrice = (response: PriceResponse) => ({
  day: response.day,
  total: response.total,
  plan: response.plan?.toString('base64') ?? null,
})
export type PublicPrice = ReturnType<typeof publicPrice>

/**
 * What a request to Search contains.
 *
 * Halls with a word in their title.
 */
export const SearchRequest = z.object({
  ...pageRequest,
  word: text({ min: 1, max: 80 }),
})
export type SearchRequest = z.infer<typeof SearchRequest>

/** What a call of Search needs. */
export type SearchInput = z.input<typeof SearchRequest>
