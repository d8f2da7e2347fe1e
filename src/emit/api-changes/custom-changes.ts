import { type Access, admitsAllOf } from '../../access.ts'
import { hasBody, inputAttributes } from '../../model/custom-endpoints.ts'
import { describeCustomAccess } from '../../model/describe-access.ts'
import type { Attribute, CustomEndpoint, CustomResponse, Service } from '../../model/platform.ts'
import { type AppliedRule, attributeChanges, type NewNames } from './attribute-changes.ts'

/** A service as its clients see it. */
interface Server {
  readonly service: Service
  readonly authenticated: boolean
}

/** The custom endpoints of a service before and after, with what changes for their clients. */
export function customEndpointChanges(
  was: Server,
  is: Server,
  newNames: NewNames,
): {
  readonly removed: readonly CustomEndpoint[]
  readonly kept: readonly (readonly [was: CustomEndpoint, is: CustomEndpoint, changes: AppliedRule[]])[]
  readonly added: readonly CustomEndpoint[]
} {
  const after = is.service.customEndpoints
  const pairs = was.service.customEndpoints.map((older) => {
    const below = pathBelow(was, older)
    const newer =
      after.find(({ names }) => names.kebab === older.names.kebab) ??
      after.find((each) => each.method === older.method && pathBelow(is, each) === below)
    return [older, newer] as const
  })
  return {
    removed: pairs.flatMap(([older, newer]) => (newer === undefined ? [older] : [])),
    kept: pairs.flatMap(([older, newer]) =>
      newer === undefined
        ? []
        : [
            [
              older,
              newer,
              [
                ...accessChanges(was, is, older, newer),
                ...statusChanges(older, newer),
                ...requestAndResponseChanges(older, newer, newNames),
              ],
            ] as const,
          ],
    ),
    added: after.filter((each) => pairs.every(([, newer]) => newer !== each)),
  }
}

const pathBelow = ({ service }: Server, { path }: CustomEndpoint): string => path.slice(service.path.length)

function accessChanges(was: Server, is: Server, older: CustomEndpoint, newer: CustomEndpoint): AppliedRule[] {
  const [neededToken, needsToken] = [
    was.authenticated && !older.isPublic,
    is.authenticated && !newer.isPublic,
  ]
  const reason = `Access changed from ${accessText(was, older)} to ${accessText(is, newer)}`
  const changes: AppliedRule[] = []
  if (needsToken && !neededToken) changes.push(['authentication-added', 'A token is required'])
  if (neededToken && !needsToken) changes.push(['authentication-removed', 'No token is required'])
  const [before, now] = [rulesOf(was, older), rulesOf(is, newer)]
  if (!admitsAll(now, before)) changes.push(['access-narrowed', reason])
  else if (!admitsAll(before, now)) changes.push(['access-widened', reason])
  return changes
}

const accessText = ({ service, authenticated }: Server, endpoint: CustomEndpoint): string =>
  describeCustomAccess(endpoint, service, service.names.declared, authenticated)

/** Whom an endpoint admits, tokens aside: those with a role, if they may use the entity. */
function rulesOf(
  { service }: Server,
  { roles, check }: CustomEndpoint,
): readonly [roles: Access, entity: Access] {
  return [
    roles.length === 0 ? 'all' : { creator: false, roles },
    check === undefined ? 'all' : service[check],
  ]
}

const admitsAll = (wider: readonly Access[], narrower: readonly Access[]): boolean =>
  wider.every((access, index) => admitsAllOf(access, narrower[index] ?? 'all'))

function statusChanges({ status: before }: CustomEndpoint, { status }: CustomEndpoint): AppliedRule[] {
  if (status === before) return []
  return [['status-changed', `The success status is ${status} (before: ${before})`]]
}

function requestAndResponseChanges(
  older: CustomEndpoint,
  newer: CustomEndpoint,
  newNames: NewNames,
): AppliedRule[] {
  const [before, now] = [older.response, newer.response]
  const areObjects = before.kind === 'object' && now.kind === 'object'
  const own = attributeChanges(bodyOf(older, areObjects), bodyOf(newer, areObjects), 'create', newNames).map(
    ([rule, reason]): AppliedRule =>
      rule === 'request-attribute-removed' && !hasBody(newer)
        ? [rule, reason.replace('is ignored', 'is rejected')]
        : [rule, reason],
  )
  if (areObjects) return own
  if (before.kind === 'object' || now.kind === 'object' || before.kind !== now.kind)
    return [...own, returnedChange(before, now)]
  const [was, is] = [before.entity, now.entity]
  if (newNames.get(was.names.declared) !== is.names.declared) return [...own, returnedChange(before, now)]
  return [
    ...own,
    ...(now.kind === 'list' && was.listKey !== is.listKey
      ? [
          [
            'list-key-changed',
            `Responses contain the list as \`${is.listKey}\` (before: \`${was.listKey}\`)`,
          ] satisfies AppliedRule,
        ]
      : []),
    ...attributeChanges(was, is, 'read', newNames),
  ]
}

/** The attributes of an endpoint as those of an entity that is created. */
function bodyOf(endpoint: CustomEndpoint, withResponse: boolean) {
  const { names, response } = endpoint
  const returned = withResponse && response.kind === 'object' ? response.attributes : []
  const requested = inputAttributes(endpoint)
  const attributes: Attribute[] = [
    ...requested.map((attribute) => ({ ...attribute, inResponse: returned.includes(attribute) })),
    ...returned.filter((attribute) => !requested.includes(attribute)),
  ]
  return { names, attributes, combinations: [] }
}

function returnedChange(before: CustomResponse, now: CustomResponse): AppliedRule {
  return ['type-changed', `Responses are ${described(now)} (before: ${described(before)})`]
}

function described(response: CustomResponse): string {
  if (response.kind === 'object') return 'objects of the endpoint'
  const { declared } = response.entity.names
  return response.kind === 'list' ? `pages of \`${declared}\`` : `\`${declared}\``
}
