import type { DefinitionParseResult } from '../../parse-result.ts'
import type { Span } from '../../raw-diagnostic.ts'
import { nodeAt } from '../enclosing.ts'
import { dropArgumentNames, nameArguments } from './arguments.ts'
import { extractService, extractStruct } from './extract.ts'
import type { Refactor, Refactoring } from './refactoring.ts'
import { sortMetadata } from './sort-metadata.ts'

const REFACTORINGS: readonly Refactor[] = [
  extractStruct,
  extractService,
  nameArguments,
  dropArgumentNames,
  sortMetadata,
]

/** The refactorings of a selection. */
export function refactoringsOf(result: DefinitionParseResult, span: Span): Refactoring[] {
  const node = nodeAt(result, span.start)
  return REFACTORINGS.flatMap((refactor) => refactor({ result, span, node }))
}
