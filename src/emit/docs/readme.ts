import { describeCombination } from '../../model/combination.ts'
import type { Attribute, Authentication, Endpoint, Entity, Platform, Service } from '../../model/platform.ts'
import { assertNever } from '../../model/platform.ts'
import { errorResponses } from '../../model/error-responses.ts'
import type { GeneratedFile } from '../contract.ts'
import { diagram } from '../diagram/diagram.ts'
import { diagramSvg } from '../diagram/svg.ts'
import { describeAccess } from '../../model/access.ts'
import { describeDefault, describeType } from '../../model/type-description.ts'
import { deleteCommands, entityCommands, authenticationCommands } from './curl-commands.ts'
import { configurationSection } from './configuration.ts'
import { hookExample } from './hook-example.ts'
import { codeBlock, firstLine, oneLine, paragraphs, table } from './markdown.ts'
import { creationOrder, type CreationStep } from './creation-order.ts'

/**
 * `README.md` of the project: how to run, deploy and test it, its endpoints with commands that can be run from top to
 * bottom, where to put custom code, the configuration, and security considerations.
 */
export function emitReadme(platform: Platform): GeneratedFile[] {
  const order = creationOrder(platform)
  const sections = [
    introduction(platform),
    running(platform),
    platform.provider === 'kube' ? deployingToKubernetes(platform) : deploying(platform),
    changing(platform),
    backingUp(platform),
    testing(),
    '## API\n\nRun the commands below in order: each one that creates something stores its id in a variable that later commands use.',
    platform.authentication === undefined ? undefined : authenticationSection(platform.authentication),
    ...order.map((placed, index) => entitySection(placed, order[index - 1], platform)),
    deletionSection(order, platform),
    customCode(platform),
    configurationSection(platform),
    platform.metrics === undefined ? undefined : observability(platform),
    platform.authentication === undefined ? undefined : security(),
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
      : [[`\`${platform.authentication.path}\``, 'Registration and login']]),
    ...platform.services.map((service) => [
      `\`${service.path}\``,
      firstLine(service.entity.documentation) || service.entity.names.declared,
    ]),
  ]
  const file = `api/${platform.names.kebab}.openapi.yaml`
  return paragraphs(
    `# ${platform.names.declared}`,
    platform.documentation,
    'The platform consists of these services, each with its own database, and a gateway:',
    table(['Path', 'Description'], rows),
    `[${file}](${file}) describes all endpoints and responses in OpenAPI 3.1, for code generators and API tools. \`portico client <definition>\` generates a typed TypeScript client.`,
    `![Diagram of the services, their structs and the references between them](${pictureOf(platform)})`,
  )
}

function pictureOf({ names }: Platform): string {
  return `api/${names.kebab}.svg`
}

function running(platform: Platform): string {
  const [service] = platform.services
  return paragraphs(
    '## Run locally',
    'For development, run the platform with an embedded Postgres. Docker is not needed. The address also serves a page for exploring the API:',
    codeBlock('sh', ['portico dev <definition> -o <this directory>', 'export GATEWAY_ENTRY=localhost:8080']),
    ...(service === undefined ? [] : standalone(platform, service)),
  )
}

/** How to run a service without Portico and without containers. */
function standalone(platform: Platform, { directory, databaseDirectory }: Service): string[] {
  const isAuthenticated = platform.authentication !== undefined
  const credentials = isAuthenticated
    ? `GATEWAY_CREDENTIALS_FILE=.secrets/${directory}/gateway-credentials `
    : ''
  return [
    `To run one service by itself, you need Node 26 and an empty Postgres database${isAuthenticated ? '. The first `source deploy.sh` writes the credentials that verify tokens' : ''}:`,
    codeBlock('sh', [
      'npm ci',
      'export DATABASE_URL=postgres://<role>:<password>@localhost:5432/<database>',
      `node lib/migrate.ts ${directory} ${databaseDirectory}`,
      `${credentials}node ${directory}/src/main.ts`,
    ]),
  ]
}

function deploying(platform: Platform): string {
  return paragraphs(
    '## Deploy',
    'Deployments use Docker Compose, with Envoy as the gateway. The script creates secrets once (in `.secrets/`, which must not be put under version control), builds the images, starts the databases, applies the migrations, starts the services and the gateway, waits until every service responds, and sets `GATEWAY_ENTRY`:',
    codeBlock('sh', ['source deploy.sh']),
    `After a change, run it again: it replaces only what has changed. A new version of a service starts before the previous one stops. The gateway takes over new routes without closing a connection; only when one of its variables or the version of Envoy changes does it refuse connections, for a second or two. If a migration fails, what was running goes on running. \`./deploy.sh help\` lists the other commands:`,
    table(['Command', 'Effect'], commandRows(platform)),
    'These variables, in the environment or in `.env`, change the deployment:',
    table(['Variable', 'Default', 'Description'], deploymentVariables(platform)),
    'The gateway serves plain HTTP; put a reverse proxy that terminates TLS in front of it.',
    'Deployments do not include the API explorer that `portico dev` serves. `portico explorer <definition>` generates it as a separate package.',
  )
}

/** Deployment on Kubernetes. */
function deployingToKubernetes({ authentication, names, services }: Platform): string {
  const directory = services[0]?.directory ?? ''
  return paragraphs(
    '## Deploy',
    'Deployments use Kubernetes, with Envoy as the gateway. The script needs `kubectl` and Docker. It builds the images, brings them to the cluster, creates Secrets once, starts the databases, applies the migrations, rolls out what has changed, waits for it, and sets `GATEWAY_ENTRY`:',
    codeBlock('sh', ['source deploy.sh']),
    'After a change, run it again. A pod of the new version is ready before one of the previous version stops. If a migration fails, what was running goes on running. `./deploy.sh help` lists the other commands:',
    table(
      ['Command', 'Effect'],
      [
        ['`status`', 'Shows the state of all workloads and pods'],
        [`\`logs ${directory}\``, 'Shows the logs of a service'],
        [`\`scale ${directory} 2\``, 'Runs two pods of a service'],
        ['`migrate`', 'Applies all pending migrations, also those that wait for the next deployment'],
        ...(authentication === undefined ? [] : [['`rotate`', 'Replaces the credential that signs tokens']]),
        ['`destroy`', `Deletes the namespace \`${names.kebab}\` with all pods, secrets and data`],
      ],
    ),
    'These variables, in the environment or in `.env`, change the deployment:',
    table(
      ['Variable', 'Default', 'Description'],
      [
        ['`KUBE_CONTEXT`', 'the current one', 'The cluster: a context of `kubectl`'],
        ['`OVERLAY`', '`local`', 'A directory in `kube/overlays`. `production` is yours'],
        [
          '`REGISTRY`, `TAG`',
          "none, the image's id",
          'Prefix and tag of the images, which are pushed to the registry',
        ],
        [
          '`CONTAINERD_ADDRESS`',
          'none',
          "The socket of the cluster's containerd, if it runs on this machine",
        ],
        ...gatewayVariables(authentication),
      ],
    ),
    'The variables of a service are in `<service>/.env`, which becomes a Secret. The gateway serves plain HTTP; let the load balancer or an Ingress terminate TLS.',
    'Deployments do not include the API explorer that `portico dev` serves. `portico explorer <definition>` generates it as a separate package.',
  )
}

function commandRows({ authentication, services }: Platform): string[][] {
  const directory = services[0]?.directory ?? ''
  return [
    ['`status`', 'Shows the state of all containers'],
    [`\`logs ${directory}\``, 'Shows the logs of a service'],
    [`\`scale ${directory} 2\``, 'Runs two containers of a service'],
    ['`migrate`', 'Applies all pending migrations, also those that wait for the next deployment'],
    ...(authentication === undefined ? [] : [['`rotate`', 'Replaces the credential that signs tokens']]),
    ['`stop`', 'Stops all containers and keeps the data'],
    ['`destroy`', 'Deletes all containers, images, secrets and data'],
  ]
}

function deploymentVariables({ authentication, services }: Platform): string[][] {
  const name = services[0]?.database.toUpperCase() ?? ''
  return [
    [
      '`GATEWAY_ADDRESS`, `GATEWAY_PORT`',
      '`127.0.0.1`, 8080',
      'Where the gateway listens: by default, for this machine only',
    ],
    ...gatewayVariables(authentication),
    [
      '`<SERVICE>_DATABASE_URL`',
      'none',
      `An external database, which replaces the container: \`${name}_DATABASE_URL=postgres://...\``,
    ],
    ['`<SERVICE>_REPLICAS`', '1', 'Containers of a service, set by `scale`'],
    ['`REGISTRY`, `TAG`', 'none, `latest`', 'Prefix and tag of the images, for `docker compose push`'],
  ]
}

/** Variables of the gateway, whatever runs it. */
function gatewayVariables(authentication: Authentication | undefined): string[][] {
  return [
    ['`CORS_ORIGINS`', 'none', 'Origins of web pages that may call the API, separated by commas'],
    ...(authentication === undefined
      ? []
      : [
          [
            '`AUTH_RATE_LIMIT`',
            '10',
            'Requests to register and login per second and client address, with a burst of ten times as many. 0: no limit',
          ],
        ]),
    [
      '`TRUSTED_PROXIES`',
      '0',
      "Proxies before the gateway that add the client's address to `X-Forwarded-For`",
    ],
    ['`GATEWAY_OPENAPI`', '1', '0 does not serve `/api/openapi.json`'],
  ]
}

function observability({ services }: Platform): string {
  const directory = services[0]?.directory ?? ''
  return paragraphs(
    '## Metrics',
    `Every service serves \`/metrics\` on its internal port (8081), for Prometheus. \`${directory}/src/metrics.ts\` and its siblings list the kinds of requests that are counted.`,
    'The deployment runs Prometheus, which no port of the machine leads to, with the alerts in `prometheus/rules.yaml`, and Grafana with a dashboard of the platform and one of each service, at `127.0.0.1:3000` (`GRAFANA_PORT`). Everyone who reaches that port can look at the dashboards. `promtool test rules prometheus/rules.test.yaml` tests the alerts. To be notified of them, name an Alertmanager in `prometheus/prometheus.yaml`.',
  )
}

function changing({ services }: Platform): string {
  const database = services[0]?.databaseDirectory ?? ''
  return paragraphs(
    '## Change',
    `Change the definition, generate, read the new files in \`${database}/migrations/\` and its siblings, and deploy. Rows are kept:`,
    codeBlock('sh', ['portico generate <definition> -o <this directory>', 'source deploy.sh']),
    'Files named `.expand.sql` run before the new code starts. Those named `.contract.sql` remove what only the previous code needs: they run at the next deployment, or with `./deploy.sh migrate`. Until then, you can deploy the previous version of this directory again.',
  )
}

function backingUp({ provider, names, services }: Platform): string | undefined {
  const [service] = services
  if (service === undefined) return undefined
  const { directory, databaseDirectory, database } = service
  const onKubernetes = provider === 'kube'
  const inDatabase = onKubernetes
    ? `kubectl -n ${names.kebab} exec -i service/${databaseDirectory} --`
    : `docker compose exec -T ${databaseDirectory}`
  const asRole = (command: string): string =>
    `${inDatabase} sh -c 'PGPASSWORD=$(cat /run/secrets/database-password) ${command}'`
  const connection = `-h 127.0.0.1 -U ${database}`
  return paragraphs(
    '## Back up and restore',
    `Each service has its own database, which \`pg_dump\` saves while it is in use. For \`${directory}\`:`,
    codeBlock('sh', [asRole(`pg_dump ${connection} -Fc ${database}`) + ` > ${database}.dump`]),
    'The copy contains which migrations it has. To restore it, stop the service, and deploy afterwards:',
    codeBlock('sh', [
      onKubernetes
        ? `kubectl -n ${names.kebab} scale deployment/${directory} --replicas 0`
        : `docker compose stop ${directory}`,
      asRole(`pg_restore ${connection} --clean --if-exists --single-transaction -d ${database}`) +
        ` < ${database}.dump`,
      onKubernetes ? `./deploy.sh scale ${directory} 1` : 'source deploy.sh',
    ]),
    onKubernetes
      ? 'Keep the Secrets of the namespace together with the copies: without them, nobody can sign in to the databases.'
      : 'Keep `.secrets/` together with the copies: without it, nobody can sign in to the databases.',
  )
}

function testing(): string {
  return paragraphs(
    '## Test',
    'Test that a running platform behaves as its definition says:',
    codeBlock('sh', ['portico test <definition> --gateway $GATEWAY_ENTRY']),
  )
}

function authenticationSection({ path, directory, roles }: Authentication): string {
  return paragraphs(
    '### Authentication',
    table(
      ['Request', 'Body', 'Response', 'Errors'],
      [
        [
          `\`POST ${path}/register\``,
          '`email`, `password` (at least 8 characters, at most 72 bytes)',
          '201 `AccessToken`',
          '400, 409, 413, 503',
        ],
        [`\`POST ${path}/login\``, '`email`, `password`', '200 `AccessToken`', '400, 401, 413, 503'],
      ],
    ),
    'All other requests require the header `Authorization: Bearer <AccessToken>`. A token is valid for 24 hours. Without a valid token, the gateway responds with 401.',
    codeBlock('sh', authenticationCommands(path)),
    roles.length === 0
      ? undefined
      : `Tokens carry the roles of their user (${roles.join(', ')}). Give users roles in \`${directory}/src/setup.ts\` (\`input.roles\` in \`beforeRegister\`, \`env.datastore.updateRoles(id, roles)\`), or with the variable \`AUTH_ROLES\` in \`${directory}/.env\`: \`AUTH_ROLES=${roles[0]}=<id>,<id>\`, with the \`id\` of their tokens. They have them from the next login on.`,
  )
}

/** The section of an entity. A struct's section is nested in its service's, unless other entities must be created first. */
function entitySection(placed: CreationStep, before: CreationStep | undefined, platform: Platform): string {
  const { entity, parent, service } = placed
  const nested = parent !== undefined && before?.service === service
  const heading =
    nested || parent === undefined
      ? entity.names.declared
      : `${parent.names.declared}: ${entity.names.declared}`
  return paragraphs(
    `${nested ? '####' : '###'} ${heading}`,
    entity.documentation,
    entity.attributes.length === 0
      ? undefined
      : table(['Attribute', 'Type', 'In requests', 'In responses'], entity.attributes.map(attributeRow)),
    ...entity.combinations.map(
      (combination) => `The combination of ${describeCombination(combination)} is unique.`,
    ),
    ...(entity.endpoints.length === 0
      ? ['No endpoints.']
      : [
          table(
            ['Request', 'Access', 'Response', 'Errors'],
            entity.endpoints.map((endpoint) => endpointRow(endpoint, placed, platform)),
          ),
          codeBlock('sh', entityCommands(placed, platform)),
        ]),
  )
}

/** Deletions come last, in reverse order of creation. */
function deletionSection(order: readonly CreationStep[], platform: Platform): string | undefined {
  const commands = [...order].reverse().flatMap((placed) => deleteCommands(placed, platform))
  if (commands.length === 0) return undefined
  return paragraphs('### Delete the examples', codeBlock('sh', commands))
}

function attributeRow(attribute: Attribute): string[] {
  const documentation = attribute.documentation === '' ? '' : ` ${oneLine(attribute.documentation)}`
  return [
    `\`${attribute.names.declared}\`${documentation}`,
    `${describeType(attribute.type)}${attribute.unique ? ', unique' : ''}`,
    requestText(attribute),
    attribute.inResponse ? 'yes' : 'no',
  ]
}

function requestText({ inRequest, required, default: given }: Attribute): string {
  if (!inRequest) return 'no'
  if (given === undefined) return required ? 'required' : 'optional'
  return `optional, default: ${describeDefault(given)}`
}

function endpointRow(endpoint: Endpoint, placed: CreationStep, platform: Platform): string[] {
  const { entity, service } = placed
  return [
    endpoint.paths.map((path) => `\`${endpoint.method} ${path}\``).join(', '),
    describeAccess(
      endpoint.operation,
      entity === service.entity,
      service,
      platform.authentication !== undefined,
    ),
    `${endpoint.success} ${responseText(endpoint, entity)}`,
    errorStatuses(endpoint, placed, platform).join(', '),
  ]
}

/** The statuses that a client has to expect: all errors except internal ones. */
function errorStatuses(endpoint: Endpoint, { entity, service }: CreationStep, platform: Platform): number[] {
  const statuses = errorResponses({ platform, service, entity, endpoint }).map(({ status }) => status)
  return [...new Set(statuses)].filter((status) => status !== 500)
}

function responseText({ operation }: Endpoint, entity: Entity): string {
  switch (operation) {
    case 'create':
    case 'read':
    case 'update':
      return 'the entity'
    case 'delete':
      return '`{}`'
    case 'list':
      return `\`{"${entity.listKey}": [...]}\`, paged with \`?limit=\` and \`&after=\`${criteriaText(entity)}`
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

function customCode(platform: Platform): string {
  const example = hookExample(platform)
  return paragraphs(
    '## Custom code',
    'These files in each service are yours: `src/setup.ts` registers hooks and custom routes, `src/datastore.ts` adds queries, `src/settings.ts` declares environment variables, and `test/` has the tests, which `npm test` runs. Portico creates them once and never overwrites them. `src/hooks.ts` declares all hooks of the service and their parameters.',
    ...(example === undefined
      ? []
      : [`For example, in \`${example.service.directory}/src/setup.ts\`:`, codeBlock('ts', example.lines)]),
    '`portico dev` applies changes immediately. A deployment applies them with the next `source deploy.sh`. You can add packages to `package.json`.',
  )
}

function security(): string {
  return paragraphs(
    '## Security',
    'Tokens are signed with HS256, so the secret that verifies tokens can also sign them. Each service verifies tokens itself and therefore reads the secret from a file. An attacker who takes control of one service can sign tokens for any user. Make sure that only the services can read the file, and run `./deploy.sh rotate` if the secret may have leaked.',
  )
}

function regeneration(): string {
  return paragraphs(
    '## Regenerate',
    'After you change the definition, run `portico generate` again. It keeps `setup.ts`, `datastore.ts`, files that you added, and your dependencies and scripts in `package.json`. If a generated file was edited by hand, it stops before it changes anything. It detects this with `.portico/manifest.json`, which you should keep under version control.',
  )
}
