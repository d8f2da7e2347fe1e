import { randomUUID } from 'node:crypto'
import type { Check } from '../check.ts'
import { expectResponse } from '../expect.ts'
import type { Resource } from '../resource.ts'
import { resourceCheck } from './resource-check.ts'
import { GATEWAY_TEXTS, SERVICE_TEXTS } from '../../model/error-texts.ts'

/** Checks that the gateway asks for no token below public paths, and only there. Generated routes require one. */
export function publicPathChecks(resource: Resource): Check[] {
  const { publicPaths, entity } = resource.service
  if (resource.struct || publicPaths.length === 0) return []
  const title = 'requests below public paths reach the service without a token'
  return [
    resourceCheck(resource, title, { entities: 0 }, async (context) => {
      for (const path of publicPaths)
        for (const headers of [{}, { authorization: 'Bearer a.b.c' }]) {
          const besides = { method: 'GET', path: `${path}x/${randomUUID()}`, headers }
          expectResponse(await context.send(besides), { status: 401, body: { message: GATEWAY_TEXTS[401] } })
          // Custom routes may respond in any way.
          if (!context.test.isolated || entity.endpoints.length === 0) continue
          for (const at of [path, `${path}/${randomUUID()}`]) {
            const below = await context.send({ method: 'GET', path: at, headers })
            expectResponse(below, { status: 401, error: SERVICE_TEXTS.unauthorized })
          }
        }
    }),
  ]
}
