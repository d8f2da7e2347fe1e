import type { z } from 'zod'
import { type Caller, clientOf, type Patch, path } from '#lib/services.ts'
import type { PublicVisitor, VisitorRequest } from '../../visitor/src/entities.ts'
import type { Config } from './config.ts'

/** Creates the clients of the services that this one calls. */
export function createComm(config: Config) {
  const visitorClient = clientOf('Visitor', config.VISITOR_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)
  return {
    visitor: {
      ...visitorClient.references,
      create: (request: z.input<typeof VisitorRequest>, caller: Caller) =>
        visitorClient.send<PublicVisitor>('POST', '/api/visitor', caller, request),
      read: (id: string, caller: Caller) =>
        visitorClient.send<PublicVisitor>('GET', path`/api/visitor/${id}`, caller),
      update: (id: string, request: z.input<typeof VisitorRequest>, caller: Caller) =>
        visitorClient.send<PublicVisitor>('PUT', path`/api/visitor/${id}`, caller, request),
      patch: (id: string, changes: Patch<typeof VisitorRequest>, caller: Caller) =>
        visitorClient.send<PublicVisitor>('PATCH', path`/api/visitor/${id}`, caller, changes),
      delete: (id: string, caller: Caller) => visitorClient.delete(path`/api/visitor/${id}`, caller),
      readMany: (ids: readonly string[], caller: Caller) =>
        visitorClient.readMany<PublicVisitor>(ids, caller),
    },
  }
}

export type Comm = ReturnType<typeof createComm>
