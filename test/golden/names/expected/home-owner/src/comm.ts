import type { Config } from './config.ts'
import { ServiceClient } from './service-client.ts'

/** What Home answers; data is base64. */
export interface Home {
  id: string
  rooms: number
}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<Config, 'urls'>) {
  return {
    home: new ServiceClient<Home>('Home', urls.home),
  }
}

export type Comm = Readonly<ReturnType<typeof createComm>>
