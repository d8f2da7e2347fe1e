import { afterAll, beforeAll, expect, test } from 'vitest'
import { setupText } from '../platform.ts'
import { idOf, type RunningPlatform, runPlatform } from './running-platform.ts'

const DEFINITION = `
Rent: project {}
Booking: service { room: string; arrival: date; departure: date; guests: int; code: string @unique; }
`
const SETUP = setupText(
  `import type { Env } from './hooks.ts'
export default function setup(env: Env): void {
  env.conflicts['booking_no_overlap'] = 'The room is booked'
  env.conflicts['booking_stays'] = 'A stay has at least one night'
}
`,
  'constraints-booking.go',
)

const BOOKING = { room: 'a', arrival: '2030-01-01', departure: '2030-01-03', guests: 1 }

let platform: RunningPlatform
beforeAll(async () => {
  platform = await runPlatform(DEFINITION, { setup: { booking: SETUP } })
  await platform.sql('booking').unsafe(`
    CREATE TABLE room (name text PRIMARY KEY);
    INSERT INTO room VALUES ('a'), ('b'), ('c');
    ALTER TABLE booking
      ADD CONSTRAINT booking_room FOREIGN KEY (room) REFERENCES room,
      ADD CONSTRAINT booking_stays CHECK (departure > arrival),
      ADD CONSTRAINT booking_guests CHECK (guests > 0),
      ADD CONSTRAINT booking_no_overlap
        EXCLUDE USING gist (int4range(ascii(room), ascii(room), '[]') WITH &&, daterange(arrival, departure) WITH &&)
        DEFERRABLE INITIALLY DEFERRED;
    CREATE UNIQUE INDEX booking_day ON booking (guests) WHERE guests = 99;
    ALTER TABLE booking ADD CONSTRAINT booking__guests__check CHECK (guests < 1000);
  `)
})
afterAll(() => platform.stop())

let codes = 0
const book = (changes: object) =>
  platform.call('POST', '/booking', { body: { ...BOOKING, code: `code ${codes++}`, ...changes } })

test('what constraints of the user refuse is no failure of the service', async () => {
  const first = await book({})
  expect(first.status).toBe(201)
  await book({ arrival: '2030-02-01', departure: '2030-02-03', guests: 99 })
  const refused = [
    await book({}),
    await platform.call('PATCH', `/booking/${idOf(first)}`, { body: { arrival: '2030-01-05' } }),
    await book({ room: 'nowhere' }),
    await book({ room: 'b', guests: 0 }),
    await book({ room: 'c', guests: 99 }),
    await book({ room: 'b', code: 'code 0' }),
  ]
  expect(refused.map(({ status, json }) => [status, (json as { error: string }).error])).toEqual([
    [409, 'The room is booked'],
    [400, 'A stay has at least one night'],
    [400, 'Invalid request'],
    [400, 'Invalid request'],
    [409, 'Conflict'],
    [409, 'Duplicate Booking found'],
  ])
})

test('what a generated constraint should not have had to refuse is one', async () => {
  expect(await book({ room: 'b', guests: 1000 })).toMatchObject({
    status: 500,
    json: { error: 'Internal server error' },
  })
})
