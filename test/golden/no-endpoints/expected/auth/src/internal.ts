import { Hono } from 'hono'
import type { Bindings } from './server.ts'

/**
 * The routes of the second port, which the gateway never addresses: whether the process lives, and whether
 * it can do its work. `others` are what other services ask.
 */
export function createInternal(
  isReady: () => Promise<boolean>,
  others?: Hono<{ Bindings: Bindings }>,
): Hono<{ Bindings: Bindings }> {
  const internal = new Hono<{ Bindings: Bindings }>()
  internal.get('/health/live', (c) => c.json({ status: 'live' }))
  internal.get('/health/ready', async (c) => {
    const ready = await isReady()
    return c.json({ status: ready ? 'ready' : 'not ready' }, ready ? 200 : 503)
  })
  if (others !== undefined) internal.route('/', others)
  return internal
}
