import type { z } from 'zod'
import { type Caller, clientOf, type Patch, path } from '#lib/services.ts'
import type { CityRequest, PublicCity } from '../../city/src/entities.ts'
import type { PublicTraveller, TravellerRequest } from '../../traveller/src/entities.ts'
import type { Config } from './config.ts'

/** Creates the clients of the services that this one calls. */
export function createComm(config: Config) {
  const cityClient = clientOf('City', config.CITY_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)
  const travellerClient = clientOf('Traveller', config.TRAVELLER_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)
  return {
    city: {
      ...cityClient.references,
      create: (request: z.input<typeof CityRequest>, caller: Caller) =>
        cityClient.send<PublicCity>('POST', '/api/city', caller, request),
      read: (id: string, caller: Caller) => cityClient.send<PublicCity>('GET', path`/api/city/${id}`, caller),
      update: (id: string, request: z.input<typeof CityRequest>, caller: Caller) =>
        cityClient.send<PublicCity>('PUT', path`/api/city/${id}`, caller, request),
      patch: (id: string, changes: Patch<typeof CityRequest>, caller: Caller) =>
        cityClient.send<PublicCity>('PATCH', path`/api/city/${id}`, caller, changes),
      delete: (id: string, caller: Caller) => cityClient.delete(path`/api/city/${id}`, caller),
      readMany: (ids: readonly string[], caller: Caller) => cityClient.readMany<PublicCity>(ids, caller),
    },
    traveller: {
      ...travellerClient.references,
      create: (request: z.input<typeof TravellerRequest>, caller: Caller) =>
        travellerClient.send<PublicTraveller>('POST', '/api/traveller', caller, request),
      read: (id: string, caller: Caller) =>
        travellerClient.send<PublicTraveller>('GET', path`/api/traveller/${id}`, caller),
      update: (id: string, request: z.input<typeof TravellerRequest>, caller: Caller) =>
        travellerClient.send<PublicTraveller>('PUT', path`/api/traveller/${id}`, caller, request),
      patch: (id: string, changes: Patch<typeof TravellerRequest>, caller: Caller) =>
        travellerClient.send<PublicTraveller>('PATCH', path`/api/traveller/${id}`, caller, changes),
      delete: (id: string, caller: Caller) => travellerClient.delete(path`/api/traveller/${id}`, caller),
      identify: (caller: Caller) => travellerClient.send<string>('GET', '/api/traveller', caller),
      readMany: (ids: readonly string[], caller: Caller) =>
        travellerClient.readMany<PublicTraveller>(ids, caller),
    },
  }
}

export type Comm = ReturnType<typeof createComm>
