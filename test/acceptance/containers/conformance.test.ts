import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultLines } from '../../../src/conformance/report.ts'
import { withoutAuthentication } from '../../conformance/variants.ts'
import { expectServiceContract, register, urlOf } from '../../contract/service-contract.ts'
import { readInput } from '../../goldens/cases.ts'
import { deskInBothLanguages, example, inGo, onOneServer } from './definitions.ts'
import { type Deployment, deploy } from './deployment.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

/** All at a time on a busy machine, on which Go has compiled nothing yet. */
const TIMEOUT_MS = 900_000

/**
 * What services do is tested without containers. Here platforms show that the same code does it in its image and
 * behind Envoy: with users, with roles, and without users, in each language and in both.
 */
const CASES = [
  ['stays in Go on one Postgres', onOneServer(inGo(example('stays/stays.portico')))],
  ['desk in both languages', deskInBothLanguages()],
  ['types without users', withoutAuthentication(example('types/types.portico'))],
  // Not every machine has the images of Prometheus and Grafana.
  ['all features in Go', inGo(readInput('all-features').replace('#metrics(prometheus);', ''))],
] as const

/**
 * What a database says when it comes or goes; the last one when it restarts after its first setup, whose client has
 * gone a moment before.
 */
const USUAL = [
  'the database system is starting up',
  'the database system is shutting down',
  'terminating connection due to administrator command',
]

/** The errors and warnings of services, and the failures of databases. */
async function complaints(deployment: Deployment): Promise<string[]> {
  const { stdout } = await deployment.compose('logs', '--no-color', '--no-log-prefix')
  return stdout
    .split('\n')
    .filter(
      (line) =>
        /"level":"(?:error|warn)"|PANIC|FATAL: {2}/.test(line) &&
        !USUAL.some((usual) => line.endsWith(usual)),
    )
}

async function expectContract(deployment: Deployment): Promise<void> {
  const { platform, gateway } = deployment
  const running = await deployment.containers()
  await expectServiceContract({
    platform,
    token: platform.authentication && (await register(gateway)),
    url: (directory, port) => {
      const container = running.find(
        ({ Config }) => Config.Labels['com.docker.compose.service'] === directory,
      )
      const [network] = Object.values(container?.NetworkSettings.Networks ?? {})
      return network && urlOf(platform, directory, network.IPAddress, port)
    },
    log: async (directory) =>
      (await deployment.compose('logs', '--no-color', '--no-log-prefix', directory)).stdout,
  })
}

let deployments: Deployment[] = []

// Building and waiting for health checks leaves the processors idle: the other platforms use them meanwhile, but for
// those that would make the same layers. Checks begin after that, because a database whose disk is busy with images
// responds too late.
beforeAll(async () => {
  const [[, first], ...others] = CASES
  const started = await Promise.allSettled([deploy(first)])
  started.push(...(await Promise.allSettled(others.map(([, text]) => deploy(text)))))
  deployments = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  for (const each of started) if (each.status === 'rejected') throw each.reason
}, TIMEOUT_MS)
afterAll(() => Promise.all(deployments.map((deployment) => deployment.destroy())), TIMEOUT_MS)

test.each(CASES.map(([name], index) => [name, index] as const))(
  'through Envoy and Compose, %s does what its definition says',
  { timeout: TIMEOUT_MS },
  async (_, index) => {
    const deployment = deployments[index]
    if (deployment === undefined) throw new Error('Not deployed')
    const { results } = await deployment.check()
    const failed = resultLines(results, PAINT, true)
    // What went wrong in a service is the reason of a check that failed.
    expect({ failed, complaints: await complaints(deployment) }).toEqual({ failed: [], complaints: [] })
    expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true)
    await expectContract(deployment)
  },
)
