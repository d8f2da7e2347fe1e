import { AsyncLocalStorage } from 'node:async_hooks'

/** The id of the request that is being answered; calls to other services pass it on. */
export const requestIds = new AsyncLocalStorage<string>()
