import { enumValues } from '../../language/enum-values.ts'
import type { PrimitiveType } from '../../language/generated/ast.ts'
import type { CompletionCandidate } from './candidate.ts'
import type { DefaultContext } from './context.ts'
import { spaceBefore } from './types.ts'

/** The words that can be the default of an attribute. */
export function defaultCandidates({
  attribute: { type, annotations },
  cursor,
}: DefaultContext): CompletionCandidate[] {
  if (type.$type !== 'PrimitiveType' || annotations.some(({ name }) => name === 'client')) return []
  return wordsOf(type).map(([label, detail], rank) => ({
    label,
    kind: 'value',
    ...(detail === undefined ? {} : { detail }),
    snippet: `${spaceBefore(cursor)}${label}`,
    span: cursor.word,
    rank,
  }))
}

function wordsOf(type: PrimitiveType): [label: string, detail?: string][] {
  if (type.name === 'bool') return [['true'], ['false']]
  if (type.name === 'enum') return enumValues(type.arguments).map((value) => [value])
  return type.name === 'date' || type.name === 'time' || type.name === 'datetime'
    ? [['now', 'the time of the request']]
    : []
}
