import { placeAt } from '../../editor/place.ts'
import type { Read } from '../../syntax/read.ts'
import type { Span } from '../../syntax/tree.ts'
import { dropArgumentNames, nameArguments } from './arguments.ts'
import { extractService } from './extract-service.ts'
import { extractStruct } from './extract-struct.ts'
import type { Refactor, Refactoring } from './refactoring.ts'
import { sortMetadata } from './sort-metadata.ts'

const REFACTORINGS: readonly Refactor[] = [
  extractStruct,
  extractService,
  nameArguments,
  dropArgumentNames,
  sortMetadata,
]

/** What can be made of a selection. */
export function refactoringsOf(read: Read, span: Span): Refactoring[] {
  const { node } = placeAt(read, span.start)
  return REFACTORINGS.flatMap((refactor) => refactor({ read, span, node }))
}
