import { createMetrics } from '#lib/metrics.ts'

/** What `/metrics` reports. The object has the `request_type` of each route. */
export const metrics = createMetrics('hall', {
  'POST /hall': 'createHall',
  'GET /hall/:id': 'readHall',
  'PUT /hall/:id': 'updateHall',
  'PATCH /hall/:id': 'patchHall',
  'DELETE /hall/:id': 'deleteHall',
  'GET /hall/all': 'listHall',
  'POST /hall/:parentId/booth': 'createBooth',
  'GET /hall/:parentId/booth/:id': 'readBooth',
  'PUT /hall/:parentId/booth/:id': 'updateBooth',
  'PATCH /hall/:parentId/booth/:id': 'patchBooth',
  'DELETE /hall/:parentId/booth/:id': 'deleteBooth',
  'GET /hall/:parentId/booth/:id/all': 'listBooth',
  'GET /hall/:parentId/booth/all': 'listBooth',
  'POST /hall/:parentId/aisle': 'createAisle',
  'GET /hall/:parentId/aisle/:id': 'readAisle',
  'DELETE /hall/:parentId/aisle/:id': 'deleteAisle',
  'GET /hall/:parentId/aisle/:id/all': 'listAisle',
  'GET /hall/:parentId/aisle/all': 'listAisle',
  'GET /hall/:id/price/:day': 'priceHall',
  'GET /hall/search': 'searchHall',
  'POST /references': 'checkReferences',
  'POST /read-many': 'findMany',
})
