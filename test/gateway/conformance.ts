import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { deriveChecks } from '../../src/conformance/derive-checks.ts'
import { resultLines } from '../../src/conformance/report.ts'
import { runChecks } from '../../src/conformance/run.ts'
import type { Platform } from '../../src/model/platform.ts'
import { gatewayRoutes } from '../../src/model/routes.ts'
import { startEnvoy } from './envoy-process.ts'
import { serviceProcesses } from './services.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

/** Runs the services of a platform behind Envoy, and all checks of its definition. Each of them has to pass. */
export async function expectConformanceBehindEnvoy(platform: Platform): Promise<void> {
  const services = await serviceProcesses(platform)
  const stops = [services.stop]
  try {
    const directories = gatewayRoutes(platform).map(({ directory }) => directory)
    const replicas = await Promise.all(
      directories.map(async (directory) => [directory, [(await services.start(directory)).port]] as const),
    )
    const envoy = await startEnvoy(platform, {
      services: Object.fromEntries(replicas),
      secrets: [services.credential.secret, randomBytes(32).toString('base64url')],
    })
    stops.push(envoy.stop)
    const { results } = await runChecks(platform, deriveChecks(platform), {
      gateway: `localhost:${envoy.port}`,
      isolated: true,
      credential: platform.authentication === undefined ? undefined : services.credential,
    })
    expect(resultLines(results, PAINT, true)).toEqual([])
    expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true)
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}
