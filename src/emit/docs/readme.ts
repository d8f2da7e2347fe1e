import type { Attribute, AttributeType, Endpoint, Entity, Platform, Service } from '../../model/platform.ts'
import { assertNever } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { accessOf } from './access.ts'

/** `README.md` of the project: how to run it, its endpoints, where the user's code goes, what to know of its safety. */
export function emitReadme(platform: Platform): GeneratedFile[] {
  const sections = [
    introduction(platform),
    running(platform),
    platform.authentication === undefined ? undefined : signingIn(platform.authentication.path),
    ...platform.services.map((service) => serviceSection(service, platform.authentication !== undefined)),
    ownCode(platform),
    platform.authentication === undefined ? undefined : safety(),
    regeneration(),
  ]
  return [{ path: 'README.md', content: `${sections.filter(isPresent).join('\n\n')}\n`, owner: 'generated' }]
}

function introduction(platform: Platform): string {
  const rows = [
    ...(platform.authentication === undefined
      ? []
      : [[`\`${platform.authentication.path}\``, 'registers users and signs them in']]),
    ...platform.services.map((service) => [`\`${service.path}\``, firstLine(service.entity.documentation)]),
  ]
  return paragraphs(
    `# ${platform.names.declared}`,
    platform.documentation,
    'Services, each with a database of its own, behind one gateway:',
    table(['path', 'what it is'], rows),
  )
}

function running(platform: Platform): string {
  return paragraphs(
    '## Run it',
    `\`portico dev <definition> -o <this directory>\` runs everything on this machine, without Docker, and prints \`GATEWAY_ENTRY=localhost:8080\`. All requests go to that address. \`portico test <definition> --gateway localhost:8080\` holds a running platform to its definition.`,
    `A service also runs by itself, with Node 24 or later and a Postgres that holds the schema of its \`-db\` directory: \`npm ci && node src/main.ts\` in \`${platform.services[0]?.directory ?? ''}/\`, for example. \`src/config.ts\` lists what it reads from the environment.`,
  )
}

function signingIn(path: string): string {
  return paragraphs(
    '## Signing in',
    table(
      ['request', 'body', 'answers'],
      [
        [
          `\`POST ${path}/register\``,
          '`email`, `password` (8 characters to 72 bytes)',
          '201 `AccessToken`; 400, 409',
        ],
        [`\`POST ${path}/login\``, '`email`, `password`', '200 `AccessToken`; 400, 401'],
      ],
    ),
    'Every other request needs the header `Authorization: Bearer <AccessToken>`. A token is valid for 24 hours. Without a valid one the gateway answers 401.',
  )
}

function serviceSection(service: Service, authenticated: boolean): string {
  return [service.entity, ...service.structs]
    .map((entity) =>
      paragraphs(
        entity === service.entity ? `## ${entity.names.declared}` : `### ${entity.names.declared}`,
        entity.documentation,
        entity.attributes.length === 0
          ? undefined
          : table(['attribute', 'type', 'in requests', 'in answers'], entity.attributes.map(attributeRow)),
        entity.endpoints.length === 0
          ? 'It has no endpoints.'
          : table(
              ['request', 'who', 'answers'],
              entity.endpoints.map((endpoint) => endpointRow(endpoint, entity, service, authenticated)),
            ),
      ),
    )
    .join('\n\n')
}

function attributeRow(attribute: Attribute): string[] {
  const documentation = attribute.documentation === '' ? '' : ` ${oneLine(attribute.documentation)}`
  return [
    `\`${attribute.names.declared}\`${documentation}`,
    `${typeText(attribute.type)}${attribute.unique ? ', unique' : ''}`,
    attribute.requested ? 'required' : 'no',
    attribute.answered ? 'yes' : 'no',
  ]
}

function typeText(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'boolean'
    case 'string':
      return `string${boundsText(type.minLength || undefined, type.maxLength, ' characters')}`
    case 'int':
      return `integer${boundsText(type.jsonMin, type.jsonMax, '')}`
    case 'float':
      return `number${boundsText(type.min, type.max, '')}`
    case 'date':
      return 'date, `YYYY-MM-DD`'
    case 'time':
      return 'time, `HH:MM:SS[.ffffff]`'
    case 'datetime':
      return 'date and time, RFC 3339'
    case 'data':
      return `base64${boundsText(undefined, type.maxSize, ' bytes')}`
    case 'reference':
      return `id of a ${type.target.names.declared}`
    case 'sibling':
      return `id of a ${type.target.declared} under the same parent`
    default:
      return assertNever(type)
  }
}

function boundsText(min: number | undefined, max: number | undefined, unit: string): string {
  if (min === undefined && max === undefined) return ''
  if (min === undefined) return `, at most ${max}${unit}`
  return max === undefined ? `, at least ${min}${unit}` : `, ${min} to ${max}${unit}`
}

function endpointRow(endpoint: Endpoint, entity: Entity, service: Service, authenticated: boolean): string[] {
  return [
    endpoint.paths.map((path) => `\`${endpoint.method} ${path}\``).join(', '),
    accessOf(endpoint.operation, entity === service.entity, service, authenticated),
    `${endpoint.success} ${answerText(endpoint, entity)}`,
  ]
}

function answerText({ operation }: Endpoint, entity: Entity): string {
  switch (operation) {
    case 'create':
    case 'read':
    case 'update':
      return 'the entity'
    case 'delete':
      return '`{}`'
    case 'list':
      return `\`{"${entity.listKey}": [...]}\`, pages with \`?limit=\` and \`after=\``
    case 'identify':
      return "`Location` of the token's entity"
    default:
      return assertNever(operation)
  }
}

function ownCode(platform: Platform): string {
  const directory = platform.services[0]?.directory ?? ''
  return paragraphs(
    '## Your code',
    `Each service has two files that are yours: \`src/setup.ts\` (hooks and further routes, run once before the service listens) and \`src/datastore.ts\` (further queries), as in \`${directory}/\`. They are written once and never again. \`src/hooks.ts\` beside them shows which hooks the service has and what each receives.`,
  )
}

function safety(): string {
  return paragraphs(
    '## What to know before it goes on the internet',
    'Tokens are signed with HS256: the one secret that verifies them also makes them. Each service reads it from a file so that it can verify tokens itself, so whoever takes over one service can sign tokens for any user. Keep the file readable by the services alone, and replace the credential when in doubt.',
  )
}

function regeneration(): string {
  return paragraphs(
    '## Generating again',
    '`portico generate` keeps `setup.ts`, `datastore.ts` and every file that it did not write. In `package.json` your dependencies and scripts stay. A generated file that was edited by hand stops it, before anything changes. `.portico/manifest.json` is how it knows; keep it under version control.',
  )
}

function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => isPresent(part) && part !== '').join('\n\n')
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Text of the user's in one cell of a table. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\|/g, '\\|')
}

function firstLine(text: string): string {
  return oneLine(text.split('\n', 1)[0] ?? '')
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined
}
