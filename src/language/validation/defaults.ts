import { admitsAllOf, isSameAccess } from '../../access.ts'
import { bindArguments, canonicalWords, metadataValues, optionWords } from '../argument-binding.ts'
import { type Block, isDefinition, isMetadata, isUnknownBlock, type Metadata } from '../generated/ast.ts'
import { kindOf, spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import {
  DEFAULT_DATABASE_SERVER,
  DEFAULT_LANGUAGE,
  type MetadataEntry,
  metadataNamed,
  metadataParameters,
} from '../builtins.ts'
import {
  declaredAccess,
  defaultAccess,
  effectiveAccess,
  isDefaultUncertain,
  namesUnknownRole,
} from './access-rules.ts'
import type { ValidationContext } from './context.ts'
import { metadataOf, wordOf } from './definition-index.ts'

/** Metadata does not repeat the default. */
export function checkDefault(metadata: Metadata, context: ValidationContext): void {
  const holder = metadata.$container
  if (hasParseError(metadata) || isDefinition(holder) || hasParseError(holder) || isUnknownBlock(holder))
    return
  const entry = metadataNamed(metadata.name)
  if (entry === undefined || entry.isRepeatable || !entry.blocks.includes(kindOf(holder))) return
  // A duplicate and a surplus argument are reported as such.
  if (metadataOf(holder, entry.name) !== metadata || isRepeated(metadata, holder)) return
  if (hasInvalidArguments(metadata, holder, entry)) return
  const isEmptyList = metadata.list?.items.length === 0 && entry.parameter?.kind !== 'callers'
  if (!isEmptyList && !isDefault(metadata, holder, context)) return
  if (followsFromOthers(entry.name) && isDefaultUncertain(holder, entry.name, context)) return
  context.report(
    'redundant-metadata',
    spanOf(metadata),
    isEmptyList
      ? `Empty \`#${entry.name}\` has no effect`
      : `\`${canonicalWords(metadata).join(', ')}\` is already the default`,
    { help: `remove \`#${entry.name}\`` },
  )
}

function isRepeated(metadata: Metadata, holder: Block): boolean {
  return holder.members.some(
    (member) => member.name === metadata.name && member !== metadata && isMetadata(member),
  )
}

/** `#omit(delete, create)` is reported as such. */
function hasInvalidArguments({ arguments: list }: Metadata, holder: Block, entry: MetadataEntry): boolean {
  return bindArguments(list, metadataParameters(entry, kindOf(holder))).problems.length > 0
}

function followsFromOthers(name: string): name is Parameters<typeof isDefaultUncertain>[1] {
  return name === 'readable' || name === 'writable' || name === 'language'
}

function isDefault(metadata: Metadata, holder: Block, context: ValidationContext): boolean {
  if (metadata.name === 'readable' || metadata.name === 'writable') {
    const access = declaredAccess(holder, metadata.name, context)
    const { readable, writable } = effectiveAccess(holder, context)
    // Both are reported by themselves.
    if (namesUnknownRole(holder, context) || !admitsAllOf(readable, writable)) return false
    return access !== undefined && isSameAccess(access, defaultAccess(holder, metadata.name, context))
  }
  if (metadata.name === 'database') return isDefaultDatabase(metadata)
  const [value] = canonicalWords(metadata)
  if (value === undefined || metadataValues(metadata).length !== 1) return false
  return value === defaultOf(metadata, holder, context)
}

/** Both arguments can be left out. Invalid words are reported as such. */
function isDefaultDatabase(metadata: Metadata): boolean {
  const databases = metadataValues(metadata)
  const servers = optionWords(metadata, 'server')
  return (
    databases.length + servers.length > 0 &&
    databases.length === canonicalWords(metadata).length &&
    servers.every((server) => server === DEFAULT_DATABASE_SERVER)
  )
}

/** The default value of a metadata item; `undefined` if it has none. */
function defaultOf(metadata: Metadata, holder: Block, context: ValidationContext): string | undefined {
  switch (metadata.name) {
    case 'language':
      return (
        (holder.$type === 'Service' ? wordOf(context.index.project, 'language') : undefined) ??
        DEFAULT_LANGUAGE
      )
    case 'provider':
      return 'dockerCompose'
    default:
      return undefined
  }
}
