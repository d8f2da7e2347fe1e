import type { Config } from './config.ts'
import { ServiceClient } from './service-client.ts'

/** What City answers; data is base64. */
export interface City {
  id: string
  name: string
}

/** What Traveller answers; data is base64. */
export interface Traveller {
  id: string
  name: string
}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<Config, 'urls'>) {
  return {
    city: new ServiceClient<City>('City', urls.city),
    traveller: new ServiceClient<Traveller>('Traveller', urls.traveller),
  }
}

export type Comm = Readonly<ReturnType<typeof createComm>>
