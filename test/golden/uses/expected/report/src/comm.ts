import type { z } from 'zod'
import { type Caller, clientOf, type Patch, path } from '#lib/services.ts'
import type { PublicSample, SampleRequest } from '../../sample/src/entities.ts'
import type { Config } from './config.ts'

/** Creates the clients of the services that this one calls. */
export function createComm(config: Config) {
  const sampleClient = clientOf('Sample', config.SAMPLE_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)
  return {
    sample: {
      ...sampleClient.references,
      create: (request: z.input<typeof SampleRequest>, caller: Caller) =>
        sampleClient.send<PublicSample>('POST', '/api/sample', caller, request),
      read: (id: string, caller: Caller) =>
        sampleClient.send<PublicSample>('GET', path`/api/sample/${id}`, caller),
      update: (id: string, request: z.input<typeof SampleRequest>, caller: Caller) =>
        sampleClient.send<PublicSample>('PUT', path`/api/sample/${id}`, caller, request),
      patch: (id: string, changes: Patch<typeof SampleRequest>, caller: Caller) =>
        sampleClient.send<PublicSample>('PATCH', path`/api/sample/${id}`, caller, changes),
      delete: (id: string, caller: Caller) => sampleClient.delete(path`/api/sample/${id}`, caller),
      readMany: (ids: readonly string[], caller: Caller) => sampleClient.readMany<PublicSample>(ids, caller),
    },
  }
}

export type Comm = ReturnType<typeof createComm>
