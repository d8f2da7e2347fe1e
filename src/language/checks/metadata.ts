import { metadataValues } from '../calls.ts'
import type { Block, Metadata, Value } from '../generated/ast.ts'
import { isBroken, nameSpan, spanOf } from '../syntax/places.ts'
import { printable, quote } from '../syntax/quote.ts'
import {
  type AllowedValue,
  allowedValue,
  type BlockKind,
  isBlockKind,
  METADATA,
  type MetadataEntry,
  metadataNamed,
  type Parameter,
} from '../vocabulary.ts'
import { checkCall } from './arguments.ts'
import { type CheckContext, replacing } from './context.ts'

/** Metadata is known and stands in a block that takes it. */
export function checkMetadataName(metadata: Metadata, context: CheckContext): void {
  const holder = metadata.$container
  const entry = metadataNamed(metadata.name)
  if (entry === undefined) {
    reportUnknown(metadata, context)
    return
  }
  if (isBroken(holder) || isBroken(metadata)) return
  if (holder.$type === 'Definition') {
    context.report(
      'misplaced-metadata',
      nameSpan(metadata),
      `\`#${entry.name}\` stands outside of every block. Move it into ${listed(entry.blocks)}.`,
    )
    return
  }
  if (!isBlockKind(holder.kind) || entry.blocks.includes(holder.kind)) return
  const isAccess = entry.name === 'readable' || entry.name === 'writable'
  const message =
    holder.kind === 'struct' && isAccess
      ? `A struct takes no \`#${entry.name}\`: access is inherited from its parent. Remove it.`
      : `A ${holder.kind} takes no \`#${entry.name}\`: it belongs in ${listed(entry.blocks)}. Move or remove it.`
  context.report('misplaced-metadata', nameSpan(metadata), message)
}

function listed(kinds: readonly BlockKind[]): string {
  return kinds.map((kind) => `a ${kind}`).join(' or ')
}

function reportUnknown(metadata: Metadata, context: CheckContext): void {
  if (isBroken(metadata)) return
  const holder = metadata.$container
  const kind = holder.$type === 'Block' && isBlockKind(holder.kind) ? holder.kind : undefined
  const taken = METADATA.filter((entry) => kind === undefined || entry.blocks.includes(kind)).map(
    ({ name }) => name,
  )
  const nearest = context.nearest.among(metadata.name, taken)
  const mend =
    nearest === undefined
      ? `${kind === undefined ? 'There are' : `A ${kind} takes`} ${taken.map((name) => `\`#${name}\``).join(', ')}.`
      : `Did you mean \`#${nearest}\`?`
  context.report(
    'unknown-metadata',
    nameSpan(metadata),
    `There is no metadata ${quote(`#${metadata.name}`)}. ${mend}`,
    replacing(nearest),
  )
}

/** A block holds each metadata name at most once. */
export function checkMetadataNames(block: Block, context: CheckContext): void {
  const seen = new Map<string, Metadata>()
  for (const metadata of block.members) {
    if (metadata.$type !== 'Metadata' || metadataNamed(metadata.name) === undefined) continue
    const earlier = seen.get(metadata.name)
    if (earlier === undefined) seen.set(metadata.name, metadata)
    else if (!isBroken(metadata) && !isBroken(block))
      context.report(
        'repeated-metadata',
        nameSpan(metadata),
        `\`#${metadata.name}\` stands in this block already. Merge the two, or remove one.`,
        { related: [{ ...nameSpan(earlier), message: `\`#${metadata.name}\` stands here.` }] },
      )
  }
}

/** The value of metadata is there, of the right kind, and one that it takes. */
export function checkMetadataValue(metadata: Metadata, context: CheckContext): void {
  const entry = metadataNamed(metadata.name)
  if (entry === undefined || isBroken(metadata)) return
  const { parameter } = entry
  if (parameter === undefined) {
    checkFlag(metadata, context)
    return
  }
  const items = metadata.arguments?.items ?? []
  if (metadata.list === undefined && items.length === 0) {
    context.report(
      'missing-value',
      nameSpan(metadata),
      `\`#${entry.name}\` takes a value. Write \`${example(entry, parameter)}\`.`,
    )
    return
  }
  if (metadata.list !== undefined && parameter.kind === 'word') {
    const [item, ...others] = metadata.list.items
    const given = item?.$type === 'WordValue' && others.length === 0 ? item.word : ''
    const word = allowedValue(parameter, given) === undefined ? undefined : `(${given})`
    context.report(
      'wrong-argument-kind',
      spanOf(metadata.list),
      `\`#${entry.name}\` takes one word, not a list. Write \`${word === undefined ? example(entry, parameter) : `#${entry.name}${word}`}\`.`,
      replacing(word),
    )
    return
  }
  if (!checkBareWord(metadata, parameter, context)) return
  checkCall(metadata.arguments, [parameter], `\`#${entry.name}\``, context)
  checkWords(metadata, entry, parameter, context)
}

function checkFlag(metadata: Metadata, context: CheckContext): void {
  const given = metadata.list ?? metadata.arguments
  if (given === undefined || (given.$type === 'ArgumentList' && given.items.length === 0)) return
  context.report('surplus-argument', spanOf(given), `\`#${metadata.name}\` takes no value. Remove it.`, {
    data: { replacement: '' },
  })
}

/** `#omit(delete)` in place of `#omit[delete]`. False where that was reported. */
function checkBareWord(metadata: Metadata, parameter: Parameter, context: CheckContext): boolean {
  if (parameter.kind === 'word' || metadata.arguments === undefined) return true
  const words = metadata.arguments.items.map(({ value }) => value)
  if (!words.every((value): value is Extract<Value, { $type: 'WordValue' }> => value.$type === 'WordValue'))
    return true
  const replacement = `[${words.map(({ word }) => word).join(', ')}]`
  const place = spanOf(metadata.arguments)
  context.report(
    'wrong-argument-kind',
    place,
    `\`#${metadata.name}\` takes a list. Write \`#${metadata.name}${printable(replacement)}\`.`,
    { data: { replacement } },
  )
  return false
}

function checkWords(
  metadata: Metadata,
  entry: MetadataEntry,
  parameter: Parameter,
  context: CheckContext,
): void {
  const seen = new Map<string, Value>()
  for (const value of metadataValues(metadata)) {
    if (value.$type !== 'WordValue') {
      const { start, end } = spanOf(value)
      const text = context.tree.text.slice(start, Math.min(end, start + 100))
      context.report(
        'wrong-argument-kind',
        spanOf(value),
        `\`#${entry.name}\` takes words, not ${quote(text)}.`,
      )
      continue
    }
    const name = parameter.kind === 'services' ? value.word : allowedValue(parameter, value.word)?.name
    if (name === undefined) {
      reportUnknownValue(value, entry, parameter, context)
      continue
    }
    const earlier = seen.get(name)
    if (earlier === undefined) seen.set(name, value)
    else
      context.report(
        'repeated-value',
        spanOf(value),
        `${quote(value.word)} stands in this list already. Remove one of the two.`,
        {
          related: [{ ...spanOf(earlier), message: `${quote(name)} stands here.` }],
        },
      )
  }
}

function reportUnknownValue(
  value: Extract<Value, { $type: 'WordValue' }>,
  entry: MetadataEntry,
  parameter: Parameter,
  context: CheckContext,
): void {
  const spellings = parameter.values.flatMap(({ name, aliases }) => [name, ...aliases])
  const nearest = context.nearest.among(value.word, spellings)
  const mend =
    nearest === undefined
      ? `It takes ${parameter.values.map(shown).join(', ')}.`
      : `Did you mean \`${nearest}\`?`
  context.report(
    'unknown-value',
    spanOf(value),
    `\`#${entry.name}\` does not take ${quote(value.word)}. ${mend}`,
    replacing(nearest),
  )
}

function shown({ name, aliases }: AllowedValue): string {
  return aliases.length === 0
    ? `\`${name}\``
    : `\`${name}\` (${aliases.map((alias) => `\`${alias}\``).join(', ')})`
}

function example(entry: MetadataEntry, parameter: Parameter): string {
  const value = parameter.values[0]?.name ?? 'Home'
  if (parameter.kind !== 'word') return `#${entry.name}[${value}]`
  return entry.name === 'readable' || entry.name === 'writable'
    ? `#${entry.name}(by: ${value})`
    : `#${entry.name}(${value})`
}
