import type { AttributeType, Endpoint, Entity, Names, Platform } from '../../model/platform.ts'
import { SAMPLE_ID, type SampleValue, sampleValues } from '../../model/samples.ts'
import type { Placed } from './order.ts'

/** Longest line of a command before its body takes a line of its own. */
const LINE_WIDTH = 110
/** A text that is longer than this is written by the shell, not by the page. */
const LONGEST_TEXT = 200

/** The shell variable that holds the id of an entity: `HOME_ID`. */
function idVariable({ snake }: Names): string {
  return `${snake.toUpperCase()}_ID`
}

/** The commands that sign a user up and in, and keep the token in `TOKEN`. */
export function signInCommands(path: string): string[] {
  const body = `-d '{"email": "somebody@example.com", "password": "correct horse"}'`
  return [
    `curl $GATEWAY_ENTRY${path}/register ${body}`,
    `TOKEN=$(curl -s $GATEWAY_ENTRY${path}/login ${body} | cut -d '"' -f 4)`,
  ]
}

/**
 * The commands that use an entity's endpoints, but for the one that deletes. The first keeps the id in a
 * variable, which later ones take.
 */
export function entityCommands(placed: Placed, platform: Platform): string[] {
  const { entity } = placed
  const variable = idVariable(entity.names)
  const creates = entity.endpoints.some(({ operation }) => operation === 'create')
  const commands = entity.endpoints
    .filter(({ operation }) => operation !== 'delete')
    .map((endpoint) => {
      const command = endpointCommand(endpoint, placed, platform)
      if (endpoint.operation !== 'create') return command
      return `${variable}=$(${command.replace('curl ', 'curl -s ')} | cut -d '"' -f 4)`
    })
  return creates ? commands : [`${variable}=${SAMPLE_ID} # put one here that exists`, ...commands]
}

/** The command that deletes the entity that `entityCommands` made; nothing where that is omitted. */
export function deleteCommands(placed: Placed, platform: Platform): string[] {
  return placed.entity.endpoints
    .filter(({ operation }) => operation === 'delete')
    .map((endpoint) => endpointCommand(endpoint, placed, platform))
}

function endpointCommand(
  endpoint: Endpoint,
  { entity, parent }: Placed,
  { authentication }: Platform,
): string {
  const [path] = [...endpoint.paths].sort((a, b) => a.length - b.length)
  const url = `$GATEWAY_ENTRY${path}`
    .replace('{parent-id}', `$${idVariable(parent?.names ?? entity.names)}`)
    .replace('{id}', `$${idVariable(entity.names)}`)
  const words = [
    'curl',
    ...(endpoint.method === 'GET' ? [] : [`-X ${endpoint.method}`]),
    url,
    ...(authentication === undefined ? [] : ['-H "Authorization: Bearer $TOKEN"']),
  ].join(' ')
  if (endpoint.operation !== 'create' && endpoint.operation !== 'update') return words
  const body = `-d ${bodyText(entity)}`
  return words.length + body.length < LINE_WIDTH ? `${words} ${body}` : `${words} \\\n  ${body}`
}

/** The body of a create or an update as one word of the shell. */
function bodyText(entity: Entity): string {
  const sent = entity.attributes.filter(({ requested }) => requested)
  const members = sampleValues(sent).map(
    ([{ names, type }, value]) => `"${names.declared}": ${valueText(type, value)}`,
  )
  return `'{${members.join(', ')}}'`
}

/** A value as JSON in a single-quoted word; ids come from the variables that earlier commands have set. */
function valueText(type: AttributeType, value: SampleValue): string {
  if (type.kind === 'reference') return `"'$${idVariable(type.target.names)}'"`
  if (type.kind === 'sibling') return `"'$${idVariable(type.target)}'"`
  if (typeof value !== 'string' || value.length <= LONGEST_TEXT) return JSON.stringify(value)
  return `"'$(head -c ${value.length} /dev/zero | tr '\\0' x)'"`
}
