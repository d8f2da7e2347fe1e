import { isOnlyCreator } from '../../access.ts'
import { canonicalWords, metadataWords, wordText } from '../argument-binding.ts'
import { type Attribute, type Block, isStruct, type Type } from '../generated/ast.ts'
import { kindOf, nameSpan, spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { quote } from '../quote.ts'
import { effectiveAccess, namesUnknownRole } from './access-rules.ts'
import { checkZeroValue } from './bound-reports.ts'
import type { ValidationContext } from './context.ts'
import { metadataOf } from './definition-index.ts'

const ALWAYS = ['create', 'read', 'update', 'delete']

/** `#omit` omits endpoints that exist, and not all of them. */
export function checkOmit(block: Block, context: ValidationContext): void {
  const omit = metadataOf(block, 'omit')
  if (omit === undefined || hasParseError(omit) || (block.$type !== 'Service' && block.$type !== 'Struct'))
    return
  const isIdentified = metadataOf(block, 'auth') !== undefined
  if (!isIdentified && !(block.$type === 'Service' && hasParseError(block))) {
    for (const value of metadataWords(omit).filter((word) => wordText(word) === 'identify'))
      context.report('omit-identify-without-auth', spanOf(value), '`identify` requires `#auth`', {
        help: 'only a service with `#auth` has an identify endpoint',
      })
  }
  const omitted = new Set(canonicalWords(omit))
  const endpoints = isIdentified ? [...ALWAYS, 'identify'] : ALWAYS
  const isListed = metadataOf(block, 'enumerable') !== undefined
  if (isListed || hasParseError(block) || !endpoints.every((endpoint) => omitted.has(endpoint))) return
  context.report('no-endpoints', nameSpan(omit), `All endpoints of ${quote(block.name)} are omitted`, {
    help: `keep at least one, or remove the ${kindOf(block)}`,
  })
}

/** Reports lists that can contain only the caller's own entity. */
export function checkEnumerable(block: Block, context: ValidationContext): void {
  const enumerable = metadataOf(block, 'enumerable')
  if (enumerable === undefined || block.$type !== 'Service' || hasParseError(block)) return
  if (metadataOf(block, 'auth') === undefined || context.index.authMethod === undefined) return
  if (!isOnlyCreator(effectiveAccess(block, context).readable) || namesUnknownRole(block, context)) return
  context.report(
    'enumerable-shows-one',
    nameSpan(enumerable),
    "The list contains at most the caller's own entity",
    { help: 'add `#readable(by: all);`, or remove `#enumerable`' },
  )
}

/** `#versioned` needs endpoints that return versions, and `required: true` those that need one. */
export function checkVersioned(block: Block, context: ValidationContext): void {
  const versioned = metadataOf(block, 'versioned')
  if (versioned === undefined || (block.$type !== 'Service' && block.$type !== 'Struct')) return
  if (hasParseError(versioned) || hasParseError(block)) return
  const omit = metadataOf(block, 'omit')
  const omitted = new Set(omit === undefined ? [] : canonicalWords(omit))
  const omitsAll = (...endpoints: readonly string[]) => endpoints.every((endpoint) => omitted.has(endpoint))
  const report = (message: string, help: string) =>
    context.report('versioned-without-effect', nameSpan(versioned), message, { help })
  if (omitsAll('create', 'read', 'update')) report('No response has a version', 'keep the read endpoint')
  else if (canonicalWords(versioned).includes('true') && omitsAll('update', 'delete'))
    report('No request requires a version', 'write `#versioned`')
}

/** `#idempotent` is about the create endpoints of a service and its structs. */
export function checkIdempotent(block: Block, context: ValidationContext): void {
  const idempotent = metadataOf(block, 'idempotent')
  if (idempotent === undefined || block.$type !== 'Service' || hasParseError(block)) return
  const creates = [block, ...block.members.filter(isStruct)].some((entity) => {
    const omit = metadataOf(entity, 'omit')
    return omit === undefined || !canonicalWords(omit).includes('create')
  })
  if (creates) return
  context.report('idempotent-without-create', nameSpan(idempotent), 'There is no create endpoint', {
    help: 'keep one, or remove `#idempotent`',
  })
}

function isSiblingReference(type: Type): boolean {
  return type.$type === 'ReferenceType' && type.entity.ref?.$type === 'Struct'
}

/** A reference to a sibling struct cannot be the nil UUID. */
export function checkSiblingZero(attribute: Attribute, context: ValidationContext): void {
  if (hasParseError(attribute) || !isSiblingReference(attribute.type)) return
  checkZeroValue(attribute, 'the nil UUID refers to no entry', context)
}
