import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { PrometheusProcess } from './prometheus-process.ts'

/**
 * Expects that Prometheus has a value for every panel of the dashboards in a directory. Sends requests to the gateway
 * meanwhile: Envoy publishes durations every five seconds, and a rate needs two different values.
 */
export async function expectData(
  prometheus: PrometheusProcess,
  directory: string,
  gateway: string,
): Promise<void> {
  await expect
    .poll(
      async () => {
        await (await fetch(gateway)).text()
        return panelsWithoutData(prometheus, directory)
      },
      { interval: 500 },
    )
    .toEqual([])
}

/** `<panel>: <expression>` of each panel for which Prometheus has no value. */
async function panelsWithoutData(prometheus: PrometheusProcess, directory: string): Promise<string[]> {
  const found = await Promise.all(
    (await readdir(directory)).map(async (file) => {
      const { panels } = JSON.parse(await readFile(join(directory, file), 'utf8')) as {
        panels: { title: string; targets: { expr: string }[] }[]
      }
      expect(panels.length).toBeGreaterThanOrEqual(8)
      return panels.flatMap(({ title, targets }) =>
        targets.map(({ expr }) => [`${file}, ${title}`, expr] as const),
      )
    }),
  )
  return withoutData(prometheus, found.flat())
}

/** `<alert>: <expression>` of each alert that failed, or that has no value even without its threshold. */
export async function alertsWithoutData(prometheus: PrometheusProcess): Promise<string[]> {
  const alerts = await prometheus.alerts()
  const failed = alerts.filter(({ health }) => health !== 'ok').map(({ name }) => `${name}: failed`)
  const expressions = alerts.map(({ name, query }) => {
    const condition = / [<>] [\d.]+$/
    expect(query).toMatch(condition)
    return [name, query.replace(condition, '')] as const
  })
  return [...failed, ...(await withoutData(prometheus, expressions))]
}

/** NaN, which a quotient of nothing gives, is not a value. */
async function withoutData(
  prometheus: PrometheusProcess,
  expressions: readonly (readonly [name: string, expression: string])[],
): Promise<string[]> {
  const missing = await Promise.all(
    expressions.map(async ([name, expression]) => {
      const found = await prometheus.query(expression)
      return found.some(({ value }) => !Number.isNaN(value)) ? [] : [`${name}: ${expression}`]
    }),
  )
  return missing.flat()
}
