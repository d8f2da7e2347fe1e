import type { Config } from './config.ts'
import { ServiceClient } from './service-client.ts'

/**
 * What Topic answers; data is base64.
 *
 * Entries refer to it.
 */
export interface Topic {
  id: string
  title: string
}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<Config, 'urls'>) {
  return {
    topic: new ServiceClient<Topic>('Topic', urls.topic),
  }
}

export type Comm = Readonly<ReturnType<typeof createComm>>
