import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { body } from '#lib/requests.ts'
import type { Caller } from '#lib/tokens.ts'
import type { UpdateReservationRequest } from './entities.ts'
import { HookError, type Env, type Router } from './hooks.ts'

const OpenRequest = z.object({ pin: z.string().max(8, 'must have at most 8 characters') })

/** Hooks and custom routes of Reservation. */
export default function setup(env: Env, router: Router): void {
  env.hooks.beforeCreate(async (env, request, input, caller) => {
    await expectSeats(env, request, caller)
    input.slot = slotOf(request)
    input.pinHash = await hash(request.pin)
  })
  env.hooks.beforeUpdate(async (env, request, input, caller) => {
    await expectSeats(env, request, caller)
    input.slot = slotOf(request)
    if (request.pin !== undefined) input.pinHash = await hash(request.pin)
  })

  // POST /api/reservation/{id}/open with {"pin": "4711"}: whether the PIN opens the door. It is not part of the URL,
  // which appears in logs. Only the creator can try: a PIN of four digits is quickly guessed.
  router.post('/reservation/:id/open', body(OpenRequest), async (c) => {
    const id = c.req.param('id')
    await env.access.requireWritable(id, c.var.caller)
    const reservation = await env.datastore.readReservation({ id })
    if (reservation === undefined) return c.var.fail(404, 'Reservation not found')
    return c.json({ open: await matches(c.req.valid('json').pin, reservation.pinHash) })
  })
}

async function expectSeats(
  env: Env,
  { room: id, people }: UpdateReservationRequest,
  caller: Caller,
): Promise<void> {
  const room = await env.comm.room.read(id, caller)
  if (room === undefined) throw new HookError(400, 'The room no longer exists')
  if (people > room.seats) throw new HookError(400, `The room has only ${room.seats} seats`)
}

function slotOf({ room, day, hour }: UpdateReservationRequest): string {
  return `${room} ${day} ${hour}`
}

const deriveKey = promisify<string, string, number, Buffer>(scrypt)

/** Returns a salt and the hash. */
async function hash(pin: string, salt = randomBytes(16).toString('hex')): Promise<string> {
  const key = await deriveKey(pin, salt, 32)
  return `${salt}:${key.toString('hex')}`
}

async function matches(pin: string, stored: string): Promise<boolean> {
  const [salt] = stored.split(':')
  return timingSafeEqual(Buffer.from(await hash(pin, salt)), Buffer.from(stored))
}
