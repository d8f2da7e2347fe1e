import type { Config } from './config.ts'
import { ServiceClient } from './service-client.ts'

/** What HTTPProxy2 answers; data is base64. */
export interface HTTPProxy2 {
  id: string
  a: string
  bC: string
  dEF: number
  userID: string
  ipV4Address: string
  x2y: number
  iPhone: boolean
}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<Config, 'urls'>) {
  return {
    httpProxy2: new ServiceClient<HTTPProxy2>('HTTPProxy2', urls.httpProxy2),
  }
}

export type Comm = Readonly<ReturnType<typeof createComm>>
