import { createHash, timingSafeEqual } from 'node:crypto'
import type { Caller } from '#lib/tokens.ts'
import type { ReservationRequest } from './entities.ts'
import { HookError, type Env, type Router } from './hooks.ts'

/** Hooks and custom routes of Reservation. */
export default function setup(env: Env, router: Router): void {
  env.hooks.beforeCreate(async (env, request, input, caller) => {
    await expectSeats(env, request, caller)
    input.slot = slotOf(request)
    input.pinHash = hash(request.pin)
  })
  env.hooks.beforeUpdate(async (env, request, input, caller) => {
    await expectSeats(env, request, caller)
    input.slot = slotOf(request)
    input.pinHash = hash(request.pin)
  })

  // GET /api/reservation/{id}/open?pin=1234: whether the PIN opens the door
  router.get('/reservation/:id/open', async (c) => {
    const reservation = await env.datastore.readReservation({ id: c.req.param('id') })
    if (reservation === undefined) return c.var.fail(404, 'Reservation not found')
    const given = Buffer.from(hash(c.req.query('pin') ?? ''))
    return c.json({ open: timingSafeEqual(given, Buffer.from(reservation.pinHash)) })
  })
}

async function expectSeats(
  env: Env,
  { room: id, people }: ReservationRequest,
  caller: Caller,
): Promise<void> {
  const room = await env.comm.room.read(id, caller)
  if (room === undefined) throw new HookError(400, 'The room no longer exists')
  if (people > room.seats) throw new HookError(400, `The room has only ${room.seats} seats`)
}

function slotOf({ room, day, hour }: ReservationRequest): string {
  return `${room} ${day} ${hour}`
}

function hash(pin: string): string {
  return createHash('sha256').update(pin).digest('hex')
}
