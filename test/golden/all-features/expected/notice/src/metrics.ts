import { createMetrics } from '#lib/metrics.ts'

/** What `/metrics` reports. The object has the `request_type` of each route. */
export const metrics = createMetrics('notice', {
  'POST /notice': 'createNotice',
  'GET /notice/:id': 'readNotice',
  'PUT /notice/:id': 'updateNotice',
  'PATCH /notice/:id': 'patchNotice',
  'DELETE /notice/:id': 'deleteNotice',
  'GET /notice/all': 'listNotice',
  'POST /notice/:parentId/copy': 'createCopy',
  'GET /notice/:parentId/copy/:id': 'readCopy',
  'PUT /notice/:parentId/copy/:id': 'updateCopy',
  'PATCH /notice/:parentId/copy/:id': 'patchCopy',
  'DELETE /notice/:parentId/copy/:id': 'deleteCopy',
  'GET /notice/:parentId/copy/:id/all': 'listCopy',
  'GET /notice/:parentId/copy/all': 'listCopy',
  'POST /notice/printed': 'printedNotice',
  'PATCH /notice/corrections': 'correctNotice',
})
