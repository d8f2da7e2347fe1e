import { createMetrics } from '#lib/metrics.ts'

/** What `/metrics` reports. The object has the `request_type` of each route. */
export const metrics = createMetrics('purchase', {
  'POST /purchase': 'createPurchase',
  'GET /purchase/:id': 'readPurchase',
  'DELETE /purchase/:id': 'deletePurchase',
})
