import type { Config } from './config.ts'
import { ServiceClient } from './service-client.ts'

/** What Sample answers; data is base64. */
export interface Sample {
  id: string
  station: string
  celsius: number
}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<Config, 'urls'>) {
  return {
    sample: new ServiceClient<Sample>('Sample', urls.sample),
  }
}

export type Comm = Readonly<ReturnType<typeof createComm>>
