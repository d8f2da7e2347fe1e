import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { derive } from '../../../src/conformance/derive.ts'
import { resultLines } from '../../../src/conformance/report.ts'
import { runChecks } from '../../../src/conformance/run.ts'
import { gatewayRoutes } from '../../../src/model/routes.ts'
import { withoutAuthentication } from '../../conformance/variants.ts'
import { platformOf } from '../../emit/platform.ts'
import { startEnvoy } from '../../gateway/envoy-process.ts'
import { serviceProcesses } from '../../gateway/services.ts'

const STAYS = readFileSync(join(import.meta.dirname, '../../../examples/stays/stays.portico'), 'utf8')
const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

test.each([
  ['with authentication', STAYS],
  ['without authentication', withoutAuthentication(STAYS)],
])('behind Envoy, a platform %s does what its definition says', async (_, text) => {
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
    const { results } = await runChecks(platform, derive(platform), {
      gateway: `localhost:${envoy.port}`,
      pristine: true,
      credential: platform.authentication === undefined ? undefined : services.credential,
    })
    expect(resultLines(results, PAINT, true)).toEqual([])
    expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true)
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
})
