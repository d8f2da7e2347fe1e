import { type Column, type SQL, sql } from 'drizzle-orm'
import { customType } from 'drizzle-orm/pg-core'

type Columns = Record<string, Column>

/** The part of a list: up to `limit` entities, only those with greater ids than `after`. */
export interface Page {
  limit?: number | undefined
  after?: string | undefined
  /** Only those with these ids. */
  'id[in]'?: string[] | undefined
}

/** Prepares a query when it is first used, and keeps it, because building takes longer than running. */
export function once<Query>(prepare: () => Query): () => Query {
  let query: Query | undefined
  return () => (query ??= prepare())
}

/** A value that a prepared query is given when it runs. */
export const param = (name: string) => sql`${sql.placeholder(name)}`

/** A parameter for each column, with the column's name. */
export const values = <C extends Columns>(columns: C) => mapColumns(columns, param)

/** The same for an update. Null keeps the stored value; where it is a value, a parameter `keeps_<name>` says so. */
export const changes = <C extends Columns>(columns: C) =>
  mapColumns(columns, (name, column) =>
    column.notNull
      ? sql`coalesce(${param(name)}, ${column})`
      : sql`CASE WHEN ${param(`keeps_${name}`)} THEN ${column} ELSE ${param(name)} END`,
  )

/** The attributes of an input. A map, because every object has a property `constructor`. */
const given = (input: object) => new Map<string, unknown>(Object.entries(input))

/** The parameters of `changes`: what is left out keeps its value. */
export function changed<C extends Columns>(columns: C, input: { readonly [Name in keyof C]?: unknown }) {
  const attributes = given(input)
  const parameters = Object.entries(columns).flatMap(([name, { notNull }]) => [
    [name, attributes.get(name) ?? null],
    ...(notNull ? [] : [[`keeps_${name}`, attributes.get(name) === undefined]]),
  ])
  return Object.fromEntries(parameters) as Record<string, unknown>
}

/** Whether an update changes nothing. */
export function isEmpty<C extends Columns>(columns: C, input: { readonly [Name in keyof C]?: unknown }) {
  const attributes = given(input)
  return Object.keys(columns).every((name) => attributes.get(name) === undefined)
}

function mapColumns<C extends Columns>(columns: C, map: (name: string, column: Column) => SQL) {
  const entries = Object.entries(columns).map(([name, column]) => [name, map(name, column)])
  return Object.fromEntries(entries) as Record<keyof C, SQL>
}

/** The row of a statement that always returns one. */
export function single<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The statement returned no row')
  return row
}

/** `timestamptz` as RFC 3339 text, because a Date would drop microseconds. Years have four digits. Replacing is slower. */
export const datetime = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => `${value.slice(0, 10)}T${value.slice(11, value.lastIndexOf('+'))}Z`,
})

/** `bytea`, which is hexadecimal text in JSON. */
export const bytes = customType<{ data: Buffer<ArrayBuffer>; driverData: Buffer<ArrayBuffer> | string }>({
  dataType: () => 'bytea',
  fromDriver: (value) => (typeof value === 'string' ? Buffer.from(value.slice(2), 'hex') : value),
})
