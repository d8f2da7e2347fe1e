import type { Operation, Platform } from '../../model/platform.ts'
import { bodyOf, type Values } from '../body.ts'
import type { Check } from '../check.ts'
import type { Caller } from '../client.ts'
import { expectAnswer, expectThat } from '../expect.ts'
import { endpointOf, itemPath, listPath, type Place } from '../place.ts'
import type { Scope } from '../scope.ts'
import type { Made } from '../world.ts'
import { placeCheck, serves } from './build.ts'
import { expectEntity, expectEntityAnswer, expectStored, notFound } from './entity.ts'
import { idsOf, itemsOf } from './list.ts'

/** Who may read and write the entities of a service. Without authentication there is nothing to tell apart. */
export function accessChecks(platform: Platform, place: Place): Check[] {
  if (!platform.authentication || place.struct) return []
  const checks: Check[] = []
  if (serves(place, 'read')) checks.push(readCheck(platform, place))
  if (serves(place, 'list')) checks.push(listCheck(platform, place))
  for (const operation of ['update', 'delete'] as const)
    if (serves(place, operation)) checks.push(writeCheck(platform, place, operation))
  return checks
}

function readCheck(platform: Platform, place: Place): Check {
  const closed = place.service.readable === 'this'
  const sentence = closed ? 'only the creator can read (3 users)' : 'every user can read (3 users)'
  return placeCheck(platform, place, sentence, { entities: 1 }, async (scope) => {
    const [creator, ...others] = await scope.callers(place, 3)
    const made = await scope.make(place, { by: creator })
    await expectStored(scope, made, made.values, creator)
    for (const as of others)
      for (const method of ['GET', 'HEAD']) {
        const exchange = await scope.send({ method, path: scope.pathOf(made), as })
        if (!closed) expectAnswer(exchange, { status: 200 })
        else if (method === 'HEAD') expectAnswer(exchange, { status: 404 })
        else expectAnswer(exchange, { status: 404, error: notFound(place, made.id) })
      }
  })
}

function listCheck(platform: Platform, place: Place): Check {
  const closed = place.service.readable === 'this'
  const sentence = closed
    ? 'list shows everybody their own alone (3 users)'
    : 'list shows everybody everything (3 users)'
  return placeCheck(platform, place, sentence, { entities: 2 }, async (scope) => {
    const [first, second = first, third = first] = await scope.callers(place, 3)
    const made = [await scope.make(place, { by: first }), await scope.make(place, { by: second })]
    // Just before the first of them, so that what else a platform holds stays out of a page.
    for (const as of [first, second, third])
      for (const query of ['', '?limit=1000']) {
        const exchange = await scope.send({
          method: 'GET',
          path: `${listPath(place, undefined)}${query}`,
          as,
        })
        expectAnswer(exchange, { status: 200 })
        if (query !== '' && exchange.answer.headers['link'] !== undefined) continue
        const items = itemsOf(exchange, place)
        const ids = idsOf(items)
        for (const { id, by, values } of made) {
          const shown = ids.indexOf(id)
          const due = !closed || by === as
          expectThat(
            (shown !== -1) === due,
            exchange,
            `a list ${due ? 'with' : 'without'} ${id}, which ${by.name} made`,
          )
          if (due) expectEntity(exchange, items[shown], { place, id, values, pristine: scope.world.pristine })
        }
      }
  })
}

function writeCheck(
  platform: Platform,
  place: Place,
  operation: Extract<Operation, 'update' | 'delete'>,
): Check {
  const open = place.service.writable === 'all'
  const status = place.service.readable === 'this' ? 404 : 403
  const sentence = open
    ? `every user can ${operation} (3 users)`
    : `only the creator can ${operation}, others get ${status} (3 users)`
  return placeCheck(platform, place, sentence, { entities: 1 }, async (scope) => {
    const [creator, ...others] = await scope.callers(place, 3)
    let made = await scope.make(place, { by: creator })
    if (open) {
      for (const as of others) {
        await writeByOther(scope, made, as, operation)
        if (operation === 'delete') made = await scope.make(place, { by: creator })
      }
      return
    }
    for (const as of others) {
      const path = scope.pathOf(made)
      const exchange = await scope.send({ ...writing(operation, made.values), path, as })
      expectAnswer(exchange, { status, error: status === 403 ? 'Forbidden' : notFound(place, made.id) })
      await expectStored(scope, made, made.values, creator)
    }
    const exchange = await scope.send({
      ...writing(operation, made.values),
      path: scope.pathOf(made),
      as: creator,
    })
    expectAnswer(exchange, { status: 200 })
    if (operation === 'delete') scope.disown(made)
  })
}

/** What somebody else writes is done, and the creator stays who it is. */
async function writeByOther(
  scope: Scope,
  made: Made,
  as: Caller,
  operation: 'update' | 'delete',
): Promise<void> {
  const { place, id } = made
  const path = itemPath(place, undefined, id)
  if (operation === 'delete') {
    expectAnswer(await scope.send({ method: 'DELETE', path, as }), { status: 200, body: {} })
    scope.disown(made)
    return
  }
  const values = await scope.redraft(made)
  const kept = new Map(
    [...values].map(([name, value]) => {
      const attribute = place.entity.attributes.find(({ names }) => names.declared === name)
      // The other user may not be able to refer to what the creator refers to anew.
      return [name, attribute?.type.kind === 'reference' ? (made.values.get(name) ?? value) : value] as const
    }),
  )
  const exchange = await scope.send({ method: 'PUT', path, as, body: bodyOf(kept) })
  expectEntityAnswer(exchange, 200, { place, id, values: kept, pristine: scope.world.pristine })
  await expectStored(scope, made, kept, made.by)
}

/** Method and body of an operation that writes. */
export function writing(
  operation: 'create' | 'update' | 'delete',
  values: Values,
): { method: string; body: string | undefined } {
  if (operation === 'delete') return { method: 'DELETE', body: undefined }
  return { method: operation === 'create' ? 'POST' : 'PUT', body: bodyOf(values) }
}

/** The operations of a place that write, in the order of its endpoints. */
export function writesOf(place: Place): ('create' | 'update' | 'delete')[] {
  return (['create', 'update', 'delete'] as const).filter((operation) => endpointOf(place, operation))
}
