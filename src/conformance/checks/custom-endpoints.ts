import { randomUUID } from 'node:crypto'
import { admitsRole } from '../../access.ts'
import { isReference } from '../../model/entities.ts'
import { hasBody, inputAttributes, queryNames } from '../../model/custom-endpoints.ts'
import type { Attribute, CustomEndpoint } from '../../model/platform.ts'
import { SERVICE_TEXTS } from '../../model/error-texts.ts'
import { objectText } from '../body.ts'
import type { Check } from '../check.ts'
import type { CheckContext } from '../check-context.ts'
import type { User } from '../client.ts'
import type { Exchange } from '../exchange.ts'
import { expectResponse } from '../expect.ts'
import type { Resource } from '../resource.ts'
import { smallValue } from '../values/sample.ts'
import { notFound } from './expect-entity.ts'
import { invalidAttributePattern } from './required-attributes.ts'
import { resourceCheck } from './resource-check.ts'

/** Checks what declared endpoints refuse before their handlers run, whose responses may be any. */
export function customEndpointChecks(resource: Resource): Check[] {
  if (resource.struct) return []
  return resource.service.customEndpoints.flatMap((endpoint) => [
    resourceCheck(
      resource,
      `${endpoint.names.camel} refuses requests without access, and invalid ones`,
      { entities: 0 },
      (context) => checkRefusals(context, resource, endpoint),
    ),
    ...foreignCheck(resource, endpoint),
  ])
}

/** JSON texts by attribute. In a path or a query, strings have no quotes. */
type Values = ReadonlyMap<Attribute, string>

const refuses = async (exchange: Promise<Exchange>, error: string | RegExp): Promise<void> =>
  expectResponse(await exchange, { status: 400, error })

async function checkRefusals(
  context: CheckContext,
  resource: Resource,
  endpoint: CustomEndpoint,
): Promise<void> {
  const { hasId, pathAttributes, requestAttributes, check, roles, isPublic } = endpoint
  const [plain] = await context.test.sharedUsers(1)
  const valid = validValues(endpoint)
  const send = (
    values: Values,
    {
      id = randomUUID(),
      query = '',
      as = plain,
    }: { id?: string; query?: string; as?: User | undefined } = {},
  ): Promise<Exchange> => context.send(requestOf(endpoint, values, id, query, as))

  if (hasId) await refuses(send(valid, { id: '42' }), 'Invalid id: 42')
  for (const attribute of [...pathAttributes, ...requestAttributes]) {
    const name = attribute.names.declared
    const invalid = invalidText(attribute, pathAttributes.includes(attribute) || !hasBody(endpoint))
    if (invalid !== undefined)
      await refuses(send(new Map([...valid, [attribute, invalid]])), invalidAttributePattern(name))
    if (!attribute.required || pathAttributes.includes(attribute)) continue
    const others = new Map([...valid].filter(([each]) => each !== attribute))
    await refuses(send(others), `Missing request parameter(s): ${name}`)
  }
  if (queryNames(endpoint).length > 0)
    await refuses(send(valid, { query: 'other=1' }), 'Unknown query parameter other')
  if (endpoint.response.kind === 'list')
    await refuses(send(valid, { query: 'limit=0' }), invalidAttributePattern('limit'))

  const { authentication } = context.test.platform
  if (authentication !== undefined && !isPublic) {
    const path = requestOf(endpoint, valid, randomUUID(), '', undefined)
    expectResponse(await context.send(path), { status: 401 })
  }
  if (authentication !== undefined && roles.length > 0) {
    expectResponse(await send(valid), { status: 403, error: SERVICE_TEXTS.forbidden })
    return
  }
  if (check !== undefined) {
    const id = randomUUID()
    const access = resource.service[check]
    // Without a role, the answer depends on whether the caller can read the entity.
    const isRoleOnly = access !== 'all' && !access.creator
    const exchange = await send(valid, { id })
    if (!isRoleOnly) expectResponse(exchange, { status: 404, error: notFound(resource, id) })
    return
  }
  if ([...valid.keys()].some(({ type }) => isReference(type))) await refuses(send(valid), /^Unknown /)
}

/** Checks that an endpoint refuses the entity of another user, who may not read it or not write it. */
function foreignCheck(resource: Resource, endpoint: CustomEndpoint): Check[] {
  const { check, roles, names } = endpoint
  const { service, platform } = resource
  const access = check === undefined ? 'all' : service[check]
  if (!platform.authentication || access === 'all') return []
  // The caller has a role that the endpoint requires, but none that admits to every entity.
  const role = roles.find((each) => !admitsRole(access, each))
  if (role === undefined && roles.length > 0) return []
  const reads = service.readable === 'all' || (role !== undefined && admitsRole(service.readable, role))
  const title = `${names.camel} refuses the entity of another user (2 users)`
  return [
    resourceCheck(resource, title, { entities: 1 }, async (context) => {
      const [creator, other = creator] = await context.users(resource, 2)
      const { id } = await context.create(resource, { user: creator })
      const hasRoles = role !== undefined || context.test.feasibility(resource).needsRole
      const as = hasRoles ? context.test.withRoles(other, role === undefined ? [] : [role]) : other
      expectResponse(
        await context.send(requestOf(endpoint, validValues(endpoint), id, '', as)),
        reads
          ? { status: 403, error: SERVICE_TEXTS.forbidden }
          : { status: 404, error: notFound(resource, id) },
      )
    }),
  ]
}

/** A valid value of each attribute of a request. References are to nothing. */
function validValues(endpoint: CustomEndpoint): Values {
  return new Map(
    inputAttributes(endpoint).map((attribute) => [
      attribute,
      isReference(attribute.type) ? JSON.stringify(randomUUID()) : smallValue(attribute.type).json,
    ]),
  )
}

function requestOf(
  endpoint: CustomEndpoint,
  values: Values,
  id: string,
  query: string,
  as: User | undefined,
) {
  const { method, path, pathAttributes, requestAttributes } = endpoint
  const sent = requestAttributes.flatMap((attribute) => {
    const json = values.get(attribute)
    return json === undefined ? [] : [[attribute.names.declared, json] as const]
  })
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const attribute = pathAttributes.find(({ names }) => names.declared === name)
    return attribute === undefined ? id : encodeURIComponent(plainText(values.get(attribute) ?? ''))
  })
  const parameters = [
    ...(hasBody(endpoint)
      ? []
      : sent.map(([name, json]) => `${name}=${encodeURIComponent(plainText(json))}`)),
    ...(query === '' ? [] : [query]),
  ]
  return {
    method,
    path: parameters.length === 0 ? filled : `${filled}?${parameters.join('&')}`,
    as,
    ...(hasBody(endpoint) ? { body: objectText(sent) } : {}),
  }
}

/** A JSON text as it is written in a path or a query. */
const plainText = (json: string): string => (json.startsWith('"') ? (JSON.parse(json) as string) : json)

/** A value that is invalid; `undefined` if every text is valid. */
function invalidText({ type }: Attribute, isText: boolean): string | undefined {
  if (type.kind !== 'string') return '"x or 1"'
  if (!isText) return '1'
  return type.maxLength !== undefined && type.maxLength <= 1000
    ? JSON.stringify('a'.repeat(type.maxLength + 1))
    : undefined
}
