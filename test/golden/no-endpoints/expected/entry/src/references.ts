import { ServiceError } from './errors.ts'

/** Who asks: a caller with a token, or nobody where there is no authentication. */
type Asking = { readonly id: string; readonly token: string } | undefined

/** Where the entities of one service, or the entries of one struct, can be looked for. */
export interface ReferenceTarget {
  /** As declared; messages name it. */
  readonly name: string
  /** Which of the ids are missing, or are not for the caller to read. */
  unknown(ids: readonly string[], caller: Asking): Promise<ReadonlySet<string>>
}

/** A reference that a request holds. */
export interface Reference {
  readonly to: ReferenceTarget
  readonly id: string
  /** What is stored now, so that an update asks only for what it changes. */
  readonly stored?: string
}

/**
 * Checks references, in the order of the definition: each target is asked once for all that refer to it, and
 * all targets at the same time. Throws for the first that is unknown (400) or cannot be asked (503).
 */
export async function requireReferences(references: readonly Reference[], caller: Asking): Promise<void> {
  const changed = references.filter(({ id, stored }) => id !== stored)
  const asked = new Map<ReferenceTarget, Promise<ReadonlySet<string>>>()
  for (const { to } of changed) {
    if (asked.has(to)) continue
    const ids = changed.filter((other) => other.to === to).map(({ id }) => id)
    asked.set(to, to.unknown(ids, caller))
  }
  await Promise.allSettled(asked.values())
  for (const { to, id } of changed) {
    const unknown = await asked.get(to)
    if (unknown?.has(id) === true) throw unknownReference(to.name, id)
  }
}

/** 400: a reference to what is not there, or not for the caller to read. */
export function unknownReference(name: string, id: string): ServiceError {
  return new ServiceError(400, `Unknown ${name}: ${id}`)
}
