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
        const result = await each(...values)
        if (result instanceof HookError) throw result
      }
    },
  })
}

/** Runs a write: in a transaction with its hooks, if there are any. */
export function withHooks<Env extends { transaction<R>(work: (env: Env) => Promise<R>): Promise<R> }, Result>(
  env: Env,
  hooks: readonly Pick<Hook<never>, 'isUsed'>[],
  work: (env: Env) => Promise<Result>,
): Promise<Result> {
  return hooks.some((each) => each.isUsed()) ? env.transaction(work) : work(env)
}
