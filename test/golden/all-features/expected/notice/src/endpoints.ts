import { z } from 'zod'
import { pageRequest } from '#lib/endpoints.ts'
import { integer, text } from '#lib/values.ts'

/**
 * What a request to Printed contains.
 *
 * What the printer reports.
 */
export const PrintedRequest = z.object({
  copies: integer({ min: 0, max: 1000 }),
})
export type PrintedRequest = z.infer<typeof PrintedRequest>

/** What a call of Printed needs. */
export type PrintedInput = z.input<typeof PrintedRequest>

/** What the handler of Printed returns. */
export const PrintedResponse = z.object({})
export type PrintedResponse = z.infer<typeof PrintedResponse>

/** What clients get from Printed. */
export const publicPrinted = (_response: PrintedResponse) => ({})
export type PublicPrinted = ReturnType<typeof publicPrinted>

/** Which page of Correct a request asks for. */
export const CorrectPage = z.object(pageRequest)

/** What a request to Correct contains. */
export const CorrectRequest = z.object({
  word: text({ max: 40 }),
})
export type CorrectRequest = z.infer<typeof CorrectRequest> & z.infer<typeof CorrectPage>

/** What a call of Correct needs. */
export type CorrectInput = z.input<typeof CorrectRequest> & z.input<typeof CorrectPage>
