import { bodyWith } from '../body.ts'
import type { Check } from '../check.ts'
import type { Exchange } from '../exchange.ts'
import { expectResponse, expectThat, stringOf } from '../expect.ts'
import type { CheckContext } from '../check-context.ts'
import type { Resource } from '../resource.ts'
import type { CreatedEntity } from '../test-context.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'

/** Checks what `#timestamps` adds. Every other check of a response expects times there. */
export function timestampChecks(resource: Resource): Check[] {
  if (!resource.entity.attributes.some(({ visibility }) => visibility === 'timestamp')) return []
  const checks: Check[] = []
  if (hasEndpoints(resource, 'read'))
    checks.push(
      resourceCheck(
        resource,
        '`createdAt` and `updatedAt` are the same until a change',
        { entities: 1 },
        async (context) => {
          const exchange = await read(
            context,
            await context.create(resource, { user: await context.user(resource) }),
          )
          const { createdAt, updatedAt } = timesIn(exchange)
          expectThat(createdAt === updatedAt, exchange, '`createdAt` and `updatedAt` are the same')
        },
      ),
    )
  if (hasEndpoints(resource, 'read') && hasEndpoints(resource, 'update'))
    checks.push(
      resourceCheck(
        resource,
        'an update keeps `createdAt` and increases `updatedAt`, whatever the request says',
        { entities: 1 },
        async (context) => {
          const created = await context.create(resource, { user: await context.user(resource) })
          const before = timesIn(await read(context, created))
          const past = JSON.stringify('2001-02-03T04:05:06Z')
          const exchange = await context.send({
            method: 'PUT',
            path: context.pathOf(created),
            as: created.user,
            body: bodyWith(created.values, { createdAt: past, updatedAt: past }),
          })
          expectResponse(exchange, { status: 200 })
          const after = timesIn(exchange)
          expectThat(
            after.createdAt === before.createdAt,
            exchange,
            `\`createdAt\` stays ${before.createdAt}`,
          )
          expectThat(
            comparable(after.updatedAt) > comparable(before.updatedAt),
            exchange,
            `\`updatedAt\` is after ${before.updatedAt}`,
          )
          const stored = await read(context, created)
          expectThat(
            timesIn(stored).updatedAt === after.updatedAt,
            stored,
            `\`updatedAt\` is stored as ${after.updatedAt}`,
          )
        },
      ),
    )
  return checks
}

async function read(context: CheckContext, created: CreatedEntity): Promise<Exchange> {
  const exchange = await context.send({ method: 'GET', path: context.pathOf(created), as: created.user })
  expectResponse(exchange, { status: 200 })
  return exchange
}

function timesIn(exchange: Exchange): { createdAt: string; updatedAt: string } {
  return { createdAt: stringOf(exchange, 'createdAt'), updatedAt: stringOf(exchange, 'updatedAt') }
}

/** A comparable form of a time whose fraction lacks trailing zeros. */
function comparable(time: string): string {
  const [seconds = '', fraction = ''] = time.replace('Z', '').split('.')
  return `${seconds}.${fraction.padEnd(6, '0')}`
}
