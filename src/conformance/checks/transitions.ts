import { randomUUID } from 'node:crypto'
import { type StateAttribute, stateAttributes } from '../../model/entities.ts'
import { invalidParameterText, transitionText } from '../../model/error-texts.ts'
import { counted } from '../../naming.ts'
import { bodyOf, bodyWith, withValues } from '../body.ts'
import type { Check } from '../check.ts'
import type { CheckContext } from '../check-context.ts'
import { unlinkedValues } from '../entity-values.ts'
import { expectResponse } from '../expect.ts'

import { collectionPath, type Resource } from '../resource.ts'
import type { CreatedEntity } from '../test-context.ts'
import { echoedValue } from '../values/value.ts'
import { CONCURRENT } from './concurrent.ts'
import { expectEntityResponse, expectStored } from './expect-entity.ts'
import { hasEndpoints, resourceCheck } from './resource-check.ts'

/** Checks `@transitions`: every value with every other one. */
export function transitionChecks(resource: Resource): Check[] {
  return stateAttributes(resource.entity)
    .filter(({ inRequest }) => inRequest)
    .flatMap((attribute) => [
      ...(hasEndpoints(resource, 'create') ? [createCheck(resource, attribute)] : []),
      ...(hasEndpoints(resource, 'patch') ? changeChecks(resource, attribute) : []),
    ])
}

function createCheck(resource: Resource, { names: { declared }, type }: StateAttribute): Check {
  const { initial } = type.transitions
  const title = `create accepts only \`${initial}\` for \`${declared}\``
  return resourceCheck(resource, title, { entities: 0 }, async (context) => {
    const user = await context.user(resource)
    for (const value of type.values.filter((each) => each !== initial)) {
      const body = bodyWith(unlinkedValues(resource), { [declared]: JSON.stringify(value) })
      const path = collectionPath(resource, randomUUID())
      const exchange = await context.send({ method: 'POST', path, as: user, body })
      const error = invalidParameterText(declared, `must be ${initial}`)
      expectResponse(exchange, { status: 400, error })
    }
  })
}

/** The values that an entity can have, each with the changes that lead to it. */
function pathsOf({ initial, next }: StateAttribute['type']['transitions']): ReadonlyMap<string, string[]> {
  const paths = new Map<string, string[]>([[initial, []]])
  const following = new Map(next)
  // Includes the values that are added on the way.
  for (const [value, path] of paths)
    for (const to of following.get(value) ?? []) if (!paths.has(to)) paths.set(to, [...path, to])
  return paths
}

function changeChecks(resource: Resource, attribute: StateAttribute): Check[] {
  const { names, type } = attribute
  const following = new Map(type.transitions.next)
  const one = { entities: 1 }
  const checks = [...pathsOf(type.transitions)].flatMap(([from, path]): Check[] => {
    const allowed = following.get(from) ?? []
    const refused = type.values.filter((value) => value !== from && !allowed.includes(value))
    return [
      ...allowed.map((to) =>
        resourceCheck(
          resource,
          `\`${names.declared}\` can change from \`${from}\` to \`${to}\``,
          one,
          (context) => changeTo(context, resource, attribute, [...path, to]).then(() => {}),
        ),
      ),
      ...(refused.length === 0
        ? []
        : [
            resourceCheck(
              resource,
              `\`${names.declared}\` cannot change from \`${from}\` to ${counted(refused.length, 'other value')}`,
              one,
              async (context) => {
                const created = await changeTo(context, resource, attribute, path)
                for (const to of refused) await expectRefused(context, created, attribute, from, to)
              },
            ),
          ]),
    ]
  })
  return [...checks, ...raceChecks(resource, attribute)]
}

/** Changes a new entity step by step. PUT and PATCH take turns. */
async function changeTo(
  context: CheckContext,
  resource: Resource,
  { names }: StateAttribute,
  path: readonly string[],
): Promise<CreatedEntity> {
  const created = await context.create(resource, { user: await context.user(resource) })
  let { values } = created
  for (const [index, value] of path.entries()) {
    const change = [[names.declared, echoedValue(value)]] as const
    values = withValues(values, change)
    const isPatch = index % 2 === path.length % 2
    const exchange = await context.send({
      method: isPatch ? 'PATCH' : 'PUT',
      path: context.pathOf(created),
      as: created.user,
      body: bodyOf(isPatch ? new Map(change) : values),
    })
    const { id } = created
    expectEntityResponse(exchange, 200, { resource, id, values, isolated: context.test.isolated })
  }
  const changed = { ...created, values }
  await expectStored(context, changed, values, created.user)
  return changed
}

async function expectRefused(
  context: CheckContext,
  created: CreatedEntity,
  { names: { declared } }: StateAttribute,
  from: string,
  to: string,
): Promise<void> {
  const change = [[declared, echoedValue(to)]] as const
  const [path, as] = [context.pathOf(created), created.user]
  const requests = [
    { method: 'PATCH', path, as, body: bodyOf(new Map(change)) },
    { method: 'PUT', path, as, body: bodyOf(withValues(created.values, change)) },
  ] as const
  for (const request of requests) {
    expectResponse(await context.send(request), { status: 409, error: transitionText(declared, from, to) })
    await expectStored(context, created, created.values, as)
  }
}

/** Of changes at the same moment that exclude each other, one is stored. */
function raceChecks(resource: Resource, attribute: StateAttribute): Check[] {
  const { names, type } = attribute
  const following = new Map(type.transitions.next)
  const found = [...pathsOf(type.transitions)].flatMap(([from, path]) => {
    const targets = following.get(from) ?? []
    const rivals = targets.filter((to) => !targets.some((other) => following.get(other)?.includes(to)))
    const [first, second] = rivals
    return first === undefined || second === undefined ? [] : [{ path, targets: [first, second] as const }]
  })
  const [race] = found
  if (race === undefined) return []
  const { path, targets } = race
  const title = `of concurrent changes of \`${names.declared}\` to \`${targets[0]}\` and \`${targets[1]}\`, those to one of them succeed`
  return [
    resourceCheck(resource, title, { entities: 1 }, async (context) => {
      const created = await changeTo(context, resource, attribute, path)
      const exchanges = await Promise.all(
        Array.from({ length: CONCURRENT }, (_, index) => {
          const to = targets[index % 2 === 0 ? 0 : 1]
          const body = bodyOf(new Map([[names.declared, echoedValue(to)]]))
          return context
            .send({ method: 'PATCH', path: context.pathOf(created), as: created.user, body })
            .then((exchange) => ({ exchange, to }))
        }),
      )
      const winner = exchanges.find(({ exchange }) => exchange.response.status === 200)?.to ?? targets[0]
      for (const { exchange, to } of exchanges)
        expectResponse(
          exchange,
          to === winner
            ? { status: 200 }
            : { status: 409, error: transitionText(names.declared, winner, to) },
        )
      const values = withValues(created.values, [[names.declared, echoedValue(winner)]])
      await expectStored(context, created, values, created.user)
    }),
  ]
}
