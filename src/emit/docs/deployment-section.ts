import type { Authentication, Platform } from '../../model/platform.ts'
import { hasQueue } from '../database/jobs.ts'
import { namespaceOf } from '../kubernetes/metadata.ts'
import { codeBlock, paragraphs, table } from './markdown.ts'

/** The section about a deployment with Docker Compose. */
export function composeSection(platform: Platform): string {
  return paragraphs(
    '## Deploy',
    'Deployments use Docker Compose, with Envoy as the gateway. The script creates secrets once (in `.secrets/`, which must not be committed to version control), builds the images, starts the databases, applies the migrations, starts the services and the gateway, waits until every service responds, and sets `GATEWAY_ENTRY`:',
    codeBlock('sh', ['source deploy.sh']),
    `After a change, run it again: it replaces only what has changed. A new version of a service starts before the previous one stops. The gateway loads new routes without closing connections. It refuses connections, for a second or two, only when one of its variables or the version of Envoy changes. If a migration fails, what was running keeps running. \`./deploy.sh help\` lists the other commands:`,
    table(['Command', 'Effect'], commandRows(platform)),
    'These variables, in the environment or in `.env`, change the deployment:',
    table(['Variable', 'Default', 'Description'], deploymentVariables(platform)),
    'The gateway serves plain HTTP; put a reverse proxy that terminates TLS in front of it.',
    'Deployments do not include the API explorer that `portico dev` serves. `portico explorer <definition>` generates it as a separate package.',
  )
}

/** The section about a deployment on Kubernetes. */
export function kubernetesSection(platform: Platform): string {
  const { authentication, services } = platform
  const directory = services[0]?.directory ?? ''
  return paragraphs(
    '## Deploy',
    'Deployments use Kubernetes, with Envoy as the gateway. The script needs `kubectl` and Docker. It builds the images, makes them available to the cluster, creates Secrets once, starts the databases, applies the migrations, rolls out what has changed, waits for the rollout, and sets `GATEWAY_ENTRY`:',
    codeBlock('sh', ['source deploy.sh']),
    'After a change, run it again. A pod of the new version is ready before one of the previous version stops. If a migration fails, what was running keeps running. `./deploy.sh help` lists the other commands:',
    table(
      ['Command', 'Effect'],
      [
        ['`status`', 'Shows the state of all Services, workloads and pods'],
        [`\`logs ${directory}\``, 'Shows the logs of a service'],
        [`\`scale ${directory} 2\``, 'Runs two pods of a service'],
        ...jobRows(platform),
        ['`migrate`', 'Applies all pending migrations, including those that wait for the next deployment'],
        ['`images --tag v7`', 'Builds the images and pushes them to `REGISTRY`, without a cluster'],
        [
          '`render --tag v7`',
          'Prints the manifests with these images and all settings, for Argo CD or Flux, without a cluster',
        ],
        ...(authentication === undefined ? [] : [['`rotate`', 'Replaces the credential that signs tokens']]),
        ['`destroy`', `Deletes the namespace \`${namespaceOf(platform)}\` with all pods, secrets and data`],
      ],
    ),
    'These variables, in the environment or in `.env`, change the deployment:',
    table(
      ['Variable', 'Default', 'Description'],
      [
        ['`KUBE_CONTEXT`', 'the current one', 'The cluster: a context of `kubectl`'],
        ['`OVERLAY`', '`local`', 'A directory in `kube/overlays`. `production` is yours to edit'],
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

function commandRows(platform: Platform): string[][] {
  const { authentication, services } = platform
  const directory = services[0]?.directory ?? ''
  return [
    ['`status`', 'Shows the state of all containers'],
    [`\`logs ${directory}\``, 'Shows the logs of a service'],
    [`\`scale ${directory} 2\``, 'Runs two containers of a service'],
    ...jobRows(platform),
    ['`migrate`', 'Applies all pending migrations, including those that wait for the next deployment'],
    ...(authentication === undefined ? [] : [['`rotate`', 'Replaces the credential that signs tokens']]),
    ['`stop`', 'Stops all containers and keeps the data'],
    ['`destroy`', 'Deletes all containers, images, secrets and data'],
  ]
}

function jobRows({ services }: Platform): string[][] {
  const service = services.find(hasQueue)
  if (service === undefined) return []
  const example = [service.directory, service.jobs[0]?.names.snake].join(' ')
  return [
    ['`jobs`', 'Shows how many jobs wait, and those that are dead: they have failed in all their attempts'],
    [
      `\`jobs retry ${example}\``,
      'Lets dead jobs run again; `jobs discard` deletes them. Without the names of a service and of a job, all of them',
    ],
  ]
}

function deploymentVariables({ authentication, services }: Platform): string[][] {
  const name = services[0]?.variablePrefix ?? ''
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
            'Requests to `/api/auth` per second for each client address. Bursts of ten times as many are allowed. 0: no limit',
          ],
        ]),
    [
      '`TRUSTED_PROXIES`',
      '0',
      "Number of proxies in front of the gateway that add the client's address to `X-Forwarded-For`",
    ],
    ['`GATEWAY_OPENAPI`', '1', '0 does not serve `/api/openapi.json`'],
  ]
}
