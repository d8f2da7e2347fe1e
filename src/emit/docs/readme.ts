import { deployedServices } from '../../model/deployed-services.ts'
import { hasOperation } from '../../model/entities.ts'
import { listed } from '../../naming.ts'
import type { Entity, Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { diagram } from '../diagram/diagram.ts'
import { diagramSvg } from '../diagram/svg.ts'
import { namespaceOf } from '../kubernetes/metadata.ts'
import { authenticationSection, deletionSection, entitySection } from './api-section.ts'
import { configurationSection } from './configuration.ts'
import { creationOrder } from './creation-order.ts'
import { backupCommand, openingCommand, restoreCommand } from './database-commands.ts'
import { composeSection, kubernetesSection } from './deployment-section.ts'
import { type UsedTarget, usedTargets } from '../targets.ts'
import { codeBlock, firstLine, markdownText, paragraphs, table } from './markdown.ts'

/**
 * `README.md` of the project: how to run, deploy and test it, its endpoints with commands that can be run from top to
 * bottom, where to put custom code, the configuration, and security considerations.
 */
export function emitReadme(platform: Platform): GeneratedFile[] {
  const order = creationOrder(platform)
  const sections = [
    introduction(platform),
    running(platform),
    platform.provider === 'kube' ? kubernetesSection(platform) : composeSection(platform),
    changing(platform),
    openingDatabases(platform),
    backingUp(platform),
    testing(platform),
    '## API\n\nRun the commands below in order: each command that creates an entity stores its id in a variable that later commands use.',
    platform.authentication === undefined
      ? undefined
      : authenticationSection(platform.authentication, platform.services),
    ...order.map((placed, index) => entitySection(placed, order[index - 1], platform)),
    deletionSection(order, platform),
    customCode(platform),
    configurationSection(platform),
    platform.metrics === undefined ? undefined : observability(platform),
    platform.authentication === undefined ? undefined : security(),
    regeneration(platform),
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
    markdownText(platform.documentation),
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
  const compilers = usedTargets(platform).flatMap(({ target }) => target.readme.compiler ?? [])
  const needs = compilers.map((compiler) => `. The services need ${compiler}`).join('')
  return paragraphs(
    '## Run locally',
    `For development, run the platform with an embedded Postgres${needs}. Docker is not needed, and the same address serves a page for exploring the API:`,
    codeBlock('sh', ['portico dev <definition> -o <this directory>', 'export GATEWAY_ENTRY=localhost:8080']),
    '`portico dev` writes no migrations. Generate the project before you run a service by itself, run the tests or deploy:',
    codeBlock('sh', ['portico generate <definition> -o <this directory>']),
    ...inEachLanguage(platform, ({ target, part }) => target.readme.standalone(part)),
  )
}

/** Paragraphs about each language of the services. If there are several, the services that they are about come first. */
function inEachLanguage(platform: Platform, textsOf: (used: UsedTarget) => string[]): string[] {
  const used = usedTargets(platform)
  return used.flatMap((each) => {
    const { platform: own, authentication } = each.part
    const services = deployedServices({ ...own, authentication })
    const names = services.map(({ directory }) => `\`${directory}\``)
    const texts = textsOf(each)
    const title = `**Services in ${each.target.readme.language}** (${names.join(', ')})`
    return used.length > 1 && texts.length > 0 ? [title, ...texts] : texts
  })
}

function observability(platform: Platform): string {
  const { provider } = platform
  const files = usedTargets(platform).flatMap(({ target, part }) =>
    part.platform.services.slice(0, 1).map(({ directory }) => `${directory}/${target.readme.metricsFile}`),
  )
  return paragraphs(
    '## Metrics',
    `Every service serves \`/metrics\` on a port of its own (8082), for Prometheus. ${listed(files, 'or')}, and the same file of each other service, lists the kinds of requests that are counted.`,
    provider === 'kube' ? ON_KUBERNETES : WITH_COMPOSE,
  )
}

const ON_KUBERNETES =
  'Portico does not deploy Prometheus: use the one in your cluster. If it belongs to the Prometheus Operator, include `kube/components/prometheus-operator` in your overlay, which also has the alerts. Otherwise, `prometheus/prometheus.yaml` shows how it finds the pods, and `prometheus/rules.yaml` has the alerts, which `promtool test rules prometheus/rules.test.yaml` tests. The NetworkPolicies admit pods with the label `app.kubernetes.io/name: prometheus`.'
const WITH_COMPOSE =
  'The deployment runs Prometheus, which is not published on any port of the machine, with the alerts in `prometheus/rules.yaml`. It also runs Grafana, at `127.0.0.1:3000` (`GRAFANA_PORT`), with one dashboard for the platform and one for each service. Anyone who can reach that port can view the dashboards. `promtool test rules prometheus/rules.test.yaml` tests the alerts. To be notified of them, name your Alertmanager in `prometheus/alertmanagers.yaml`: `- targets: ["alertmanager:9093"]`.'

function changing({ services }: Platform): string {
  const database = services[0]?.databaseDirectory ?? ''
  return paragraphs(
    '## Change',
    `Change the definition, generate, review the new files in the \`migrations\` directories, such as \`${database}/migrations/\`, and deploy. Existing rows are kept:`,
    codeBlock('sh', ['portico generate <definition> -o <this directory>', 'source deploy.sh']),
    'Files named `.expand.sql` run before the new code starts. Those named `.contract.sql` remove what only the previous code needs: they run at the next deployment, or with `./deploy.sh migrate`. Until then, you can deploy the previous version of this directory again.',
  )
}

function openingDatabases(platform: Platform): string | undefined {
  const [service] = platform.services
  if (service === undefined) return undefined
  return paragraphs(
    '## Look into a database',
    `\`portico db ${service.directory}\` opens \`psql\` on the database of \`${service.directory}\` that \`portico dev\` runs, and \`--url\` prints its address for another client. In a deployment:`,
    codeBlock('sh', [openingCommand(platform, service)]),
  )
}

function backingUp(platform: Platform): string | undefined {
  const { provider, services } = platform
  const [service] = services
  if (service === undefined) return undefined
  const { directory } = service
  const onKubernetes = provider === 'kube'
  return paragraphs(
    '## Back up and restore',
    `Each service has its own database, which \`pg_dump\` saves while it is in use. For \`${directory}\`:`,
    codeBlock('sh', [backupCommand(platform, service)]),
    'To restore the backup, stop the service first, and start it afterwards. Everything in the database is replaced; if the restore fails, nothing is changed:',
    codeBlock('sh', [
      onKubernetes
        ? `kubectl -n ${namespaceOf(platform)} scale deployment/${directory} --replicas 0`
        : `docker compose stop ${directory}`,
      restoreCommand(platform, service),
      onKubernetes ? `./deploy.sh scale ${directory} 1` : 'source deploy.sh',
    ]),
    onKubernetes
      ? 'The backup records which migrations were applied. If there have been others since then, run `./deploy.sh migrate` before you start the service.'
      : 'The backup records which migrations were applied. `deploy.sh` applies those that have been added since then.',
    onKubernetes
      ? 'Keep the Secrets of the namespace together with the backups: without them, nobody can sign in to the databases.'
      : 'Keep `.secrets/` together with the backups: without it, nobody can sign in to the databases. On another machine, copy the project with `.secrets/`, run `source deploy.sh`, and restore each database.',
  )
}

/** Whether what is created cannot be deleted. */
const isKept = (entity: Entity) => hasOperation(entity, 'create') && !hasOperation(entity, 'delete')

function testing(platform: Platform): string {
  const { authentication, provider, services } = platform
  const kept = [
    ...(authentication === undefined ? [] : ['the accounts of its users']),
    ...(services.some(({ entity }) => isKept(entity)) ? ['entities without a delete endpoint'] : []),
  ].join(' and ')
  return paragraphs(
    '## Test',
    ...inEachLanguage(platform, ({ target }) => target.readme.testing),
    `Test that a running platform behaves as its definition says. The test deletes what it creates${kept === '' ? '' : `, except ${kept}`}:`,
    codeBlock('sh', ['portico test <definition> --gateway $GATEWAY_ENTRY']),
    authentication === undefined
      ? undefined
      : `With \`--credentials <file>\` it can sign tokens, and tests roles and expired tokens, too. The file is \`.portico/dev/gateway-credentials.json\` for \`portico dev\`, and for a deployment ${
          provider === 'kube'
            ? '`gateway-credentials` in the Secret of that name.'
            : `\`.secrets/${authentication.directory}/gateway-credentials\`.`
        }`,
  )
}

function customCode(platform: Platform): string {
  const targets = usedTargets(platform)
  const libraries = targets.map(({ target }) => target.readme.libraries).join(' ')
  return paragraphs(
    '## Custom code',
    ...inEachLanguage(platform, ({ target: { readme }, part }) => [
      readme.customFiles,
      ...readme.example(part),
      ...(platform.authentication === undefined ? [] : [readme.accessChecks]),
    ]),
    'Code that several services use belongs in [shared/](shared/README.md).',
    `\`portico dev\` applies changes immediately. A deployment applies them with the next \`source deploy.sh\`. ${libraries}`,
  )
}

function security(): string {
  return paragraphs(
    '## Security',
    'Tokens are signed with HS256, so the secret that verifies tokens can also sign them. Each service verifies tokens itself and therefore reads the secret from a file. An attacker who takes control of one service can sign tokens for any user. Make sure that only the services can read the file, and run `./deploy.sh rotate` if the secret may have leaked.',
  )
}

function regeneration(platform: Platform): string {
  const merged = usedTargets(platform).map(({ target }) => target.readme.merged)
  const kept = [
    'the files that are yours (see [Custom code](#custom-code))',
    'files that you added',
    ...merged,
  ]
  return paragraphs(
    '## Regenerate',
    `After you change the definition, run \`portico generate\` again. It keeps ${kept.slice(0, -1).join(', ')}, and ${kept.at(-1)}. If a generated file was edited by hand, it stops before it changes anything: make the file yours with \`portico eject <path>\`. It detects this with \`.portico/manifest.json\`, which you should keep under version control.`,
  )
}
