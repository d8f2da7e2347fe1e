import { canonicalWords, metadataWords } from '../calls.ts'
import type { Attribute, Block, Metadata } from '../generated/ast.ts'
import { isBroken, nameSpan, spanOf } from '../syntax/places.ts'
import { quote } from '../syntax/quote.ts'
import { effectiveAccess } from './access.ts'
import { isMeantName } from './block.ts'
import { checkZero } from './bounds.ts'
import { type CheckContext, replacing } from './context.ts'
import { metadataOf } from './facts.ts'

const ALWAYS = ['create', 'read', 'update', 'delete']

/** `#omit` leaves out what exists, and not everything. */
export function checkOmit(block: Block, context: CheckContext): void {
  const omit = metadataOf(block, 'omit')
  if (omit === undefined || isBroken(omit) || (block.kind !== 'service' && block.kind !== 'struct')) return
  const isIdentified = metadataOf(block, 'auth') !== undefined
  if (!isIdentified && !(block.kind === 'service' && isBroken(block))) {
    for (const value of metadataWords(omit).filter(({ word }) => word === 'identify'))
      context.report(
        'omit-identify-without-auth',
        spanOf(value),
        'Only an `#auth` service has the endpoint `identify`. Remove it from the list.',
      )
  }
  const omitted = new Set(canonicalWords(omit))
  const endpoints = isIdentified ? [...ALWAYS, 'identify'] : ALWAYS
  const isListed = metadataOf(block, 'enumerable') !== undefined
  if (isListed || isBroken(block) || !endpoints.every((endpoint) => omitted.has(endpoint))) return
  context.report(
    'no-endpoints',
    nameSpan(omit),
    `All endpoints of ${quote(block.name)} are omitted. Keep one, or remove the block.`,
  )
}

/** A list of the one entity that a token has is of little use. */
export function checkEnumerable(block: Block, context: CheckContext): void {
  const enumerable = metadataOf(block, 'enumerable')
  if (enumerable === undefined || block.kind !== 'service' || isBroken(block)) return
  if (metadataOf(block, 'auth') === undefined || context.facts.authMethod === undefined) return
  if (effectiveAccess(block, context).readable === 'all') return
  context.report(
    'enumerable-shows-one',
    nameSpan(enumerable),
    'The list could hold one entity at most, the one of the caller. Add `#readable(by: all);`, or remove `#enumerable`.',
  )
}

/** `#uses` names services. */
export function checkUses(metadata: Metadata, context: CheckContext): void {
  if (metadata.name !== 'uses' || isBroken(metadata)) return
  for (const value of metadataWords(metadata)) {
    const { word } = value
    if (context.scope.services.has(word) || context.isLostName(word)) continue
    if (isMeantName(word, context)) continue
    const block = context.scope.blocks.get(word)
    if (block !== undefined && block.kind !== 'struct' && block.kind !== 'project') continue
    const nearest =
      block === undefined ? context.nearest.among(word, context.scope.services.keys()) : undefined
    if (block === undefined && nearest === undefined && context.hasNameless) continue
    const mend = nearest === undefined ? 'Name services of this definition.' : `Did you mean \`${nearest}\`?`
    const what =
      block === undefined
        ? `There is no service ${quote(word)}`
        : `${quote(word)} is a ${block.kind}, not a service`
    context.report('unknown-service', spanOf(value), `${what}. ${mend}`, {
      ...replacing(nearest),
      ...(block === undefined
        ? {}
        : { related: [{ ...nameSpan(block), message: `${quote(word)} is declared here.` }] }),
    })
  }
}

/** The nil UUID is no entry of a sibling struct. */
export function checkSiblingZero(attribute: Attribute, context: CheckContext): void {
  if (isBroken(attribute) || attribute.type.target.ref?.kind !== 'struct') return
  checkZero(attribute, 'the nil UUID is no entry of a sibling struct', context)
}
