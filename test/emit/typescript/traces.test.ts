import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../service-process.ts'
import {
  logOf,
  requestsOf,
  send,
  startsTraced,
  TRACE_ID,
  TRACEPARENT,
  tracedFiles,
  withCollector,
} from '../traces.ts'

/** Prints the names of imported packages. */
const LISTING = `import { registerHooks } from 'node:module'
registerHooks({
  resolve(name, context, next) {
    console.log('imported ' + name)
    return next(name, context)
  },
})`

const start = startsTraced(tracedFiles('typescript'))

describe('without a collector', () => {
  test('a trace goes on in called services and in the log, and no package of OpenTelemetry is loaded', async () => {
    const file = path.join(await temporaryDirectory(), 'listing.mjs')
    await writeFile(file, LISTING)
    const env = { NODE_OPTIONS: `--import=${file}` }
    const home = await start('home', env)
    const stay = await start('stay', { ...env, HOME_INTERNAL_URL: home.internalUrl })
    const traced = { traceparent: TRACEPARENT, tracestate: 'vendor=1' }
    const created = (await (await send(`${home.url}/home`, 'POST', traced, { name: 'a' })).json()) as {
      id: string
    }
    expect((await send(`${stay.url}/stay`, 'POST', traced, { home: created.id })).status).toBe(201)
    // Invalid or missing: each request gets a trace of its own.
    for (const traceparent of [
      undefined,
      'x',
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `${TRACEPARENT}, x`,
    ])
      await send(`${stay.url}/stay`, 'POST', traceparent === undefined ? {} : { traceparent }, {
        home: created.id,
      })

    const stayLines = await logOf(stay)
    const homeLines = await logOf(home)
    const [first, ...others] = requestsOf(stayLines).map(({ traceId }) => String(traceId))
    expect(first).toBe(TRACE_ID)
    expect(new Set([TRACE_ID, ...others]).size).toBe(5)
    for (const id of others) expect(id).toMatch(/^[\da-f]{32}$/)
    // The calls of stay, after the request of the client.
    expect(requestsOf(homeLines).map(({ traceId }) => traceId)).toEqual([TRACE_ID, first, ...others])
    expect(home.output.text + stay.output.text).toContain('imported hono')
    expect(home.output.text + stay.output.text).not.toContain('imported @opentelemetry')
  })
})

describe('with a collector', () => withCollector(start))
