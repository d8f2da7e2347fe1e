import type { z } from 'zod'
import { accountsOf } from '#lib/accounts.ts'
import { type Caller, clientOf, type Patch, path } from '#lib/services.ts'
import type { PublicReader, ReaderRequest } from '../../reader/src/entities.ts'
import type { PublicReport, ReportRequest } from '../../report/src/entities.ts'
import type { PublicStation, StationRequest } from '../../station/src/entities.ts'
import type { Config } from './config.ts'

/** Creates the clients of the services that this one calls. */
export function createComm(config: Config) {
  const stationClient = clientOf('Station', config.STATION_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)
  const auth = accountsOf({
    url: config.AUTH_INTERNAL_URL,
    timeoutMs: config.SERVICE_TIMEOUT_MS,
    keys: config.SERVICE_KEYS_DIRECTORY,
    caller: 'sample',
    callee: 'auth',
  })
  const reportClient = clientOf('Report', config.REPORT_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)
  const readerClient = clientOf('Reader', config.READER_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)
  return {
    station: {
      ...stationClient.references,
      create: (request: z.input<typeof StationRequest>, caller: Caller) =>
        stationClient.send<PublicStation>('POST', '/api/station', caller, request),
      update: (id: string, request: z.input<typeof StationRequest>, caller: Caller) =>
        stationClient.send<PublicStation>('PUT', path`/api/station/${id}`, caller, request),
      patch: (id: string, changes: Patch<typeof StationRequest>, caller: Caller) =>
        stationClient.send<PublicStation>('PATCH', path`/api/station/${id}`, caller, changes),
      delete: (id: string, caller: Caller) => stationClient.delete(path`/api/station/${id}`, caller),
    },
    auth,
    report: {
      ...reportClient.references,
      create: (request: z.input<typeof ReportRequest>, caller: Caller) =>
        reportClient.send<PublicReport>('POST', '/api/report', caller, request),
      read: (id: string, caller: Caller) =>
        reportClient.send<PublicReport>('GET', path`/api/report/${id}`, caller),
      update: (id: string, request: z.input<typeof ReportRequest>, caller: Caller) =>
        reportClient.send<PublicReport>('PUT', path`/api/report/${id}`, caller, request),
      patch: (id: string, changes: Patch<typeof ReportRequest>, caller: Caller) =>
        reportClient.send<PublicReport>('PATCH', path`/api/report/${id}`, caller, changes),
      delete: (id: string, caller: Caller) => reportClient.delete(path`/api/report/${id}`, caller),
      readMany: (ids: readonly string[], caller: Caller) => reportClient.readMany<PublicReport>(ids, caller),
    },
    reader: {
      ...readerClient.references,
      create: (request: z.input<typeof ReaderRequest>, caller: Caller) =>
        readerClient.send<PublicReader>('POST', '/api/reader', caller, request),
      read: (id: string, caller: Caller) =>
        readerClient.send<PublicReader>('GET', path`/api/reader/${id}`, caller),
      update: (id: string, request: z.input<typeof ReaderRequest>, caller: Caller) =>
        readerClient.send<PublicReader>('PUT', path`/api/reader/${id}`, caller, request),
      patch: (id: string, changes: Patch<typeof ReaderRequest>, caller: Caller) =>
        readerClient.send<PublicReader>('PATCH', path`/api/reader/${id}`, caller, changes),
      delete: (id: string, caller: Caller) => readerClient.delete(path`/api/reader/${id}`, caller),
      identify: (caller: Caller) => readerClient.send<string>('GET', '/api/reader', caller),
      readMany: (ids: readonly string[], caller: Caller) => readerClient.readMany<PublicReader>(ids, caller),
    },
  }
}

export type Comm = ReturnType<typeof createComm>
