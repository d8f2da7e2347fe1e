import { type Column, type SQL, sql } from 'drizzle-orm'
import { conflict } from './errors.ts'
import { param } from './queries.ts'

/** Each value of an attribute, followed by those that it can become. */
type Changes = readonly (readonly [from: string, ...to: string[]])[]

/** How often an update is tried whose value others change at the same moment. */
const MAX_ATTEMPTS = 20

/** The attributes of an entity whose values change only as declared. */
export function transitions<Name extends string>(
  columns: Readonly<Record<NoInfer<Name>, Column>>,
  changes: Readonly<Record<Name, Changes>>,
) {
  const names = Object.keys(changes) as Name[]

  /** Throws 409 where a stored value cannot become that of the input. */
  function check(stored: Readonly<Record<Name, string>>, input: object) {
    // A map, because every object has a property `constructor`.
    const given = new Map<string, string | undefined>(Object.entries(input))
    for (const name of names) {
      const [from, to] = [stored[name], given.get(name) ?? stored[name]]
      const isDeclared = changes[name].some(([value, ...next]) => value === from && next.includes(to))
      if (from !== to && !isDeclared) throw conflict(`${name} cannot change from ${from} to ${to}`)
    }
  }

  return {
    /** The conditions of the statement that updates. */
    conditions: names.map((name) => condition(name, columns[name], changes[name])),

    /** Updates an entity. `read` returns the stored one, which tells why the conditions do not hold. */
    async update<Row extends Readonly<Record<Name, string>>>(
      input: object,
      write: () => PromiseLike<Row[]>,
      read: () => PromiseLike<Row[]>,
    ): Promise<Row | undefined> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const [updated] = await write()
        if (updated !== undefined) return updated
        const [stored] = await read()
        if (stored === undefined) return undefined
        // If it throws nothing, another request has changed the value in the meantime.
        check(stored, input)
      }
      return undefined
    },
  }
}

/** An update keeps the value, with null or the value itself, or changes it as declared. */
function condition(name: string, column: Column, changes: Changes): SQL {
  const pairs = changes.flatMap(([from, ...next]) => next.map((to) => `('${from}', '${to}')`))
  const isDeclared = sql`(${column}, ${param(name)}) in (${sql.raw(pairs.join(', '))})`
  return sql`(coalesce(${param(name)}, ${column}) = ${column} or ${isDeclared})`
}
