import { randomUUID } from 'node:crypto'
import type { Platform } from '../../model/platform.ts'
import { bodyOf, bodyWith } from '../body.ts'
import type { Check } from '../check.ts'
import type { Caller } from '../client.ts'
import { expectAnswer, stringOf } from '../expect.ts'
import { collectionPath, itemPath, listPath, type Place, placeOf } from '../place.ts'
import type { Scope } from '../scope.ts'
import type { Made } from '../world.ts'
import { writing, writesOf } from './access.ts'
import { placeCheck, serves } from './build.ts'
import { expectEntityAnswer, notFound } from './entity.ts'
import { idsOf, itemsOf } from './list.ts'

/** What the entries of a struct have to hold to: their parent, and the access to it. */
export function structChecks(platform: Platform, place: Place): Check[] {
  const { struct } = place
  if (!struct) return []
  const parent = placeOf(place.service)
  const checks = [missingParent(platform, place, parent), foreignParent(platform, place, parent)]
  if (platform.authentication) checks.push(inheritedAccess(platform, place, parent))
  if (serves(place, 'list')) checks.push(ownList(platform, place))
  if (serves(parent, 'delete')) checks.push(deletedParent(platform, place, parent))
  if (platform.authentication && place.service.identity && serves(parent, 'delete'))
    checks.push(secondLife(platform, place, parent))
  return checks.filter((check) => check !== undefined)
}

/** Every request that an entry's paths take, for a parent and an entry that need not exist. */
function asks(
  place: Place,
  parentId: string,
  id: string,
  body: string,
): { method: string; path: string; body?: string }[] {
  const item = itemPath(place, parentId, id)
  const collection = collectionPath(place, parentId)
  return place.entity.endpoints.flatMap(({ operation }) => {
    if (operation === 'create') return [{ method: 'POST', path: collection, body }]
    if (operation === 'read') return [{ method: 'GET', path: item }]
    if (operation === 'update') return [{ method: 'PUT', path: item, body }]
    if (operation === 'delete') return [{ method: 'DELETE', path: item }]
    return operation === 'list'
      ? [listPath(place, parentId), `${collection}/${randomUUID()}/all`].map((path) => ({
          method: 'GET',
          path,
        }))
      : []
  })
}

function missingParent(platform: Platform, place: Place, parent: Place): Check {
  return placeCheck(
    platform,
    place,
    `everything below a ${parent.label} that is not there is 404`,
    { entities: 0 },
    async (scope) => {
      const as = await scope.caller(place)
      const parentId = randomUUID()
      for (const ask of asks(place, parentId, randomUUID(), bodyOf(scope.emptyDraft(place))))
        expectAnswer(await scope.send({ ...ask, as }), { status: 404, error: notFound(parent, parentId) })
      if (!serves(place, 'create')) return
      // The body comes before access.
      const wrong = await scope.send({
        method: 'POST',
        path: collectionPath(place, parentId),
        as,
        body: '[]',
      })
      expectAnswer(wrong, { status: 400, error: /^Invalid request body: / })
    },
  )
}

function foreignParent(platform: Platform, place: Place, parent: Place): Check {
  const needs = { entities: 1, parents: 2, parentsPerCaller: 2 }
  return placeCheck(
    platform,
    place,
    `an entry is found under its own ${parent.label} alone`,
    needs,
    async (scope) => {
      const by = await scope.caller(place)
      const made = await scope.make(place, { by })
      const other = await scope.make(parent, { by })
      const path = itemPath(place, other.id, made.id)
      const lost = { status: 404, error: notFound(place, made.id) }
      const body = bodyOf(made.values)
      for (const [operation, method] of [
        ['read', 'GET'],
        ['update', 'PUT'],
        ['delete', 'DELETE'],
      ] as const) {
        if (!serves(place, operation)) continue
        const ask = { method, path, as: by, body: operation === 'update' ? body : undefined }
        expectAnswer(await scope.send(ask), lost)
      }
      if (serves(place, 'read'))
        expectAnswer(await scope.send({ method: 'GET', path: scope.pathOf(made), as: by }), { status: 200 })
    },
  )
}

function inheritedAccess(platform: Platform, place: Place, parent: Place): Check {
  const { readable, writable } = place.service
  const closed = readable === 'this'
  const sentence = closed
    ? `only who made the ${parent.label} has access to its entries, others get 404 (3 users)`
    : writable === 'this'
      ? `every user can read, only who made the ${parent.label} can write, others get 403 (3 users)`
      : 'every user can read and write (3 users)'
  return placeCheck(platform, place, sentence, { entities: writable === 'this' ? 1 : 3 }, async (scope) => {
    const [creator, ...others] = await scope.callers(place, 3)
    const made = await scope.make(place, { by: creator })
    for (const as of others)
      if (closed) await expectClosed(scope, made, as, parent)
      else {
        await expectReadable(scope, made, as)
        if (writable === 'this') await expectUnwritable(scope, made, as)
        else await expectWritable(scope, made, as)
      }
    await expectReadable(scope, made, creator)
    if (writable === 'this' && serves(place, 'delete')) {
      expectAnswer(await scope.send({ method: 'DELETE', path: scope.pathOf(made), as: creator }), {
        status: 200,
      })
      scope.disown(made)
    }
  })
}

async function expectClosed(scope: Scope, made: Made, as: Caller, parent: Place): Promise<void> {
  const parentId = made.parent?.id ?? ''
  for (const ask of asks(made.place, parentId, made.id, bodyOf(made.values)))
    expectAnswer(await scope.send({ ...ask, as }), { status: 404, error: notFound(parent, parentId) })
}

async function expectReadable(scope: Scope, made: Made, as: Caller): Promise<void> {
  const { place, parent, id, values } = made
  for (const ask of asks(place, parent?.id ?? '', id, '').filter(({ method }) => method === 'GET')) {
    const exchange = await scope.send({ ...ask, as })
    expectAnswer(exchange, { status: 200 })
    if (!ask.path.endsWith('/all'))
      expectEntityAnswer(exchange, 200, { place, id, values, pristine: scope.world.pristine })
  }
}

async function expectUnwritable(scope: Scope, made: Made, as: Caller): Promise<void> {
  const { place, parent } = made
  for (const operation of writesOf(place)) {
    const path = operation === 'create' ? collectionPath(place, parent?.id) : scope.pathOf(made)
    const exchange = await scope.send({ ...writing(operation, made.values), path, as })
    expectAnswer(exchange, { status: 403, error: 'Forbidden' })
  }
}

async function expectWritable(scope: Scope, made: Made, as: Caller): Promise<void> {
  const { place, parent } = made
  const own = await scope.make(place, parent ? { by: as, parent } : { by: as })
  if (serves(place, 'update')) {
    const body = bodyOf(made.values)
    expectAnswer(await scope.send({ method: 'PUT', path: scope.pathOf(made), as, body }), { status: 200 })
  }
  if (!serves(place, 'delete')) return
  expectAnswer(await scope.send({ method: 'DELETE', path: scope.pathOf(own), as: made.by }), { status: 200 })
  scope.disown(own)
}

function ownList(platform: Platform, place: Place): Check {
  const needs = { entities: 2, parents: 2 }
  return placeCheck(
    platform,
    place,
    'list shows the entries of one parent alone, in both forms of its path',
    needs,
    async (scope) => {
      const [first, second = first] = await scope.callers(place, 2)
      const mine = await scope.make(place, { by: first })
      const theirs = await scope.make(place, { by: second })
      for (const { parent, id, by } of [mine, theirs])
        for (const ask of asks(place, parent?.id ?? '', id, '')) {
          if (!ask.path.endsWith('/all')) continue
          const exchange = await scope.send({ ...ask, as: by })
          expectAnswer(exchange, { status: 200 })
          const ids = idsOf(itemsOf(exchange, place))
          expectAnswer(
            { ...exchange, answer: { ...exchange.answer, text: JSON.stringify(ids) } },
            { status: 200, body: [id] },
          )
        }
      const { parent, by } = mine
      const path = `${collectionPath(place, parent?.id)}/x/all`
      expectAnswer(await scope.send({ method: 'GET', path, as: by }), { status: 400, error: /^Invalid id: / })
    },
  )
}

function deletedParent(platform: Platform, place: Place, parent: Place): Check {
  const unique = place.entity.attributes.some((attribute) => attribute.unique && attribute.requested)
  const sentence = `deleting a ${parent.label} deletes its entries${unique ? ', whose @unique values are free again' : ''}`
  return placeCheck(platform, place, sentence, { entities: 1 }, async (scope) => {
    const by = await scope.caller(place)
    const made = await scope.make(place, { by })
    const parentId = made.parent?.id ?? ''
    const path = itemPath(parent, undefined, parentId)
    expectAnswer(await scope.send({ method: 'DELETE', path, as: by }), { status: 200, body: {} })
    scope.disown(made)
    if (made.parent) scope.disown(made.parent)
    for (const ask of asks(place, parentId, made.id, bodyOf(made.values)))
      expectAnswer(await scope.send({ ...ask, as: by }), { status: 404, error: notFound(parent, parentId) })
    const tied = place.entity.attributes.some(({ requested, type }) => requested && type.kind === 'sibling')
    if (!unique || tied) return
    const next = await scope.make(parent, { by })
    const own = place.entity.attributes.filter(({ type }) => type.kind === 'reference' && type.own)
    const body = bodyWith(
      made.values,
      Object.fromEntries(own.map(({ names }) => [names.declared, JSON.stringify(next.id)])),
    )
    const exchange = await scope.send({ method: 'POST', path: collectionPath(place, next.id), as: by, body })
    expectAnswer(exchange, { status: 201 })
    scope.adopt({ ...made, parent: next, id: stringOf(exchange, 'id') })
  })
}

/** An entity of an `#auth` service comes back with the id that it had, but not with its entries. */
function secondLife(platform: Platform, place: Place, parent: Place): Check {
  return placeCheck(
    platform,
    place,
    `a ${parent.label} made again after its deletion has no entries of before`,
    { entities: 1 },
    async (scope) => {
      const by = await scope.caller(place)
      const made = await scope.make(place, { by })
      const before = made.parent
      if (!before) return
      expectAnswer(await scope.send({ method: 'DELETE', path: scope.pathOf(before), as: by }), {
        status: 200,
      })
      scope.disown(made)
      scope.disown(before)
      const again = await scope.make(parent, { by })
      if (serves(place, 'read')) {
        const path = itemPath(place, again.id, made.id)
        const gone = { status: 404, error: notFound(place, made.id) }
        expectAnswer(await scope.send({ method: 'GET', path, as: by }), gone)
      }
      if (serves(place, 'list')) {
        const path = listPath(place, again.id)
        const body = { [place.entity.listKey]: [] }
        expectAnswer(await scope.send({ method: 'GET', path, as: by }), { status: 200, body })
      }
    },
  )
}
