import { expect, test } from 'vitest'
import { requestTypes } from '../../src/model/metrics.ts'
import { platformOf } from '../emit/platform.ts'

test('each path of a service has one name, also in a service named References', () => {
  const { services } = platformOf(
    'P: project {} Job: service { reference: References; } References: service { job: Job?; #enumerable; }',
  )
  const types = services.map((service) =>
    requestTypes(service).map(({ method, path, name }) => `${method} ${path} ${name}`),
  )
  expect(types).toEqual([
    [
      'POST /job createJob',
      'GET /job/{id} readJob',
      'PUT /job/{id} updateJob',
      'PATCH /job/{id} patchJob',
      'DELETE /job/{id} deleteJob',
      'POST /references checkReferences',
      'POST /read-many findMany',
    ],
    [
      'POST /references createReferences',
      'GET /references/{id} readReferences',
      'PUT /references/{id} updateReferences',
      'PATCH /references/{id} patchReferences',
      'DELETE /references/{id} deleteReferences',
      'GET /references/all listReferences',
      'POST /read-many findMany',
    ],
  ])
})
