import type { Config } from './config.ts'
import { ServiceClient } from './service-client.ts'

/** What Object answers; data is base64. */
export interface Object_ {
  id: string
  value: string
}

/** What Date answers; data is base64. */
export interface Date_ {
  id: string
  now: string
}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<Config, 'urls'>) {
  return {
    object: new ServiceClient<Object_>('Object', urls.object),
    date: new ServiceClient<Date_>('Date', urls.date),
  }
}

export type Comm = Readonly<ReturnType<typeof createComm>>
