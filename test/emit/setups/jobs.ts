/** A service with jobs, and what its handlers do in tests. */
export const JOBS = {
  definition: `P: project { #metrics(prometheus); }
Invoice: service {
  number: int;
  /// Reminds the customer.
  Remind: job {
    text: string(500);
    rate: decimal(scale: 2);
    at: datetime;
    pdf: data(1k)?;
    note: string(20)?;
    kind: enum(mail, letter) = mail;
    #was(Nudge);
  }
  Ping: job { }
  MarkOverdue: job { #schedule("0 3 * * *"); }
}`,
  setup: `import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Env, HookError, type Router } from './hooks.ts'

interface Act {
  readonly add?: { text: string; rate: string; at: string; pdf?: string; later?: number; key?: string }
  readonly cancel?: string
  readonly fail?: boolean
}

export default async function setup(env: Env, router: Router): Promise<void> {
  await env.datastore.db.execute(
    sql\`CREATE TABLE IF NOT EXISTS effect (id bigint GENERATED ALWAYS AS IDENTITY, text text NOT NULL)\`,
  )
  const note = (text: string) => (env: Env) => env.datastore.db.execute(sql\`INSERT INTO effect (text) VALUES (\${text})\`)
  env.jobs.remind.run(async (inner, { text, pdf, rate }, job) => {
    inner.log.info('From the handler')
    const attempt = note(\`\${text} \${job.attempt} \${pdf?.length ?? 0} \${rate}\`)
    if (text === 'fail') throw new RangeError('It fails')
    const [kind, duration] = text.split(' ')
    if (kind === 'sleep' || kind === 'late') await note(\`begin \${text} \${job.attempt}\`)(env)
    if (kind === 'sleep') await sleep(Number(duration), undefined, { signal: job.signal })
    // Does not notice that it is aborted.
    if (kind === 'late' && job.attempt === 1) await sleep(Number(duration))
    if (kind === 'query') await env.datastore.db.execute(sql\`SELECT pg_sleep(\${duration}::float)\`)
    // The environment of setup joins the transaction.
    await job.finish(() => attempt(env))
  })
  env.jobs.ping.run(() => {})
  env.jobs.markOverdue.run(async (inner, job) => {
    const held = await inner.datastore.db.execute<{ text: string }>(
      sql\`DELETE FROM effect WHERE text LIKE 'hold%' RETURNING text\`,
    )
    if (held.rows.length > 0) await sleep(4000)
    await job.finish(note(['scheduled', ...held.rows.map(({ text }) => text)].join(' ')))
  })
  router.post('/invoice/act', async (c) => {
    const act: Act = await c.req.json()
    return env.transaction(async (inner) => {
      const { later, key, ...payload } = act.add ?? {}
      const options = {
        ...(later === undefined ? {} : { at: new Date(Date.now() + later * 1000) }),
        ...(key === undefined ? {} : { key }),
      }
      const id = act.add && (await inner.jobs.remind.add(payload as NonNullable<Act['add']>, options))
      if (act.fail === true) throw new HookError(409, 'Rolled back')
      return c.json(act.cancel === undefined ? id : await inner.jobs.remind.cancel(act.cancel))
    })
  })
}
`,
} as const
