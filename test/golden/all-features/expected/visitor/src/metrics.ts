import { createMetrics } from '#lib/metrics.ts'

/** What `/metrics` reports. The object has the `request_type` of each route. */
export const metrics = createMetrics('visitor', {
  'POST /visitor': 'createVisitor',
  'GET /visitor/:id': 'readVisitor',
  'PUT /visitor/:id': 'updateVisitor',
  'PATCH /visitor/:id': 'patchVisitor',
  'DELETE /visitor/:id': 'deleteVisitor',
  'POST /references': 'checkReferences',
  'POST /read-many': 'findMany',
})
