import type { Config } from './config.ts'
import { ServiceClient } from './service-client.ts'

/** What Product answers; data is base64. */
export interface Product {
  id: string
  title: string
  shelf: number
  price: number
}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<Config, 'urls'>) {
  return {
    product: new ServiceClient<Product>('Product', urls.product),
  }
}

export type Comm = Readonly<ReturnType<typeof createComm>>
