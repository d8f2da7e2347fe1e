import { describeCombination } from '../../model/combination.ts'
import type { Attribute, Combination } from '../../model/platform.ts'
import { bodyOf, type AttributeValues, withValues } from '../body.ts'
import type { Check } from '../check.ts'
import type { CheckContext } from '../check-context.ts'
import { distinguishingAttribute } from '../distinct.ts'
import { expectResponse, stringOf } from '../expect.ts'
import { collectionPath, entityName, filling, isLeftEmpty, type Resource } from '../resource.ts'
import type { CreatedEntity } from '../test-context.ts'
import type { Value } from '../values/value.ts'
import { CONCURRENT, expectOneCreated } from './concurrent.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { duplicateText } from '../../model/error-texts.ts'

/** Checks `#unique`. */
export function combinationChecks(resource: Resource): Check[] {
  return resource.entity.combinations
    .filter((combination) => attributesOf(combination).every(({ inRequest }) => inRequest))
    .flatMap((combination) => {
      // Other checks leave optional references empty.
      const [empty, ...others] = attributesOf(combination).filter((attribute) =>
        isLeftEmpty(resource, attribute),
      )
      if (others.length > 0) return []
      const filled = empty === undefined ? resource : filling(resource, empty)
      return checksOf(filled, combination)
    })
}

function checksOf(resource: Resource, combination: Combination): Check[] {
  const names = describeCombination(combination)
  const check = (
    title: string,
    entities: number,
    run: (context: CheckContext, first: CreatedEntity) => Promise<void>,
    parents = 1,
  ): Check => {
    const requirements = { entities, perUser: entities, parents, parentsPerUser: parents }
    return resourceCheck(resource, title, requirements, async (context) =>
      run(context, await context.create(resource, { user: await context.user(resource) })),
    )
  }
  const checks = [
    check(`create rejects a duplicate combination of ${names}`, 2, async (context, first) => {
      const values = await similar(context, first, combination)
      expectResponse(await post(context, first, values), duplicate(resource))
    }),
    check(`only 1 of ${CONCURRENT} concurrent creates with the same ${names} succeeds`, CONCURRENT + 1, race),
  ]
  const different = distinguishingAttribute(combination)
  if (different !== undefined && isAlone(resource, combination, different))
    checks.push(
      check(
        `create accepts ${names} if \`${different.names.declared}\` differs`,
        2,
        async (context, first) => {
          const others = combination.filter((member) => member !== different)
          await store(context, first, await similar(context, first, others))
        },
      ),
    )
  const optional = attributesOf(combination).find(
    (attribute) => attribute.optional && attribute.default === undefined,
  )
  if (optional !== undefined && isAlone(resource, combination, optional))
    checks.push(
      check(
        `create accepts the same ${names} twice without \`${optional.names.declared}\``,
        3,
        async (context, first) => {
          const without = [[optional.names.declared, { json: 'null', expected: null }]] as const
          for (let count = 0; count < 2; count++) {
            const values = await similar(context, first, combination)
            await store(context, first, withValues(values, without))
          }
        },
      ),
    )
  // Neither attribute is unique among all parents.
  if (combination.includes('parent') && isAlone(resource, combination, undefined) && !isTied(combination))
    checks.push(
      check(
        `create accepts the same ${names} under another parent`,
        2,
        async (context, first) => {
          await context.create(resource, { user: first.user, values: taken(first, combination) })
        },
        2,
      ),
    )
  if (hasEndpoints(resource, 'update'))
    checks.push(
      check(`update rejects the ${names} of another entity`, 2, async (context, first) => {
        const second = await context.create(resource, {
          user: first.user,
          ...(first.parent === undefined ? {} : { parent: first.parent }),
        })
        const path = context.pathOf(second)
        const stolen = withValues(second.values, taken(first, combination))
        const send = (values: AttributeValues) =>
          context.send({ method: 'PUT', path, as: second.user, body: bodyOf(values) })
        expectResponse(await send(stolen), duplicate(resource))
        expectResponse(await send(second.values), { status: 200 })
      }),
    )
  return checks
}

/** Whether no other constraint keeps the values of a combination apart when this attribute differs. */
function isAlone({ entity }: Resource, combination: Combination, different: Attribute | undefined): boolean {
  const others = attributesOf(combination).filter((attribute) => attribute !== different)
  return !others.some(
    (attribute) =>
      attribute.unique ||
      entity.combinations.some((each) => each !== combination && distinguishingAttribute(each) === attribute),
  )
}

/** Whether an entry refers to others under the same parent. */
function isTied(combination: Combination): boolean {
  return attributesOf(combination).some(({ type }) => type.kind === 'sibling')
}

async function race(context: CheckContext, first: CreatedEntity): Promise<void> {
  const values = await similar(context, first, [])
  const exchanges = await Promise.all(Array.from({ length: CONCURRENT }, () => post(context, first, values)))
  const { resource, parent, user } = first
  expectOneCreated(exchanges, duplicate(resource).error, (exchange) => {
    context.track({ resource, parent, id: stringOf(exchange, 'id'), values, user })
  })
}

function attributesOf(combination: Combination): Attribute[] {
  return combination.filter((member) => member !== 'parent')
}

function duplicate(resource: Resource): { status: number; error: string } {
  return { status: 409, error: duplicateText(entityName(resource)) }
}

/** The values that an entity has of these attributes. */
function taken(first: CreatedEntity, members: Combination): [string, Value][] {
  return attributesOf(members).flatMap(({ names: { declared } }) => {
    const value = first.values.get(declared)
    return value === undefined ? [] : [[declared, value] as [string, Value]]
  })
}

/** New values for an entity under the same parent, with those of the first one for these attributes. */
function similar(
  context: CheckContext,
  first: CreatedEntity,
  members: Combination,
): Promise<AttributeValues> {
  return context.values.generate(first.resource, first.user, first.parent, taken(first, members))
}

function post(context: CheckContext, { resource, parent, user }: CreatedEntity, values: AttributeValues) {
  return context.send({
    method: 'POST',
    path: collectionPath(resource, parent?.id),
    as: user,
    body: bodyOf(values),
  })
}

async function store(context: CheckContext, first: CreatedEntity, values: AttributeValues): Promise<void> {
  const exchange = await post(context, first, values)
  expectResponse(exchange, { status: 201 })
  const { resource, parent, user } = first
  context.track({ resource, parent, id: stringOf(exchange, 'id'), values, user })
}
