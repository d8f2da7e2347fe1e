import { HookError } from './errors.ts'

/** What a hook may give: nothing, or an error that ends the request (throwing it does the same). */
export type HookResult = void | HookError | Promise<void | HookError>

/** A function that setup.ts registers. */
export type Hook<Arguments extends unknown[]> = (...values: Arguments) => HookResult

/** For each kind of hook the function that registers one; several run in the order of registration. */
export type Registrar<Lists> = {
  readonly [Kind in keyof Lists]: Lists[Kind] extends (infer Registered)[]
    ? (hook: Registered) => void
    : never
}

/** Makes the functions that fill `lists`. */
export function registrar<Lists extends Record<string, unknown[]>>(lists: Lists): Registrar<Lists> {
  const entries = Object.entries(lists).map(([kind, hooks]) => [
    kind,
    (hook: unknown) => {
      hooks.push(hook)
    },
  ])
  return Object.fromEntries(entries) as Registrar<Lists>
}

/** Runs hooks one after the other; the first that throws or returns an error ends the request. */
export async function runHooks<Arguments extends unknown[]>(
  hooks: readonly Hook<Arguments>[],
  ...values: Arguments
): Promise<void> {
  for (const hook of hooks) {
    const result = await hook(...values)
    if (result instanceof HookError) throw result
  }
}
