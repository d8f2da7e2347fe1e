import type { Config } from './config.ts'
import { ServiceClient } from './service-client.ts'

/** What Keeper answers; data is base64. */
export interface Keeper {
  id: string
  name: string
}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<Config, 'urls'>) {
  return {
    keeper: new ServiceClient<Keeper>('Keeper', urls.keeper),
  }
}

export type Comm = Readonly<ReturnType<typeof createComm>>
