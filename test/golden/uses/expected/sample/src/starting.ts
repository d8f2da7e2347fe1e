import { Hono } from 'hono'
import type { Bindings } from './server.ts'

/**
 * What other services are answered while this one starts: that they may ask again at once (RFC 9110, 10.2.3), by
 * another connection, which may lead to an instance that is ready.
 */
export function createStarting(): Hono<{ Bindings: Bindings }> {
  const starting = new Hono<{ Bindings: Bindings }>()
  starting.all('*', (c) => c.json({ error: 'Starting' }, 503, { 'retry-after': '0', connection: 'close' }))
  return starting
}
