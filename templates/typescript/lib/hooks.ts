import { AsyncLocalStorage } from 'node:async_hooks'
import { HookError } from './errors.ts'

/** The result of a hook: nothing, or an error that ends the request. Throwing the error has the same effect. */
type HookResult = void | HookError | Promise<void | HookError>

/** A kind of hook. Registers a hook when it is called. Hooks run in the order of registration. */
export type Hook<Arguments extends unknown[]> = ReturnType<typeof hook<Arguments>>

/** Creates a kind of hook. */
export function hook<Arguments extends unknown[]>() {
  const registered: ((...values: Arguments) => HookResult)[] = []
  return Object.assign((added: (...values: Arguments) => HookResult) => void registered.push(added), {
    isUsed: () => registered.length > 0,
    async run(...values: Arguments) {
      for (const each of registered) {
        const result = await beforeLastStatement(() => each(...values))
        if (result instanceof HookError) throw result
      }
    },
  })
}

/** Whether no statement follows the one that the running code sends, so that it needs no transaction of several. */
const isLast = new AsyncLocalStorage<boolean>()
export const isLastStatement = () => isLast.getStore() === true
/** Runs what other statements may follow. */
export const beforeLastStatement = <Result>(work: () => Result) => isLast.run(false, work)

/**
 * Runs a write: in a transaction with its hooks, if there are any. Without an after-hook, no statement follows that of
 * the write, which then belongs to a transaction only if a before-hook has begun one.
 */
export function withHooks<Env extends { transaction<R>(work: (env: Env) => Promise<R>): Promise<R> }, Result>(
  env: Env,
  [before, after]: readonly [Pick<Hook<never>, 'isUsed'>, Pick<Hook<never>, 'isUsed'>],
  work: (env: Env) => Promise<Result>,
): Promise<Result> {
  if (after.isUsed()) return env.transaction(work)
  return before.isUsed() ? isLast.run(isLast.getStore() ?? true, () => env.transaction(work)) : work(env)
}
