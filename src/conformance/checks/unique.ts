import type { Attribute } from '../../model/platform.ts'
import { bodyOf, requestAttributes, withValues } from '../body.ts'
import type { Check } from '../check.ts'
import { expectResponse, stringOf } from '../expect.ts'
import { collectionPath, entityName, filling, type Resource } from '../resource.ts'
import type { CheckContext } from '../check-context.ts'
import { randomValue } from '../values/sample.ts'
import { echoedValue, type Value } from '../values/value.ts'
import type { CreatedEntity } from '../test-context.ts'
import { CONCURRENT, expectOneCreated } from './concurrent.ts'
import { resourceCheck, hasEndpoints } from './resource-check.ts'
import { duplicateText } from '../../model/error-texts.ts'
import { isReference } from '../../model/entities.ts'

/** Length of a value that does not fit into a B-tree row (2,700 bytes), in code points. */
const LONG = 6000

/** Checks `@unique` attributes. */
export function uniqueChecks(resource: Resource): Check[] {
  return requestAttributes(resource)
    .filter(({ unique }) => unique)
    .flatMap((attribute) => {
      const filled = filling(resource, attribute)
      return [
        ...createChecks(filled, attribute),
        ...updateChecks(filled, attribute),
        ...longCheck(filled, attribute),
      ]
    })
}

function createChecks(resource: Resource, attribute: Attribute): Check[] {
  const name = attribute.names.declared
  const across = resource.struct ? ' across all parents' : ''
  const two = { entities: 2, parents: 2 }
  const checks = [
    resourceCheck(resource, `create rejects a duplicate \`${name}\`${across}`, two, async (context) => {
      const [first, second = first] = await context.users(resource, 2)
      const created = await context.create(resource, { user: first })
      await expectDuplicate(context, created, attribute, second)
      await expectDuplicate(context, created, attribute, first)
    }),
  ]
  // Concurrent requests cannot share a reference, because it may belong to one user.
  if (!isReference(attribute.type))
    checks.push(
      resourceCheck(
        resource,
        `only 1 of ${CONCURRENT} concurrent creates with the same \`${name}\` succeeds`,
        { entities: 1, perUser: CONCURRENT },
        (context) => race(context, resource, attribute),
      ),
    )
  if (hasEndpoints(resource, 'delete'))
    checks.push(
      resourceCheck(
        resource,
        `the \`${name}\` of a deleted entity can be used again`,
        { entities: 1 },
        async (context) => {
          const created = await context.create(resource, { user: await context.user(resource) })
          expectResponse(
            await context.send({ method: 'DELETE', path: context.pathOf(created), as: created.user }),
            {
              status: 200,
            },
          )
          context.untrack(created)
          const path = collectionPath(resource, created.parent?.id)
          const body = bodyOf(created.values)
          const exchange = await context.send({ method: 'POST', path, as: created.user, body })
          expectResponse(exchange, { status: 201 })
          context.track({ ...created, id: stringOf(exchange, 'id') })
        },
      ),
    )
  return checks
}

/** Expects a conflict. All other values are new, so that only this attribute can cause it. */
async function expectDuplicate(
  context: CheckContext,
  created: CreatedEntity,
  attribute: Attribute,
  user: CreatedEntity['user'],
): Promise<void> {
  const { resource } = created
  const { type, names } = attribute
  // The second user may not be able to read what the first one refers to.
  const closed = type.kind === 'sibling' || (type.kind === 'reference' && user !== created.user)
  const parent = closed || user === created.user ? created.parent : await context.parentFor(resource, user)
  const as = closed ? created.user : user
  const taken = created.values.get(names.declared)
  if (!taken) return
  const values = await context.values.generate(resource, as, parent, [[names.declared, taken]])
  const path = collectionPath(resource, parent?.id)
  const exchange = await context.send({ method: 'POST', path, as, body: bodyOf(values) })
  expectResponse(exchange, { status: 409, error: duplicateText(entityName(resource)) })
}

async function race(context: CheckContext, resource: Resource, attribute: Attribute): Promise<void> {
  const user = await context.user(resource)
  const parent = await context.parentFor(resource, user)
  const others = requestAttributes(resource).filter(({ unique }) => unique)
  // Small ranges of other @unique attributes would run out, so all requests share one set of values.
  const values = await context.values.generate(resource, user, parent)
  const bodies = await Promise.all(
    Array.from({ length: CONCURRENT }, async () =>
      others.length === 1
        ? bodyOf(values)
        : bodyOf(withValues(values, await variations(context, resource, others, attribute))),
    ),
  )
  const path = collectionPath(resource, parent?.id)
  const exchanges = await Promise.all(
    bodies.map((body) => context.send({ method: 'POST', path, as: user, body })),
  )
  expectOneCreated(exchanges, duplicateText(entityName(resource)), (exchange) => {
    context.track({ resource, parent, id: stringOf(exchange, 'id'), values, user })
  })
}

/** Generates new values for the other `@unique` attributes. */
async function variations(
  context: CheckContext,
  resource: Resource,
  unique: readonly Attribute[],
  fixed: Attribute,
): Promise<(readonly [string, Value])[]> {
  const varied: (readonly [string, Value])[] = []
  for (const attribute of unique) {
    const { type } = attribute
    if (attribute === fixed || isReference(type)) continue
    if (type.kind === 'bool') continue
    const samples = resource.samples.of(resource.label, attribute, 'create')
    const unused = (samples.length > 0 ? samples : [randomValue(type)]).find((value) =>
      context.values.reserve(resource, attribute, value),
    )
    if (unused !== undefined) varied.push([attribute.names.declared, unused])
  }
  return varied
}

function updateChecks(resource: Resource, attribute: Attribute): Check[] {
  if (!hasEndpoints(resource, 'update')) return []
  const { declared: name } = attribute.names
  const { kind } = attribute.type
  const parents = kind === 'sibling' ? 1 : 2
  const isLink = isReference(attribute.type)
  const perUser = isLink ? 2 : 1
  const parentsPerUser = kind === 'reference' ? 2 : 1
  const requirements = { entities: 2, perUser, parents, parentsPerUser }
  return [
    resourceCheck(
      resource,
      `update rejects the \`${name}\` of another entity`,
      requirements,
      async (context) => {
        const [first, second = first] = await context.users(resource, 2)
        const created = await context.create(resource, { user: first })
        const other = await context.create(resource, {
          user: isLink ? first : second,
          ...(kind === 'sibling' && created.parent ? { parent: created.parent } : {}),
        })
        const taken = created.values.get(name)
        if (!taken) return
        const path = context.pathOf(other)
        const stolen = bodyOf(withValues(other.values, [[name, taken]]))
        const refused = { status: 409, error: duplicateText(entityName(resource)) }
        for (const method of ['PUT', 'PATCH'])
          expectResponse(await context.send({ method, path, as: other.user, body: stolen }), refused)
        const own = bodyOf(other.values)
        expectResponse(await context.send({ method: 'PUT', path, as: other.user, body: own }), {
          status: 200,
        })
      },
    ),
  ]
}

function longCheck(resource: Resource, attribute: Attribute): Check[] {
  const { type, names } = attribute
  const room =
    type.kind === 'string' ? type.maxLength : type.kind === 'data' ? type.maxSize : (0 as number | undefined)
  if (room !== undefined && room < LONG) return []
  const title = `\`${names.declared}\` is unique at any length`
  return [
    resourceCheck(resource, title, { entities: 2, parents: 2 }, async (context) => {
      const [first, second = first] = await context.users(resource, 2)
      const value = longValue(type.kind === 'data')
      const created = await context.create(resource, { user: first, values: [[names.declared, value]] })
      await expectDuplicate(context, created, attribute, second)
      const other = longValue(type.kind === 'data')
      await context.create(resource, { user: second, values: [[names.declared, other]] })
    }),
  ]
}

/** Returns random text, because Postgres compresses repetitive text. */
function longValue(data: boolean): Value {
  const bytes = Buffer.concat(
    Array.from({ length: LONG / 16 }, () => Buffer.from(crypto.getRandomValues(new Uint8Array(16)))),
  )
  return echoedValue(data ? bytes.toString('base64') : bytes.toString('hex').slice(0, LONG))
}
