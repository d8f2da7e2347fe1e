import { expect } from 'vitest'
import { resultLines } from '../../../src/conformance/report.ts'
import { expectServiceContract, register, urlOf } from '../../contract/service-contract.ts'
import type { KubernetesDeployment } from './cluster.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

/** Runs all checks of the definition that is deployed, and those of its services. Each of them has to pass. */
export async function expectConformance(deployment: KubernetesDeployment): Promise<void> {
  const { results } = await deployment.check()
  expect(resultLines(results, PAINT, true)).toEqual([])
  expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true)
  await expectContract(deployment)
}

/** Expects what `docs/service-contract.md` says of the services that run. */
async function expectContract(deployment: KubernetesDeployment): Promise<void> {
  const { gateway } = deployment
  const list = await deployment.kubectl('get', 'pods', '--field-selector=status.phase=Running', '-o', 'json')
  const pods = (JSON.parse(list) as { items: Pod[] }).items
  const podOf = (directory: string) =>
    pods.find(
      ({ metadata }) =>
        metadata.labels['app.kubernetes.io/name'] === directory && !metadata.deletionTimestamp,
    )
  const services = deployment.platform.services.filter(({ directory }) => podOf(directory))
  const platform = { ...deployment.platform, services }
  await expectServiceContract({
    platform,
    token: platform.authentication && (await register(gateway)),
    url: (directory, port) => urlOf(platform, directory, podOf(directory)?.status.podIP ?? '', port),
    log: (directory) => deployment.kubectl('logs', podOf(directory)?.metadata.name ?? ''),
  })
}

interface Pod {
  readonly metadata: {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly deletionTimestamp?: string
  }
  readonly status: { readonly podIP: string }
}
