import type { z } from 'zod'
import { accountsOf } from '#lib/accounts.ts'
import { pathWith, withQuery } from '#lib/endpoint-calls.ts'
import type { Page } from '#lib/queries.ts'
import { type Caller, clientOf, type Patch, path } from '#lib/services.ts'
import { idOf, ofVersion } from '#lib/tags.ts'
import type * as bookingSchemas from '../../booking/src/endpoints.ts'
import type { BookingQuery, BookingRequest, PublicBooking } from '../../booking/src/entities.ts'
import type * as hallSchemas from '../../hall/src/endpoints.ts'
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
import type { PublicVisitor, VisitorRequest } from '../../visitor/src/entities.ts'
import type { Config } from './config.ts'

/** Creates the clients of the services that this one calls. */
export function createComm(config: Config) {
  const hallClient = clientOf('Hall', config.HALL_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)
  const bookingClient = clientOf('Booking', config.BOOKING_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)
  const auth = accountsOf({
    url: config.AUTH_INTERNAL_URL,
    timeoutMs: config.SERVICE_TIMEOUT_MS,
    keys: config.SERVICE_KEYS_DIRECTORY,
    caller: 'statistic',
    callee: 'auth',
  })
  const visitorClient = clientOf('Visitor', config.VISITOR_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)
  return {
    hall: {
      ...hallClient.references,
      create: (request: z.input<typeof HallRequest>, caller: Caller) =>
        hallClient.send<PublicHall>('POST', '/api/hall', caller, request, ofVersion()),
      read: (id: string, caller: Caller) =>
        hallClient.send<PublicHall>('GET', path`/api/hall/${id}`, caller, undefined, ofVersion()),
      update: (id: string | PublicHall, request: z.input<typeof HallRequest>, caller: Caller) =>
        hallClient.send<PublicHall>('PUT', path`/api/hall/${idOf(id)}`, caller, request, ofVersion(id)),
      patch: (id: string | PublicHall, changes: Patch<typeof HallRequest>, caller: Caller) =>
        hallClient.send<PublicHall>('PATCH', path`/api/hall/${idOf(id)}`, caller, changes, ofVersion(id)),
      delete: (id: string | PublicHall, caller: Caller) =>
        hallClient.delete(path`/api/hall/${idOf(id)}`, caller, ofVersion(id)),
      list: (page: HallQuery, caller: Caller) =>
        hallClient.list<PublicHall>('/api/hall/all', 'HallList', page, caller),
      price: (request: hallSchemas.PriceInput, caller: Caller) =>
        hallClient.send<hallSchemas.PublicPrice>(
          'GET',
          withQuery(pathWith`/api/hall/${request.id}/price/${request.day}`, request, ['people', 'voucher']),
          caller,
        ),
      search: (request: hallSchemas.SearchInput, caller: Caller) =>
        hallClient
          .send<{ HallList: PublicHall[] }>(
            'GET',
            withQuery('/api/hall/search', request, ['limit', 'after', 'word']),
            caller,
          )
          .then((found) => found?.HallList),
      readMany: (ids: readonly string[], caller: Caller) => hallClient.readMany<PublicHall>(ids, caller),
      booth: {
        create: (parentId: string, request: z.input<typeof BoothRequest>, caller: Caller) =>
          hallClient.send<PublicBooth>(
            'POST',
            path`/api/hall/${parentId}/booth`,
            caller,
            request,
            ofVersion(),
          ),
        read: (parentId: string, id: string, caller: Caller) =>
          hallClient.send<PublicBooth>(
            'GET',
            path`/api/hall/${parentId}/booth/${id}`,
            caller,
            undefined,
            ofVersion(),
          ),
        update: (
          parentId: string,
          id: string | PublicBooth,
          request: z.input<typeof BoothRequest>,
          caller: Caller,
        ) =>
          hallClient.send<PublicBooth>(
            'PUT',
            path`/api/hall/${parentId}/booth/${idOf(id)}`,
            caller,
            request,
            ofVersion(id),
          ),
        patch: (
          parentId: string,
          id: string | PublicBooth,
          changes: Patch<typeof BoothRequest>,
          caller: Caller,
        ) =>
          hallClient.send<PublicBooth>(
            'PATCH',
            path`/api/hall/${parentId}/booth/${idOf(id)}`,
            caller,
            changes,
            ofVersion(id),
          ),
        delete: (parentId: string, id: string | PublicBooth, caller: Caller) =>
          hallClient.delete(path`/api/hall/${parentId}/booth/${idOf(id)}`, caller, ofVersion(id)),
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
    booking: {
      ...bookingClient.references,
      create: (request: z.input<typeof BookingRequest>, caller: Caller) =>
        bookingClient.send<PublicBooking>('POST', '/api/booking', caller, request),
      read: (id: string, caller: Caller) =>
        bookingClient.send<PublicBooking>('GET', path`/api/booking/${id}`, caller),
      update: (id: string, request: z.input<typeof BookingRequest>, caller: Caller) =>
        bookingClient.send<PublicBooking>('PUT', path`/api/booking/${id}`, caller, request),
      patch: (id: string, changes: Patch<typeof BookingRequest>, caller: Caller) =>
        bookingClient.send<PublicBooking>('PATCH', path`/api/booking/${id}`, caller, changes),
      delete: (id: string, caller: Caller) => bookingClient.delete(path`/api/booking/${id}`, caller),
      list: (page: BookingQuery, caller: Caller) =>
        bookingClient.list<PublicBooking>('/api/booking/all', 'BookingList', page, caller),
      move: (request: bookingSchemas.MoveInput, caller: Caller) =>
        bookingClient.send<PublicBooking>('PUT', pathWith`/api/booking/${request.id}/move`, caller, request),
      cancel: (request: bookingSchemas.CancelInput, caller: Caller) =>
        bookingClient.send<bookingSchemas.PublicCancel>(
          'DELETE',
          pathWith`/api/booking/${request.id}/cancellation`,
          caller,
        ),
      readMany: (ids: readonly string[], caller: Caller) =>
        bookingClient.readMany<PublicBooking>(ids, caller),
    },
    auth,
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
