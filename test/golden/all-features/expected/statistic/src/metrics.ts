import { createMetrics } from '#lib/metrics.ts'

/** What `/metrics` reports. The object has the `request_type` of each route. */
export const metrics = createMetrics('statistic', {
  'GET /statistic/:id': 'readStatistic',
  'GET /statistic/all': 'listStatistic',
})
