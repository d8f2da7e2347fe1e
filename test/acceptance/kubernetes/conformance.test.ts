import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { hundred } from '../../../scripts/hundred-definition.ts'
import { readInput } from '../../goldens/cases.ts'
import { withoutAuthentication } from '../../conformance/variants.ts'
import {
  deskInBothLanguages,
  example,
  inBothLanguages,
  inGo,
  onOneServer,
} from '../containers/definitions.ts'
import { deployToKubernetes, type KubernetesDeployment, kubectl } from './cluster.ts'
import { expectConformance } from './expect-conformance.ts'
import { expectVolumeNamed } from './problems.ts'
import { startRegistry } from './registry.ts'
import { expectMoved, TWO_SERVERS } from './shared-server.ts'

/** Deploys a platform, and destroys it at the end. */
async function withDeployment(
  definition: string,
  use: (deployment: KubernetesDeployment) => Promise<void>,
  env?: Readonly<Record<string, string>>,
): Promise<void> {
  const deployment = await deployToKubernetes(definition, env)
  try {
    await use(deployment)
  } finally {
    await deployment.destroy()
  }
}

/** 93 services that refer to the members of desk, which has tickets of its own. */
const OTHERS = hundred(94)
  .slice(hundred(94).indexOf('Order: service'))
  .replaceAll(/\bTicket/g, 'Pass')

describe.concurrent('a deployed platform does what its definition says', { timeout: 900_000 }, () => {
  test('stays in Go, without users, with images from a registry, and a volume that cannot be provided is named', async () => {
    const registry = await startRegistry()
    try {
      await withDeployment(
        withoutAuthentication(inGo(example('stays/stays.portico'))),
        async (deployment) => {
          const images = await deployment.kubectl('get', 'deployments', '-o', 'jsonpath={..image}')
          expect(new Set(images.split(' ').map((image) => image.split('/')[0]))).toEqual(
            new Set([registry.address]),
          )
          await expectConformance(deployment)
          await expectVolumeNamed(deployment, 'review')
        },
        { REGISTRY: `${registry.address}/` },
      )
    } finally {
      await registry.stop()
    }
  })

  test('with every feature, in Go, on one Postgres', () =>
    withDeployment(onOneServer(inGo(readInput('all-features'))), expectConformance))

  test('and its data moves to one Postgres', () => withDeployment(TWO_SERVERS, expectMoved))

  test('desk in both languages, then the seven services of desk of a hundred', () =>
    withDeployment(deskInBothLanguages(), async (deployment) => {
      const running = (await deployment.kubectl('get', 'deployments', '-o', 'name')).split('\n')
      await deployment.regenerate(`${deskInBothLanguages()}\n${inBothLanguages(OTHERS)}`)
      await applyWithoutOthers(deployment)
      await deployment.kubectl('rollout', 'status', 'deployment/gateway', '--timeout=120s')
      const all = await deployment.kubectl('get', 'deployments', '-o', 'name')
      // Each service, the identity service's sign-in, and the gateway.
      expect([running.length, all.split('\n').length]).toEqual([9, 102])
      await expectConformance(deployment)
      const user = { email: 'ada@example.com', password: 'correct horse' }
      const signedIn = await fetch(`http://${deployment.gateway}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(user),
      })
      const { AccessToken } = (await signedIn.json()) as { AccessToken: string }
      const headers = { authorization: `Bearer ${AccessToken}` }
      const stopped = await fetch(`http://${deployment.gateway}/api/museum4/all`, { headers })
      expect(stopped.status).toBe(503)
    }))
})

/** Applies the manifests of all services. The others, which have no images, get no pods. */
async function applyWithoutOthers(deployment: KubernetesDeployment): Promise<void> {
  const names = await deployment.kubectl(
    'get',
    'deployments,statefulsets',
    '-o',
    'jsonpath={..metadata.name}',
  )
  const overlay = path.join(deployment.directory, '.deploy/desk')
  await mkdir(overlay)
  const job = '{$patch: delete, apiVersion: batch/v1, kind: Job, metadata: {name: job}}'
  const patches = [
    { target: { kind: 'Job' }, patch: job },
    ...['Deployment', 'StatefulSet'].flatMap((kind) => [
      { target: { kind }, patch: replicas(0) },
      { target: { kind, name: names.replaceAll(' ', '|') }, patch: replicas(1) },
    ]),
  ]
  const kustomization = { resources: ['../overlay'], patches }
  await writeFile(path.join(overlay, 'kustomization.yaml'), JSON.stringify(kustomization))
  const { status, stderr } = await kubectl(['apply', '--server-side', '--force-conflicts', '-k', overlay])
  expect(status, stderr).toBe(0)
}

const replicas = (count: number): string => `- {op: add, path: /spec/replicas, value: ${count}}`
