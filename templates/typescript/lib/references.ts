import { Hono } from 'hono'
import { z } from 'zod'
import { badRequest } from './errors.ts'
import { body } from './requests.ts'

/** What references point to. */
interface Target<Caller> {
  /** As declared. */
  readonly name: string
  /** Returns the ids of what does not exist or may not be read by the caller. */
  unknown(ids: readonly string[], caller: Caller): Promise<readonly string[]>
}

/** A reference in a request. */
interface Reference<Caller> {
  readonly to: Target<Caller>
  /** One without a value is not checked. */
  readonly id: string | null | undefined
  /** The stored value. An update checks only references that change. */
  readonly stored?: string | null
}

/** Throws for the first reference that is unknown (400). Each target is asked once, all of them at the same time. */
export async function requireReferences<Caller>(references: readonly Reference<Caller>[], caller: Caller) {
  const changed = references.flatMap(({ to, id, stored }) =>
    id === null || id === undefined || id === stored ? [] : { to, id },
  )
  const targets = Array.from(new Set(changed.map(({ to }) => to)), async (to) => {
    const ids = changed.filter((reference) => reference.to === to).map(({ id }) => id)
    return [to, await to.unknown(ids, caller)] as const
  })
  const unknown = new Map(await Promise.all(targets))
  const first = changed.find(({ to, id }) => unknown.get(to)?.includes(id))
  if (first !== undefined) throw unknownReference(first.to.name, first.id)
}

export const unknownReference = (name: string, id: string | null | undefined) =>
  badRequest(`Unknown ${name}: ${id}`)

/** The endpoint with which other services check references. No hooks run. */
export const referenceRoutes = <Caller>(access: Pick<Target<Caller>, 'unknown'>) =>
  new Hono<{ Variables: { caller: Caller } }>().post('/references', body(ReferencesRequest), async (c) => {
    const { ids } = c.req.valid('json')
    return c.json({ unknown: await access.unknown(ids, c.var.caller) })
  })

const NO_LIST = 'must be a list of strings'
const ReferencesRequest = z.object({ ids: z.array(z.string(NO_LIST), NO_LIST) })
