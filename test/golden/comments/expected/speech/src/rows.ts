import { fillPlaceholders, type Query } from 'drizzle-orm'
import type { Drizzle } from './database.ts'

/** A statement that each connection prepares when it first runs it. */
export interface RowStatement<Row> {
  execute(given: Record<string, unknown>): Promise<Row[]>
}

/**
 * Prepares a query of Drizzle's for rows as the client of the database makes them, keys and all: lists may be
 * long, and mapping each value of them costs as much as reading it.
 */
export function prepareRows<Row>(drizzle: Drizzle, query: { toSQL(): Query }): RowStatement<Row> {
  const { sql, params } = query.toSQL()
  return {
    async execute(given) {
      const values = fillPlaceholders(params, given) as never[]
      return await drizzle.$client.unsafe<Row[] & object[]>(sql, values, { prepare: true })
    },
  }
}
