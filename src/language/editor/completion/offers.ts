import { assertNever } from '../../../model/platform.ts'
import type { MetadataNode } from '../../syntax/nodes.ts'
import type { Read } from '../../syntax/read.ts'
import { annotationOffers } from './annotations.ts'
import { metadataValueOffers, typeArgumentOffers } from './arguments.ts'
import { metadataOffers } from './metadata.ts'
import type { Offer } from './offer.ts'
import { type Spot, spotsAt } from './spot.ts'
import { type Statement, statementAt } from './statement.ts'
import { statementOffers } from './statements.ts'
import { typeOrKindOffers } from './types.ts'

/** What can be written at a place. */
export interface Offers {
  /** What kinds of thing can stand there. */
  readonly spots: readonly Spot[]
  readonly offers: readonly Offer[]
}

/**
 * Everything that can be written at an offset (UTF-16 code units) of a text, finished or not, and that is no
 * mistake there: accepted in a valid definition, none of it brings an error of its own. Empty in comments, in
 * numbers and where users make up names.
 */
export function offersAt(read: Read, offset: number): Offers {
  const statement = statementAt(read, offset)
  if (statement === undefined) return { spots: [], offers: [] }
  const spots = spotsAt(statement)
  return { spots, offers: spots.flatMap((spot) => offersFor(spot, statement)) }
}

function offersFor(spot: Spot, statement: Statement): Offer[] {
  switch (spot.kind) {
    case 'statement':
      return statementOffers(statement, spot.behind)
    case 'metadata':
      return metadataOffers(statement, {
        span: { start: statement.read.tree.tokens.start(spot.hash), end: statement.word.end },
        hash: '#',
        current: metadataWith(statement, spot.hash),
        further: [],
      })
    case 'type':
      return typeOrKindOffers(statement, spot.name)
    case 'annotation':
      return annotationOffers(statement, spot.name, spot.at)
    case 'argument':
      return spot.of === 'type'
        ? typeArgumentOffers(statement, spot.callee, spot.brackets)
        : metadataValueOffers(statement, spot.callee, spot.brackets)
    default:
      return assertNever(spot)
  }
}

function metadataWith({ holder }: Statement, hash: number): MetadataNode | undefined {
  if (holder.$type !== 'Block') return undefined
  return holder.members.find(
    (member): member is MetadataNode => member.$type === 'Metadata' && member.$first === hash,
  )
}
