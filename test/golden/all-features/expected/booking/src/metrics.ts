import { createMetrics } from '#lib/metrics.ts'

/** What `/metrics` reports. The object has the `request_type` of each route. */
export const metrics = createMetrics('booking', {
  'POST /booking': 'createBooking',
  'GET /booking/:id': 'readBooking',
  'PUT /booking/:id': 'updateBooking',
  'PATCH /booking/:id': 'patchBooking',
  'DELETE /booking/:id': 'deleteBooking',
  'GET /booking/all': 'listBooking',
  'PUT /booking/:id/move': 'moveBooking',
  'DELETE /booking/:id/cancellation': 'cancelBooking',
  'POST /references': 'checkReferences',
  'POST /read-many': 'findMany',
})
