import type { z } from 'zod'
import type { Page } from '#lib/queries.ts'
import { type Caller, clientOf, type Patch, path } from '#lib/services.ts'
import type {
  AisleRequest,
  BoothQuery,
  BoothRequest,
  HallQuery,
  HallRequest,
  PublicAisle,
  PublicBooth,
  PublicHall,
} from '../../hall/src/entities.ts'
import type { Config } from './config.ts'

/** Creates the clients of the services that this one calls. */
export function createComm(config: Config) {
  const hallClient = clientOf('Hall', config.HALL_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)
  return {
    hall: {
      ...hallClient.references,
      create: (request: z.input<typeof HallRequest>, caller: Caller) =>
        hallClient.send<PublicHall>('POST', '/api/hall', caller, request),
      read: (id: string, caller: Caller) => hallClient.send<PublicHall>('GET', path`/api/hall/${id}`, caller),
      update: (id: string, request: z.input<typeof HallRequest>, caller: Caller) =>
        hallClient.send<PublicHall>('PUT', path`/api/hall/${id}`, caller, request),
      patch: (id: string, changes: Patch<typeof HallRequest>, caller: Caller) =>
        hallClient.send<PublicHall>('PATCH', path`/api/hall/${id}`, caller, changes),
      delete: (id: string, caller: Caller) => hallClient.delete(path`/api/hall/${id}`, caller),
      list: (page: HallQuery, caller: Caller) =>
        hallClient.list<PublicHall>('/api/hall/all', 'HallList', page, caller),
      readMany: (ids: readonly string[], caller: Caller) => hallClient.readMany<PublicHall>(ids, caller),
      booth: {
        create: (parentId: string, request: z.input<typeof BoothRequest>, caller: Caller) =>
          hallClient.send<PublicBooth>('POST', path`/api/hall/${parentId}/booth`, caller, request),
        read: (parentId: string, id: string, caller: Caller) =>
          hallClient.send<PublicBooth>('GET', path`/api/hall/${parentId}/booth/${id}`, caller),
        update: (parentId: string, id: string, request: z.input<typeof BoothRequest>, caller: Caller) =>
          hallClient.send<PublicBooth>('PUT', path`/api/hall/${parentId}/booth/${id}`, caller, request),
        patch: (parentId: string, id: string, changes: Patch<typeof BoothRequest>, caller: Caller) =>
          hallClient.send<PublicBooth>('PATCH', path`/api/hall/${parentId}/booth/${id}`, caller, changes),
        delete: (parentId: string, id: string, caller: Caller) =>
          hallClient.delete(path`/api/hall/${parentId}/booth/${id}`, caller),
        list: (parentId: string, page: BoothQuery, caller: Caller) =>
          hallClient.list<PublicBooth>(path`/api/hall/${parentId}/booth/all`, 'BoothList', page, caller),
      },
      aisle: {
        create: (parentId: string, request: z.input<typeof AisleRequest>, caller: Caller) =>
          hallClient.send<PublicAisle>('POST', path`/api/hall/${parentId}/aisle`, caller, request),
        read: (parentId: string, id: string, caller: Caller) =>
          hallClient.send<PublicAisle>('GET', path`/api/hall/${parentId}/aisle/${id}`, caller),
        delete: (parentId: string, id: string, caller: Caller) =>
          hallClient.delete(path`/api/hall/${parentId}/aisle/${id}`, caller),
        list: (parentId: string, page: Page, caller: Caller) =>
          hallClient.list<PublicAisle>(path`/api/hall/${parentId}/aisle/all`, 'AisleList', page, caller),
      },
    },
  }
}

export type Comm = ReturnType<typeof createComm>
