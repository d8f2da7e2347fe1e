import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf } from '../platform.ts'

const configuration = (provider: string) => {
  const files = emitProject(
    platformOf(
      `P: project { #provider(${provider}); #metrics(prometheus); } Home: service { name: string; }`,
    ),
  )
  const { content = '' } = files.find(({ path }) => path === 'prometheus/prometheus.yaml') ?? {}
  return { paths: files.map(({ path }) => path), ...(parse(content) as { alerting?: unknown }) }
}

test('the Alertmanagers are in a file of the user, because generation stops if generated files were edited', () => {
  const { alerting, paths } = configuration('dc')
  expect(alerting).toEqual({ alertmanagers: [{ file_sd_configs: [{ files: ['alertmanagers.yaml'] }] }] })
  expect(paths).not.toContain('prometheus/alertmanagers.yaml')
  expect(configuration('kube').alerting).toBeUndefined()
})
