import type { Exchange } from '../exchange.ts'
import { expectResponse, expectThat } from '../expect.ts'

/**
 * How many requests a check sends at once: fewer than a service has database connections. The others would wait for
 * one, which on a busy machine ends with 503.
 */
export const CONCURRENT = 6

/**
 * Expects that one of these requests created something and all others led to the conflict. Calls `track` for each that
 * created something, even if that is too many.
 */
export function expectOneCreated(
  exchanges: readonly Exchange[],
  conflict: string,
  track: (exchange: Exchange, index: number) => void = () => {},
): void {
  const created = exchanges.filter(({ response }) => response.status === 201)
  for (const exchange of created) track(exchange, exchanges.indexOf(exchange))
  for (const exchange of exchanges)
    if (!created.includes(exchange)) expectResponse(exchange, { status: 409, error: conflict })
  expectThat(
    created.length === 1,
    created[1] ?? exchanges[0],
    `1 of ${exchanges.length} responses with 201, not ${created.length}`,
  )
}
