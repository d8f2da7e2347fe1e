import type { Config } from './config.ts'
import { ServiceClient } from './service-client.ts'

/** What User answers; data is base64. */
export interface User {
  id: string
  order: string
}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<Config, 'urls'>) {
  return {
    user: new ServiceClient<User>('User', urls.user),
  }
}

export type Comm = Readonly<ReturnType<typeof createComm>>
