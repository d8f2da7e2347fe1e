import { counted, withArticle } from '../../model/names.ts'
import type { Attribute, AttributeType, Endpoint, Entity, Platform } from '../../model/platform.ts'
import { assertNever } from '../../model/platform.ts'
import { refusalsOf } from '../../model/refusals.ts'
import type { GeneratedFile } from '../contract.ts'
import { diagram } from '../diagram/diagram.ts'
import { diagramSvg } from '../diagram/svg.ts'
import { accessOf } from './access.ts'
import { deleteCommands, entityCommands, signInCommands } from './commands.ts'
import { configurationSection } from './configuration.ts'
import { hookExample } from './hook-example.ts'
import { codeBlock, firstLine, oneLine, paragraphs, table } from './markdown.ts'
import { creationOrder, type Placed } from './order.ts'

/**
 * `README.md` of the project: how to run, deploy and test it, its endpoints with commands that work from top to
 * bottom, where the user's code goes, what can be configured, what to know of its safety.
 */
export function emitReadme(platform: Platform): GeneratedFile[] {
  const order = creationOrder(platform)
  const sections = [
    introduction(platform),
    running(platform),
    deploying(platform),
    testing(),
    'The commands from here on work one after the other; those that create keep the id in a variable.',
    platform.authentication === undefined ? undefined : signingIn(platform.authentication.path),
    ...order.map((placed, index) => entitySection(placed, order[index - 1], platform)),
    cleaningUp(order, platform),
    ownCode(platform),
    configurationSection(platform),
    platform.authentication === undefined ? undefined : safety(),
    regeneration(),
  ]
  return [
    { path: 'README.md', content: `${paragraphs(...sections)}\n`, owner: 'generated' },
    { path: pictureOf(platform), content: diagramSvg(diagram(platform)), owner: 'generated' },
  ]
}

function introduction(platform: Platform): string {
  const rows = [
    ...(platform.authentication === undefined
      ? []
      : [[`\`${platform.authentication.path}\``, 'registers users and signs them in']]),
    ...platform.services.map((service) => [
      `\`${service.path}\``,
      firstLine(service.entity.documentation) || service.entity.names.declared,
    ]),
  ]
  const file = `api/${platform.names.kebab}.openapi.yaml`
  return paragraphs(
    `# ${platform.names.declared}`,
    platform.documentation,
    'Services, each with a database of its own, behind one gateway:',
    table(['path', 'what it is'], rows),
    `[${file}](${file}) describes every endpoint as OpenAPI 3.1, with all answers, for code generators and API tools; \`portico client <definition>\` writes a typed client in TypeScript.`,
    `![Services, their structs and what refers to what](${pictureOf(platform)})`,
  )
}

function pictureOf({ names }: Platform): string {
  return `api/${names.kebab}.svg`
}

function running(platform: Platform): string {
  const directory = platform.services[0]?.directory ?? ''
  return paragraphs(
    '## Run it',
    'Without Docker, with an embedded Postgres, for developing. The page at the same address shows the API, live:',
    codeBlock('sh', ['portico dev <definition> -o <this directory>', 'export GATEWAY_ENTRY=localhost:8080']),
    `One service alone, with Node 24 or later and a Postgres that holds the schema of its \`-db\` directory: \`npm ci && node src/main.ts\` in \`${directory}/\`, for example.`,
  )
}

function deploying(platform: Platform): string {
  const directory = platform.services[0]?.directory ?? ''
  return paragraphs(
    '## Deploy it',
    'With Docker and its Compose, behind Envoy. The script makes the secrets once (in `.secrets/`, which is not for version control), builds, starts, waits until everything answers, and sets `GATEWAY_ENTRY`:',
    codeBlock('sh', ['source deploy.sh']),
    `Run it again after a change: it replaces what changed. \`./deploy.sh status\`, \`logs ${directory}\`, \`scale ${directory} 2\`, ${platform.authentication === undefined ? '' : '`rotate` (the credential that tokens are signed with), '}\`stop\` and \`destroy\` do what they say; \`./deploy.sh --help\` says more. The gateway listens on this machine alone, port 8080, unless \`GATEWAY_ADDRESS\` and \`GATEWAY_PORT\` say otherwise. It speaks plain HTTP: put what ends TLS before it.`,
    'The page that `portico dev` shows is no part of a deployment: `portico explorer <definition>` writes it as a package that stands beside one.',
    'A service that changed is replaced while the old one still answers, so that no request fails. The gateway cannot be, since it alone holds the port: when it is replaced it ends what is under way and refuses connections for some two seconds.',
  )
}

function testing(): string {
  return paragraphs(
    '## Test it',
    'Black-box tests of everything that the definition promises, against a platform that runs:',
    codeBlock('sh', ['portico test <definition> --gateway $GATEWAY_ENTRY']),
  )
}

function signingIn(path: string): string {
  return paragraphs(
    '## Signing in',
    table(
      ['request', 'body', 'answers', 'errors'],
      [
        [
          `\`POST ${path}/register\``,
          '`email`, `password` (8 characters to 72 bytes)',
          '201 `AccessToken`',
          '400, 409, 413, 503',
        ],
        [`\`POST ${path}/login\``, '`email`, `password`', '200 `AccessToken`', '400, 401, 413, 503'],
      ],
    ),
    'Every other request needs the header `Authorization: Bearer <AccessToken>`. A token is valid for 24 hours. Without a valid one the gateway answers 401.',
    codeBlock('sh', signInCommands(path)),
  )
}

/** A service's entity, or the entries of a struct: below their service's, where they do not have to wait for others. */
function entitySection(placed: Placed, before: Placed | undefined, platform: Platform): string {
  const { entity, parent, service } = placed
  const nested = parent !== undefined && before?.service === service
  const heading =
    nested || parent === undefined
      ? entity.names.declared
      : `${parent.names.declared}: ${entity.names.declared}`
  return paragraphs(
    `${nested ? '###' : '##'} ${heading}`,
    entity.documentation,
    entity.attributes.length === 0
      ? undefined
      : table(['attribute', 'type', 'in requests', 'in answers'], entity.attributes.map(attributeRow)),
    ...(entity.endpoints.length === 0
      ? ['It has no endpoints.']
      : [
          table(
            ['request', 'who', 'answers', 'errors'],
            entity.endpoints.map((endpoint) => endpointRow(endpoint, placed, platform)),
          ),
          codeBlock('sh', entityCommands(placed, platform)),
        ]),
  )
}

/** What deletes comes last, in an order that works. */
function cleaningUp(order: readonly Placed[], platform: Platform): string | undefined {
  const commands = [...order].reverse().flatMap((placed) => deleteCommands(placed, platform))
  if (commands.length === 0) return undefined
  return paragraphs('## Deleting what the commands made', codeBlock('sh', commands))
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
      return `string${boundsText(type.minLength || undefined, type.maxLength, 'character')}`
    case 'int':
      return `integer${boundsText(type.jsonMin, type.jsonMax)}`
    case 'float':
      return `number${boundsText(type.min, type.max)}`
    case 'date':
      return 'date, `YYYY-MM-DD`'
    case 'time':
      return 'time, `HH:MM:SS[.ffffff]`'
    case 'datetime':
      return 'date and time, RFC 3339'
    case 'data':
      return `base64${boundsText(undefined, type.maxSize, 'byte')}`
    case 'reference':
      return `id of ${withArticle(type.target.names.declared)}`
    case 'sibling':
      return `id of ${withArticle(type.target.declared)} under the same parent`
    default:
      return assertNever(type)
  }
}

function boundsText(min: number | undefined, max: number | undefined, unit?: string): string {
  const units = (count: number) => (unit === undefined ? String(count) : counted(count, unit))
  if (min === undefined) return max === undefined ? '' : `, at most ${units(max)}`
  return max === undefined ? `, at least ${units(min)}` : `, ${min} to ${units(max)}`
}

function endpointRow(endpoint: Endpoint, placed: Placed, platform: Platform): string[] {
  const { entity, service } = placed
  return [
    endpoint.paths.map((path) => `\`${endpoint.method} ${path}\``).join(', '),
    accessOf(endpoint.operation, entity === service.entity, service, platform.authentication !== undefined),
    `${endpoint.success} ${answerText(endpoint, entity)}`,
    refusalStatuses(endpoint, placed, platform).join(', '),
  ]
}

/** What a client has to reckon with: everything but a fault of the platform's own. */
function refusalStatuses(endpoint: Endpoint, { entity, service }: Placed, platform: Platform): number[] {
  const statuses = refusalsOf({ platform, service, entity, endpoint }).map(({ status }) => status)
  return [...new Set(statuses)].filter((status) => status !== 500)
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
  const example = hookExample(platform)
  return paragraphs(
    '## Your code',
    'Each service has two files that are yours: `src/setup.ts` (hooks and further routes, run once before the service listens) and `src/datastore.ts` (further queries). They are written once and never again. `src/hooks.ts` beside them shows which hooks the service has and what each receives.',
    ...(example === undefined
      ? []
      : [`For example, in \`${example.service.directory}/src/setup.ts\`:`, codeBlock('ts', example.lines)]),
    '`portico dev` takes an edit over at once; a deployment with the next `source deploy.sh`. Packages that you add to the `package.json` of a service are installed with it.',
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
