import type { Invocation } from './command.ts'
import { usageError } from './command-error.ts'

/** What the command line answers about data that is removed. */
export interface RemovalAnswers {
  /** What may be deleted, by name: `Home.notes`. `undefined` if `--allow-data-loss` is not set. */
  readonly allowDataLoss: ReadonlySet<string> | undefined
  /** The attributes that were removed, not renamed. */
  readonly notRenamed: ReadonlySet<string>
}

/** Reads `--allow-data-loss`, which names nothing if it only asks for the list, and `--not-renamed`. */
export function readRemovals(invocation: Invocation): RemovalAnswers {
  const allowed = namesOf(invocation, 'allowDataLoss')
  return {
    allowDataLoss: allowed ?? (invocation.flag('allowDataLoss') ? new Set() : undefined),
    notRenamed: namesOf(invocation, 'notRenamed') ?? new Set(),
  }
}

function namesOf(invocation: Invocation, option: string): ReadonlySet<string> | undefined {
  const names = invocation
    .text(option)
    ?.split(',')
    .map((name) => name.trim())
  return names === undefined ? undefined : new Set(names.filter((name) => name !== ''))
}

/**
 * Checks that each name of an option answers something. `needed` has the names that do.
 *
 * @throws a `CommandError` with status 2.
 */
export function requireNeeded(option: string, names: Iterable<string>, needed: readonly string[]): void {
  for (const name of names)
    if (!needed.includes(name))
      throw usageError(
        `\`${name}\` does not need \`${option}\``,
        needed.length === 0 ? undefined : `use \`${option} ${needed.join(',')}\``,
      )
}
