import { createMetrics } from '#lib/metrics.ts'

/** What `/metrics` reports. The object has the `request_type` of each route. */
export const metrics = createMetrics('customer', {
  'POST /customer': 'createCustomer',
  'GET /customer/:id': 'readCustomer',
  'PUT /customer/:id': 'updateCustomer',
  'DELETE /customer/:id': 'deleteCustomer',
  'GET /customer': 'identifyCustomer',
})
