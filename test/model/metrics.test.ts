import { expect, test } from 'vitest'
import { requestTypes } from '../../src/model/metrics.ts'
import { platformOf } from '../emit/platform.ts'

test('each path of a service has one name, also in a service named References', () => {
  const { services } = platformOf(
    'P: project {} Job: service { reference: References; } References: service { job: Job?; }',
  )
  for (const service of services) {
    const routes = requestTypes(service).map(({ method, path }) => `${method} ${path}`)
    expect(new Set(routes).size).toBe(routes.length)
  }
})
