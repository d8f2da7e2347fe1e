import { customType } from 'drizzle-orm/pg-core'

/** `timestamptz` as RFC 3339 text in UTC, because a Date would drop microseconds. Sessions have the time zone UTC. */
export const datetime = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => value.replace(' ', 'T').replace('+00', 'Z'),
})

/** `bytea`. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
