import { expect } from 'vitest'
import { resultLines } from '../../../src/conformance/report.ts'
import type { KubernetesDeployment } from './cluster.ts'

const plain = (text: string): string => text
const PAINT = { green: plain, red: plain, yellow: plain, bold: plain }

/** Runs all checks of the definition that is deployed. Each of them has to pass. */
export async function expectConformance(deployment: KubernetesDeployment): Promise<void> {
  const { results } = await deployment.check()
  expect(resultLines(results, PAINT, true)).toEqual([])
  expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true)
}
