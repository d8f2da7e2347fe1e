import { joined } from '../../naming.ts'
import { targetOf } from '../targets.ts'
import { inputAttributes } from '../../model/custom-endpoints.ts'
import { describeCustomEndpointAccess, describeEndpointAccess } from '../../model/describe-access.ts'
import { describeCombination } from '../../model/combination.ts'
import {
  authenticationErrorResponses,
  customErrorResponses,
  type ErrorResponse,
  errorResponses,
} from '../../model/error-responses.ts'
import { hasOperation, stateAttributes } from '../../model/entities.ts'
import {
  assertNever,
  type Attribute,
  type Authentication,
  type CustomEndpointContext,
  type Endpoint,
  type Entity,
  type Platform,
  type Service,
} from '../../model/platform.ts'
import { describeRequestUse, describeType, transitionsNote } from '../../model/type-description.ts'
import { stateChart } from '../diagram/state-chart.ts'
import { rolesExample } from './configuration.ts'
import type { CreationStep } from './creation-order.ts'
import { authenticationCommands, customCommand, deleteCommands, entityCommands } from './curl-commands.ts'
import { codeBlock, markdownText, oneLine, paragraphs, table } from './markdown.ts'

/** The section about registration and login, which names the paths of `services` that require no token. */
export function authenticationSection(authentication: Authentication, services: readonly Service[]): string {
  const { path, directory, roles } = authentication
  const open = services.flatMap(({ publicPaths }) => publicPaths.map((each) => `\`${each}\``))
  const requests = services.flatMap(({ customEndpoints }) =>
    customEndpoints.flatMap(({ isPublic, method, path: at }) => (isPublic ? [`\`${method} ${at}\``] : [])),
  )
  const exceptions = [
    ...requests,
    ...(open.length === 0 ? [] : [`those to your own routes at ${open.join(', ')} and below`]),
  ]
  return paragraphs(
    '### Authentication',
    table(
      ['Request', 'Body', 'Response', 'Errors'],
      [
        [
          `\`POST ${path}/register\``,
          '`email`, `password` (at least 8 characters, at most 72 bytes)',
          '201 `AccessToken`',
          expectedStatuses(authenticationErrorResponses('register')),
        ],
        [
          `\`POST ${path}/login\``,
          '`email`, `password`',
          '200 `AccessToken`',
          expectedStatuses(authenticationErrorResponses('login')),
        ],
      ],
    ),
    `All other requests require the header \`Authorization: Bearer <AccessToken>\`${exceptions.length === 0 ? '' : `, except ${joined(exceptions, 'and')}`}. A token is valid for 24 hours, unless \`TOKEN_LIFETIME_MINUTES\` changes it. Without a valid token, the gateway responds with 401.`,
    codeBlock('sh', authenticationCommands(path)),
    roles.length === 0
      ? undefined
      : `Tokens carry the roles of their user (${roles.join(', ')}). Give users roles ${targetOf(authentication).readme.roles(directory)}, or with the variable \`AUTH_ROLES\` in \`${directory}/.env\`: \`AUTH_ROLES=${rolesExample(authentication)}\`, with the \`id\` in their tokens. The roles take effect at the next login. The commands below that require a role fail without it.`,
  )
}

/** The section of an entity. A struct's section is nested in its service's, unless other entities must be created first. */
export function entitySection(
  placed: CreationStep,
  before: CreationStep | undefined,
  platform: Platform,
): string {
  const { entity, parent, service } = placed
  const customs = parent === undefined ? service.customEndpoints : []
  const nested = parent !== undefined && before?.service === service
  const heading =
    nested || parent === undefined
      ? entity.names.declared
      : `${parent.names.declared}: ${entity.names.declared}`
  return paragraphs(
    `${nested ? '####' : '###'} ${heading}`,
    markdownText(entity.documentation),
    entity.attributes.length === 0
      ? undefined
      : table(
          ['Attribute', 'Type', 'In requests', 'In responses'],
          entity.attributes.map((attribute) => attributeRow(attribute, entity)),
        ),
    ...entity.combinations.map(
      (combination) => `The combination of ${describeCombination(combination)} is unique.`,
    ),
    versionText(entity),
    service.idempotent && hasOperation(entity, 'create')
      ? 'POST accepts the header `Idempotency-Key`: repeated with the same key and body within 24 hours, it returns the first response again and creates nothing else.'
      : undefined,
    ...stateAttributes(entity).flatMap(({ names, type }) => [
      `\`${names.declared}\`: ${transitionsNote(type.transitions)}`,
      codeBlock('mermaid', stateChart(type.transitions)),
    ]),
    ...(entity.endpoints.length === 0
      ? customs.length > 0
        ? []
        : ['No endpoints.']
      : [
          table(
            ['Request', 'Access', 'Response', 'Errors'],
            entity.endpoints.map((endpoint) => endpointRow(endpoint, placed, platform)),
          ),
          codeBlock('sh', entityCommands(placed, platform)),
        ]),
    ...(customs.length === 0
      ? []
      : [
          table(
            ['Request', 'Takes', 'Access', 'Response', 'Errors'],
            customs.map((endpoint) => customRow({ platform, service, endpoint })),
          ),
          codeBlock(
            'sh',
            customs.map((endpoint) => customCommand({ platform, service, endpoint })),
          ),
        ]),
  )
}

/** How requests use versions. */
function versionText({ version }: Entity): string | undefined {
  if (version === undefined) return undefined
  const use = version === 'required' ? 'PUT, PATCH and DELETE require it' : 'PUT, PATCH and DELETE accept it'
  return `Responses have the version of the entity as the header \`ETag\`. ${use} as \`If-Match\`: if someone has changed the entity since, the response is 412. With \`If-None-Match\`, GET returns 304 if nothing has changed.`
}

const namesIn = (attributes: readonly Attribute[]): string =>
  attributes.map((attribute) => `\`${attribute.names.declared}\``).join(', ')

/** The row of an endpoint that the definition declares. */
function customRow(context: CustomEndpointContext): string[] {
  const { endpoint } = context
  const { method, path, documentation, status, response } = endpoint
  const taken = inputAttributes(endpoint).map(
    (attribute) =>
      `\`${attribute.names.declared}\` (${oneLine(`${describeType(attribute.type)}, ${describeRequestUse(attribute)}`)})`,
  )
  const returned =
    response.kind === 'object'
      ? namesIn(response.attributes) || '`{}`'
      : response.kind === 'entity'
        ? `the ${response.entity.names.declared}`
        : `\`{"${response.entity.listKey}": [...]}\`, paged with \`?limit=\` and \`&after=\``
  return [
    `\`${method} ${path}\`${documentation === '' ? '' : `: ${oneLine(documentation)}`}`,
    taken.join(', '),
    describeCustomEndpointAccess(context),
    `${status} ${returned}`,
    expectedStatuses(customErrorResponses(context)),
  ]
}

/** The section that deletes what the commands before it created, in reverse order. */
export function deletionSection(order: readonly CreationStep[], platform: Platform): string | undefined {
  const commands = [...order].reverse().flatMap((placed) => deleteCommands(placed, platform))
  if (commands.length === 0) return undefined
  return paragraphs('### Delete the examples', codeBlock('sh', commands))
}

function attributeRow(attribute: Attribute, { endpoints }: Entity): string[] {
  const isSent = endpoints.some(({ operation }) => operation === 'create' || operation === 'update')
  const documentation = attribute.documentation === '' ? '' : `: ${oneLine(attribute.documentation)}`
  return [
    `\`${attribute.names.declared}\`${documentation}`,
    `${describeType(attribute.type)}${attribute.unique ? ', unique' : ''}`,
    isSent ? oneLine(describeRequestUse(attribute)) : 'no',
    attribute.inResponse ? 'yes' : 'no',
  ]
}

function endpointRow(endpoint: Endpoint, placed: CreationStep, platform: Platform): string[] {
  const { entity, service } = placed
  const context = { platform, service, entity, endpoint }
  return [
    endpoint.paths.map((path) => `\`${endpoint.method} ${path}\``).join(', '),
    describeEndpointAccess(context),
    `${endpoint.success} ${responseText(endpoint, entity)}`,
    expectedStatuses(errorResponses(context)),
  ]
}

/** The statuses that a client has to expect: all errors except internal ones. */
function expectedStatuses(responses: readonly ErrorResponse[]): string {
  const statuses = new Set(responses.map(({ status }) => status))
  return [...statuses].filter((status) => status !== 500).join(', ')
}

function responseText({ operation }: Endpoint, entity: Entity): string {
  switch (operation) {
    case 'create':
    case 'read':
    case 'update':
    case 'patch':
      return 'the entity'
    case 'delete':
      return '`{}`'
    case 'list':
      return `\`{"${entity.listKey}": [...]}\`, paged with \`?limit=\` and \`&after=\`, only some with \`?id[in]=\`${criteriaText(entity)}`
    case 'identify':
      return "redirect to the caller's entity"
    default:
      return assertNever(operation)
  }
}

function criteriaText({ criteria }: Entity): string {
  if (criteria === undefined) return ''
  const { filter, sort } = criteria
  return [
    ...(filter.length === 0 ? [] : [`, filtered by ${namesOf(filter)}`]),
    ...(sort.length === 0 ? [] : [`, sorted by ${namesOf(sort)}`]),
    ', counted with `&total=true`',
  ].join('')
}

function namesOf(attributes: readonly Attribute[]): string {
  return attributes.map(({ names: { declared } }) => `\`${declared}\``).join(', ')
}
