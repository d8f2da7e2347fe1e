import { createMetrics } from '#lib/metrics.ts'

/** What `/metrics` reports. The object has the `request_type` of each route. */
export const metrics = createMetrics('product', {
  'POST /product': 'createProduct',
  'GET /product/:id': 'readProduct',
  'PUT /product/:id': 'updateProduct',
  'DELETE /product/:id': 'deleteProduct',
  'GET /product/all': 'listProduct',
  'POST /product/:parentId/review': 'createReview',
  'GET /product/:parentId/review/:id': 'readReview',
  'PUT /product/:parentId/review/:id': 'updateReview',
  'DELETE /product/:parentId/review/:id': 'deleteReview',
  'GET /product/:parentId/review/:id/all': 'listReview',
  'GET /product/:parentId/review/all': 'listReview',
  'POST /references': 'checkReferences',
})
