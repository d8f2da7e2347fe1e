import type { Config } from './config.ts'
import { ServiceClient } from './service-client.ts'

/** What B answers; data is base64. */
export interface B {
  id: string
  proxy: string
}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<Config, 'urls'>) {
  return {
    b: new ServiceClient<B>('B', urls.b),
  }
}

export type Comm = Readonly<ReturnType<typeof createComm>>
