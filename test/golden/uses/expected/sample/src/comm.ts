import type { Config } from './config.ts'
import { ServiceClient } from './service-client.ts'

/** What Station answers; data is base64. */
export interface Station {
  id: string
  place: string
}

/** What Report answers; data is base64. */
export interface Report {
  id: string
  text: string
}

/** What Reader answers; data is base64. */
export interface Reader {
  id: string
  name: string
}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<Config, 'urls'>) {
  return {
    station: new ServiceClient<Station>('Station', urls.station),
    report: new ServiceClient<Report>('Report', urls.report),
    reader: new ServiceClient<Reader>('Reader', urls.reader),
  }
}

export type Comm = Readonly<ReturnType<typeof createComm>>
