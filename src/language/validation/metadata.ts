import { listed, withArticle } from '../../naming.ts'
import { acceptedWord, argumentWords, isWord, metadataValues, wordText } from '../argument-binding.ts'
import {
  type Block,
  isArgument,
  isBlock,
  isMetadata,
  type Metadata,
  type Value,
  type Word,
} from '../generated/ast.ts'
import { kindOf, nameSpan, spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { metadataExample, metadataText } from '../builtin-examples.ts'
import { otherLanguages } from '../other-languages.ts'
import { printable, quote } from '../quote.ts'
import {
  type BlockKind,
  isOptional,
  METADATA,
  type MetadataEntry,
  metadataNamed,
  metadataParameters,
  type Parameter,
  takesList,
} from '../builtins.ts'
import { checkCall, checkNoValue } from './arguments.ts'
import { type ValidationContext, withReplacement, withSuggestion } from './context.ts'

/** Metadata exists and is allowed in its block. */
export function checkMetadataName(metadata: Metadata, context: ValidationContext): void {
  const holder = metadata.$container
  const entry = metadataNamed(metadata.name)
  if (entry === undefined) {
    reportUnknown(metadata, context)
    return
  }
  if (hasParseError(holder) || hasParseError(metadata)) return
  if (holder.$type === 'Definition') {
    context.report(
      'misplaced-metadata',
      nameSpan(metadata),
      `\`#${entry.name}\` is not allowed at the top level`,
      { help: `move it into ${articled(entry.blocks)}` },
    )
    return
  }
  if (holder.$type === 'UnknownBlock' || entry.blocks.includes(kindOf(holder))) return
  // A struct at the top level may be meant as a service.
  if (holder.$type === 'Struct' && holder.$container.$type === 'Definition') return
  const isAccess = entry.name === 'readable' || entry.name === 'writable'
  context.report(
    'misplaced-metadata',
    nameSpan(metadata),
    `\`#${entry.name}\` is not allowed in ${withArticle(kindOf(holder))}`,
    {
      help:
        holder.$type === 'Struct' && isAccess
          ? 'a struct inherits the access of its service'
          : holder.$type === 'Project' && entry.name === 'auth'
            ? 'use `#authMethod(email)`, and `#auth` in the service that stores user metadata'
            : `move it into ${articled(entry.blocks)}`,
    },
  )
}

function articled(kinds: readonly BlockKind[]): string {
  return kinds.map(withArticle).join(' or ')
}

function reportUnknown(metadata: Metadata, context: ValidationContext): void {
  if (hasParseError(metadata)) return
  const holder = metadata.$container
  const kind = isBlock(holder) && holder.$type !== 'UnknownBlock' ? kindOf(holder) : undefined
  const taken = METADATA.filter((entry) => kind === undefined || entry.blocks.includes(kind)).map(
    ({ name }) => name,
  )
  const instead = otherLanguages.metadata(metadata.name)
  const suggestion = instead === undefined ? context.spelling.suggest(metadata.name, taken) : undefined
  const isComment = nameSpan(metadata).start > spanOf(metadata).start + 1
  const known = listed(
    taken.map((name) => `#${name}`),
    'and',
  )
  context.report('unknown-metadata', nameSpan(metadata), `Unknown metadata ${quote(`#${metadata.name}`)}`, {
    help: isComment
      ? 'comments begin with `//`'
      : (instead ?? `${kind === undefined ? 'blocks support' : `${kind}s support`} ${known}`),
    ...withSuggestion(suggestion, '#'),
  })
}

/** A block has each metadata item at most once. */
export function checkMetadataNames(block: Block, context: ValidationContext): void {
  const seen = new Map<string, Metadata>()
  for (const metadata of block.members) {
    if (!isMetadata(metadata)) continue
    const entry = metadataNamed(metadata.name)
    if (entry === undefined || entry.isRepeatable) continue
    const earlier = seen.get(metadata.name)
    if (earlier === undefined) seen.set(metadata.name, metadata)
    else if (!hasParseError(metadata) && !hasParseError(block))
      context.report('duplicate-metadata', nameSpan(metadata), `Duplicate metadata \`#${metadata.name}\``, {
        help: 'merge the two, or remove one',
        related: [{ ...nameSpan(earlier), message: 'first used here' }],
      })
  }
}

/** The value of metadata is present, of the right kind, and valid. */
export function checkMetadataValue(metadata: Metadata, context: ValidationContext): void {
  const entry = metadataNamed(metadata.name)
  if (entry === undefined || hasParseError(metadata)) return
  const { parameter } = entry
  const holder = metadata.$container
  // Misplaced metadata is reported as such.
  if (isBlock(holder) && holder.$type !== 'UnknownBlock' && !entry.blocks.includes(kindOf(holder))) return
  if (parameter === undefined && entry.options !== undefined) {
    checkCall(metadata.arguments, entry.options, `\`#${entry.name}\``, context)
    return
  }
  if (parameter === undefined || (isBlock(holder) && kindOf(holder) === entry.withoutValueIn)) {
    checkNoValue(metadata.list ?? metadata.arguments, `\`#${entry.name}\``, context)
    return
  }
  const items = metadata.arguments?.items ?? []
  if (metadata.list === undefined && items.length === 0 && isOptional(parameter)) return
  if ((metadata.list === undefined && items.length === 0) || namesNobody(metadata, parameter)) {
    context.report('missing-value', nameSpan(metadata), `\`#${entry.name}\` requires a value`, {
      help: `for example \`${metadataExample(entry.name, parameter)}\``,
    })
    return
  }
  if (metadata.list !== undefined && !takesList(parameter) && parameter.kind !== 'callers') {
    const [item, ...others] = metadata.list.items
    const given = item !== undefined && isWord(item) && others.length === 0 ? wordText(item) : undefined
    const isAccepted = given !== undefined && acceptedWord(parameter, given) !== undefined
    const word = isAccepted ? metadataText('', parameter, given).slice(1) : undefined
    context.report(
      'wrong-argument-kind',
      spanOf(metadata.list),
      `\`#${entry.name}\` requires a single value`,
      word === undefined
        ? { help: `for example \`${metadataExample(entry.name, parameter)}\`` }
        : { help: `use \`#${entry.name}${word}\``, ...withReplacement(word) },
    )
    return
  }
  if (!checkBareWord(metadata, parameter, context)) return
  checkCall(metadata.arguments, metadataParameters(entry), `\`#${entry.name}\``, context)
  if (parameter.kind !== 'integer' && parameter.kind !== 'text')
    checkWords(metadataValues(metadata), entry, parameter, context)
  for (const option of entry.options ?? []) checkOption(metadata, entry, option, context)
}

/** The word of an option is one that it accepts, and the block may have it. */
function checkOption(
  metadata: Metadata,
  entry: MetadataEntry,
  option: Parameter,
  context: ValidationContext,
): void {
  const words = argumentWords(metadata, option.name)
  const [word] = words
  const holder = metadata.$container
  const { onlyIn } = option
  if (word === undefined) return
  if (onlyIn !== undefined && isBlock(holder) && holder.$type !== 'UnknownBlock' && kindOf(holder) !== onlyIn)
    context.report(
      'misplaced-argument',
      spanOf(isArgument(word.$container) ? word.$container : word),
      `\`${option.name}\` is not allowed in ${withArticle(kindOf(holder))}`,
      { help: `\`#${entry.name}\` of the ${onlyIn} sets it for all services` },
    )
  else checkWords(words, entry, option, context)
}

/** Whether `by:` is an empty list. */
function namesNobody(metadata: Metadata, { kind }: Parameter): boolean {
  if (kind !== 'callers') return false
  const list = metadata.list ?? metadata.arguments?.items[0]?.value
  return list?.$type === 'ListValue' && list.items.length === 0
}

/** Reports `#omit(delete)` in place of `#omit[delete]`, and `#readable(this, admin)`; returns false if it did. */
function checkBareWord(metadata: Metadata, parameter: Parameter, context: ValidationContext): boolean {
  if (metadata.arguments === undefined) return true
  const isSeveral = parameter.kind === 'callers' && metadata.arguments.items.length > 1
  if (!takesList(parameter) && !isSeveral) return true
  const { items } = metadata.arguments
  const words = items.map(({ value }) => value)
  // Another name is reported as unknown.
  if (items.some(({ name }) => name !== undefined && name !== parameter.name)) return true
  if (!words.every((value) => isWord(value))) return true
  const replacement = `[${words.map(wordText).join(', ')}]`
  const place = spanOf(metadata.arguments)
  context.report('wrong-argument-kind', place, `\`#${metadata.name}\` requires a list`, {
    help: `use \`#${metadata.name}${printable(replacement)}\``,
    data: { replacement },
  })
  return false
}

function checkWords(
  values: readonly Value[],
  entry: MetadataEntry,
  parameter: Parameter,
  context: ValidationContext,
): void {
  const seen = new Map<string, Value>()
  for (const value of values) {
    if (!isWord(value)) {
      const { start, end } = spanOf(value)
      const text = context.text.slice(start, Math.min(end, start + 100))
      context.report('wrong-argument-kind', spanOf(value), `Invalid value ${quote(text)}`, {
        help: acceptedValues(entry, parameter),
      })
      continue
    }
    const word = wordText(value)
    const name = acceptedWord(parameter, word)
    if (name === undefined) {
      reportUnknownValue(value, entry, parameter, context)
      continue
    }
    const earlier = seen.get(name)
    if (earlier === undefined || parameter.kind === 'attributes') seen.set(name, value)
    else
      context.report('duplicate-value', spanOf(value), `Duplicate value ${quote(word)}`, {
        related: [{ ...spanOf(earlier), message: 'first used here' }],
      })
  }
}

function reportUnknownValue(
  value: Word,
  entry: MetadataEntry,
  parameter: Parameter,
  context: ValidationContext,
): void {
  const spellings = parameter.values.flatMap(({ name, aliases }) => [name, ...aliases])
  const meant = entry.name === 'omit' ? otherLanguages.endpoint(wordText(value)) : undefined
  const suggestion = meant ?? context.spelling.suggest(wordText(value), spellings)
  const isList = entry.name === 'omit' && wordText(value) === 'list'
  context.report('unknown-value', spanOf(value), `Invalid value ${quote(wordText(value))}`, {
    help: isList ? 'there is no list without `#enumerable`' : acceptedValues(entry, parameter),
    ...withSuggestion(suggestion),
  })
}

function acceptedValues({ name }: MetadataEntry, { kind, values }: Parameter): string {
  if (kind === 'callers') return '`this` is only the creator, `all` is every user'
  if (kind === 'services') return `\`#${name}\` lists services of this definition`
  if (kind === 'attributes') return `\`#${name}\` lists attributes of this block`
  return `use ${listed(
    values.map((value) => value.name),
    'or',
  )}`
}
