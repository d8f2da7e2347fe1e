import { customType } from 'drizzle-orm/pg-core'

/** `timestamptz` as RFC 3339 text in UTC with all its microseconds; the session's time zone must be UTC. */
export const datetime = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => `${value.slice(0, 10)}T${value.slice(11, -3)}Z`,
})

/** `bytea` as bytes. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
})
