import type { z } from 'zod'
import type { Page } from '#lib/queries.ts'
import { type Caller, clientOf, path } from '#lib/services.ts'
import type {
  ProductRequest,
  PublicProduct,
  PublicReview,
  ReviewRequest,
} from '../../product/src/entities.ts'
import type { Config } from './config.ts'

/** Creates the clients of the services that this one calls. */
export function createComm(config: Config) {
  const productClient = clientOf('Product', config.PRODUCT_INTERNAL_URL)
  return {
    product: {
      ...productClient.references,
      create: (request: z.input<typeof ProductRequest>, caller: Caller) =>
        productClient.send<PublicProduct>('POST', '/api/product', caller, request),
      read: (id: string, caller: Caller) =>
        productClient.send<PublicProduct>('GET', path`/api/product/${id}`, caller),
      update: (id: string, request: z.input<typeof ProductRequest>, caller: Caller) =>
        productClient.send<PublicProduct>('PUT', path`/api/product/${id}`, caller, request),
      delete: (id: string, caller: Caller) => productClient.delete(path`/api/product/${id}`, caller),
      list: (page: Page, caller: Caller) =>
        productClient.list<PublicProduct>('/api/product/all', 'ProductList', page, caller),
      review: {
        create: (parentId: string, request: z.input<typeof ReviewRequest>, caller: Caller) =>
          productClient.send<PublicReview>('POST', path`/api/product/${parentId}/review`, caller, request),
        read: (parentId: string, id: string, caller: Caller) =>
          productClient.send<PublicReview>('GET', path`/api/product/${parentId}/review/${id}`, caller),
        update: (parentId: string, id: string, request: z.input<typeof ReviewRequest>, caller: Caller) =>
          productClient.send<PublicReview>(
            'PUT',
            path`/api/product/${parentId}/review/${id}`,
            caller,
            request,
          ),
        delete: (parentId: string, id: string, caller: Caller) =>
          productClient.delete(path`/api/product/${parentId}/review/${id}`, caller),
        list: (parentId: string, page: Page, caller: Caller) =>
          productClient.list<PublicReview>(
            path`/api/product/${parentId}/review/all`,
            'ReviewList',
            page,
            caller,
          ),
      },
    },
  }
}

export type Comm = ReturnType<typeof createComm>
