import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deriveChecks } from '../../../src/conformance/derive-checks.ts'
import { resultLines } from '../../../src/conformance/report.ts'
import { runChecks } from '../../../src/conformance/run.ts'
import { gatewayRoutes } from '../../../src/model/routes.ts'
import { ROLES } from '../../conformance/faults/roles.ts'
import { withoutAuthentication } from '../../conformance/variants.ts'
import { platformOf } from '../../emit/platform.ts'
import { startEnvoy } from '../../gateway/envoy-process.ts'
import { serviceProcesses } from '../../gateway/services.ts'

const STAYS = readFileSync(join(import.meta.dirname, '../../../examples/stays/stays.portico'), 'utf8')
const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

test.each([
  ['with authentication', STAYS],
  ['with roles', ROLES],
  ['without authentication', withoutAuthentication(STAYS)],
])('behind Envoy, a platform %s conforms to its definition', async (_, text) => {
  const platform = platformOf(text)
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
})
