import type { PorticoServices } from '../../language/module.ts'
import type { DefinitionParseResult } from '../../language/parse-result.ts'
import { assertNever } from '../../model/platform.ts'
import { annotationCandidates } from './annotations.ts'
import { argumentCandidates, itemCandidates } from './arguments.ts'
import type { CompletionCandidate } from './candidate.ts'
import { type CompletionContext, completionContextsAt } from './context.ts'
import { defaultCandidates } from './default-values.ts'
import { declarationCandidates } from './declarations.ts'
import { metadataCandidates } from './metadata.ts'
import { kindCandidates, typeCandidates } from './types.ts'

/** The candidates at an offset. */
export interface Completion {
  readonly contexts: readonly CompletionContext[]
  readonly candidates: readonly CompletionCandidate[]
}

/**
 * Returns everything that is valid at an offset (UTF-16 code units) of a text, which may be incomplete. In a valid
 * definition, accepting a candidate causes no error but the one that it awaits. Empty in comments, in numbers and where the user chooses a new
 * name.
 */
export function completionAt(
  parseResult: DefinitionParseResult,
  offset: number,
  services: PorticoServices,
): Completion {
  const contexts = completionContextsAt(parseResult, offset, services)
  return { contexts, candidates: contexts.flatMap(candidatesOf) }
}

function candidatesOf(context: CompletionContext): readonly CompletionCandidate[] {
  switch (context.kind) {
    case 'declaration':
      return declarationCandidates(context)
    case 'kind':
      return kindCandidates(context)
    case 'type':
      return typeCandidates(context)
    case 'default':
      return defaultCandidates(context)
    case 'annotation':
      return annotationCandidates(context)
    case 'metadata':
      return metadataCandidates(context)
    case 'argument':
      return argumentCandidates(context)
    case 'item':
      return itemCandidates(context)
    default:
      return assertNever(context)
  }
}
