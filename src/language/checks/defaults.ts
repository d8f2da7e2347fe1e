import { canonicalWords, metadataValues } from '../calls.ts'
import type { Metadata } from '../generated/ast.ts'
import { isBroken, nameSpan, spanOf } from '../syntax/places.ts'
import { isBlockKind, metadataNamed } from '../vocabulary.ts'
import { defaultAccess, isDefaultUncertain } from './access.ts'
import type { CheckContext } from './context.ts'
import { metadataOf, wordOf } from './facts.ts'

/** Metadata that says what would hold without it. */
export function checkDefault(metadata: Metadata, context: CheckContext): void {
  const holder = metadata.$container
  if (isBroken(metadata) || holder.$type !== 'Block' || isBroken(holder) || !isBlockKind(holder.kind)) return
  const entry = metadataNamed(metadata.name)
  if (entry === undefined || !entry.blocks.includes(holder.kind)) return
  // A repeated one was reported as such.
  if (metadataOf(holder, entry.name) !== metadata || isRepeated(metadata, holder)) return
  const isEmptyList = metadata.list?.items.length === 0
  const value = canonicalWords(metadata)[0]
  if (!isEmptyList && (value === undefined || metadataValues(metadata).length !== 1)) return
  if (!isEmptyList && value !== defaultOf(metadata, holder, context)) return
  if (followsFromOthers(entry.name) && isDefaultUncertain(holder, entry.name, context)) return
  context.report(
    'redundant-metadata',
    spanOf(metadata),
    isEmptyList
      ? `An empty \`#${entry.name}\` changes nothing. It may be removed.`
      : `\`${value}\` holds without this \`#${entry.name}\`. It may be removed.`,
  )
}

function isRepeated(metadata: Metadata, holder: Holder): boolean {
  return holder.members.some(
    (member) => member.$type === 'Metadata' && member.name === metadata.name && member !== metadata,
  )
}

type Holder = Extract<Metadata['$container'], { $type: 'Block' }>

function followsFromOthers(name: string): name is Parameters<typeof isDefaultUncertain>[1] {
  return name === 'readable' || name === 'writable' || name === 'language'
}

/** The value that holds without the metadata; `undefined` where there is none. */
function defaultOf(metadata: Metadata, holder: Holder, context: CheckContext): string | undefined {
  const { project } = context.facts
  switch (metadata.name) {
    case 'language':
      return (holder.kind === 'service' ? wordOf(project, 'language') : undefined) ?? 'typescript'
    case 'database':
      return 'postgres'
    case 'provider':
      return 'dockerCompose'
    case 'readable':
    case 'writable':
      return defaultAccess(holder, metadata.name, context)
    default:
      return undefined
  }
}

/** What is accepted, but not made by this version. */
export function checkAvailable(metadata: Metadata, context: CheckContext): void {
  const holder = metadata.$container
  if (metadata.name !== 'metrics' || isBroken(metadata) || canonicalWords(metadata).length === 0) return
  if (holder.$type !== 'Block' || holder.kind !== 'project' || metadataOf(holder, 'metrics') !== metadata)
    return
  context.report(
    'metrics-not-available',
    nameSpan(metadata),
    '`#metrics` is not available yet: it is left out of what is generated. Nothing needs to be done.',
  )
}
