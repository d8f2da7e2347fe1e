import type { Invocation } from './command.ts'
import { type CommandError, usageError } from './command-error.ts'

/** Reads the values of `--backfill` by their attributes, and the errors of those that are not written as such. */
export function readBackfills(invocation: Invocation) {
  const answers = new Map<string, string>()
  const malformed: CommandError[] = []
  for (const text of invocation.texts('backfill')) {
    const [, attribute, value] = /^([\w.]+)=([^]*)$/.exec(text) ?? []
    if (attribute !== undefined && value !== undefined) answers.set(attribute, value)
    else
      malformed.push(
        usageError(`Invalid value \`${text}\` for \`--backfill\``, 'write it as `Home.city=Unknown`'),
      )
  }
  return { answers, malformed }
}

/** @throws the error, or one that names them all. */
export function rejectBackfills(errors: readonly CommandError[]): void {
  const [first, ...rest] = errors
  if (first === undefined) return
  if (rest.length === 0) throw first
  const lines = errors.map(({ message, help }) => `  ${message}${help === undefined ? '' : `: ${help}`}`)
  throw usageError(`${errors.length} values of \`--backfill\` cannot be used:\n${lines.join('\n')}`)
}
