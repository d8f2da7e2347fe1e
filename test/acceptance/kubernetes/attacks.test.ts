import { setTimeout as sleep } from 'node:timers/promises'
import { tokenFilter } from '../../../src/emit/gateway/token-filter.ts'
import { attacks } from '../../gateway/attacks.ts'
import { slots } from '../../gateway/dev-gateway.ts'
import { RUNNING, type StartServices, type TestGateway } from '../../gateway/gateway.ts'
import { ATTACKED_IN_GO, startGoUpstream } from '../../gateway/go-upstream.ts'
import { deployToKubernetes, kubectl, type KubernetesDeployment } from './cluster.ts'

let platform: KubernetesDeployment

// The deployed gateway. Its Services lead to processes in Go on the node, which report what reaches them.
attacks(startGateway, 10_000, startGoUpstream)

async function startGateway(startServices: StartServices): Promise<TestGateway> {
  platform = await deployToKubernetes(ATTACKED_IN_GO)
  const [node = '', port = ''] = platform.gateway.split(':')
  const credentials = slots()
  const upstream = await startServices(credentials, node)
  await platform.kubectl('scale', 'deployments', ...RUNNING, 'down', '--replicas=0')
  const pods = ['-l', 'app.kubernetes.io/component=service']
  await platform.kubectl('wait', '--for=delete', 'pods', ...pods, '--timeout=60s')
  for (const service of RUNNING) await replaceEndpoints(service, node, upstream.ports[service] ?? 0)
  await rotate(credentials[0].secret, credentials[1].secret)
  return {
    port: Number(port),
    credentials,
    upstream,
    rotate,
    stop: async () => {
      await upstream.stop()
      await platform.destroy()
    },
  }
}

/** Makes a Service lead to a port of the node instead of its pods. */
async function replaceEndpoints(service: string, address: string, port: number): Promise<void> {
  await platform.kubectl(
    'patch',
    'service',
    service,
    '--type',
    'json',
    '-p',
    '[{"op":"remove","path":"/spec/selector"}]',
  )
  const label = `kubernetes.io/service-name=${service}`
  await platform.kubectl('delete', 'endpointslices', '-l', label)
  await apply({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${service}-test`, labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: 'api', port }],
  })
}

/** Replaces the secrets that the gateway accepts, as `deploy.sh` does, and waits until its pod has them. */
async function rotate(first: string, second: string): Promise<void> {
  const tokens = tokenFilter(first, second)
  await platform.kubectl(
    'patch',
    'secret',
    'gateway-credentials',
    '--patch',
    JSON.stringify({ stringData: { 'tokens.json': tokens } }),
  )
  await platform.kubectl(
    'annotate',
    'pods',
    '-l',
    'app.kubernetes.io/name=gateway',
    '--overwrite',
    `tokens=${Date.now()}`,
  )
  while (
    (await platform.kubectl('exec', 'deployment/gateway', '--', 'cat', '/etc/envoy/secrets/tokens.json')) !==
    tokens.trim()
  )
    await sleep(200)
}

async function apply(object: object): Promise<void> {
  const text = JSON.stringify(object)
  const { status, stderr } = await kubectl(
    ['apply', '--server-side', '--force-conflicts', '--namespace', platform.namespace, '--filename', '-'],
    text,
  )
  if (status !== 0) throw new Error(`kubectl apply: ${stderr}`)
}
