import {
  camelCase,
  databaseDirectoryOf,
  kebabCase,
  MAX_NAME_BYTES,
  tableName,
  withArticle,
} from '../../naming.ts'
import type { Block, UnknownBlock } from '../generated/ast.ts'
import { hasName, isNamedInService, kindOf, kindSpan, nameSpan } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { otherLanguages } from '../other-languages.ts'
import { quote } from '../quote.ts'
import { BLOCK_KINDS, type BlockKind, isInnerKind } from '../builtins.ts'
import { type ValidationContext, withReplacement, withSuggestion } from './context.ts'
import type { DefinitionIndex } from './definition-index.ts'

const VALID_NAME = /^[A-Z][A-Za-z0-9]*$/
const HOOK_NAME = /^(before|after)(Create|Read|Update|Delete|List|Identify)$/
const ACCESS_CHECK = /^(unknown|require(Readable|Writable))$/

/** Whether a name is a valid block name, so that it can be compared in the forms that the output uses. */
export function isValidBlockName(name: string): boolean {
  return VALID_NAME.test(name)
}

const meant = new WeakMap<DefinitionIndex, ReadonlySet<string>>()

/** Whether this is the suggested name of a block whose own name is reported as invalid. */
export function isMeantName(name: string, { index }: ValidationContext): boolean {
  let names = meant.get(index)
  if (names === undefined) {
    const wrong = index.blocks.filter((block) => hasName(block) && !isValidBlockName(block.name))
    names = new Set(wrong.flatMap((block) => suggestedBlockName(block.name) ?? []))
    meant.set(index, names)
  }
  return names.has(name)
}

/** The kind of a block exists. */
export function checkBlockKind(block: Block, context: ValidationContext): void {
  if (block.$type !== 'UnknownBlock') return
  const place = kindSpan(block)
  if (place === undefined) return
  const suggestion = suggestedKind(block, context)
  context.report('unknown-block-kind', place, `Unknown block kind ${quote(block.kind)}`, {
    help:
      otherLanguages.blockKind(block.kind) ??
      'a block is a `project`, a `service`, a `struct`, an `endpoint` or a `job`',
    ...withSuggestion(suggestion),
  })
}

/** The block kind that an unknown one was probably meant as. */
export function suggestedKind({ kind }: UnknownBlock, context: ValidationContext): BlockKind | undefined {
  const begun = kind.length > 2 ? BLOCK_KINDS.find((known) => known.startsWith(kind)) : undefined
  return begun ?? BLOCK_KINDS.find((known) => known === context.spelling.suggest(kind, BLOCK_KINDS))
}

/** Projects and services are declared at the top level, all other blocks inside a service. */
export function checkBlockPlace(block: Block, context: ValidationContext): void {
  const parent = block.$container
  if (block.$type === 'UnknownBlock' || hasParseError(block) || hasParseError(parent)) return
  const kind = kindOf(block)
  if (parent.$type === 'Definition') {
    if (!isInnerKind(kind)) return
    const kinds = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`
    context.report('misplaced-block', nameSpan(block), `${kinds} must be declared inside a service`, {
      help: `move ${quote(block.name)} into the service that it belongs to`,
    })
    return
  }
  if (parent.$type === 'UnknownBlock' || (isInnerKind(kind) && parent.$type === 'Service')) return
  context.report(
    'misplaced-block',
    nameSpan(block),
    `\`${kind}\` is not allowed inside ${withArticle(kindOf(parent))}`,
    { help: `move ${quote(block.name)} ${isInnerKind(kind) ? 'into a service' : 'to the top level'}` },
  )
}

/** The name of a block is valid, short enough, and not the name of a hook or an access check. */
export function checkBlockName(block: Block, context: ValidationContext): void {
  if (!hasName(block)) return
  const { name } = block
  if (!isValidBlockName(name)) {
    const suggestion = suggestedBlockName(name)
    context.report(
      'invalid-block-name',
      nameSpan(block),
      `Block names are PascalCase${suggestion === undefined ? '' : `: \`${suggestion}\``}`,
      {
        help: 'use the letters A to Z, a to z and digits, starting with an uppercase letter',
        ...withReplacement(suggestion),
      },
    )
    return
  }
  // The name of the host is the longer one.
  if (block.$type === 'Service') checkHostLength(block, context)
  else if (!isNamedInService(block)) checkNameLength(tableName(name), block, context)
  if (block.$type !== 'Struct') return
  const member = camelCase(name)
  const taken = HOOK_NAME.test(member)
    ? `\`env.hooks.${member}\` is a hook`
    : ACCESS_CHECK.test(member) && `\`env.access.${member}\` is an access check`
  if (taken !== false)
    context.report('hook-name', nameSpan(block), `A struct cannot be named ${quote(name)}`, {
      help: `${taken}; rename the struct`,
    })
}

/** The form of a name in the output is no longer than Postgres allows. */
export function checkNameLength(
  form: string,
  node: Parameters<typeof nameSpan>[0],
  context: ValidationContext,
): void {
  if (form.length <= MAX_NAME_BYTES) return
  context.report(
    'name-too-long',
    nameSpan(node),
    `Postgres truncates names longer than ${MAX_NAME_BYTES} bytes`,
    { help: `this name has ${form.length} bytes in the database; shorten it` },
  )
}

/** The host of a service's database has a name, which has at most 63 bytes too (RFC 1035, section 2.3.4). */
function checkHostLength(block: Block, context: ValidationContext): void {
  const host = databaseDirectoryOf(kebabCase(block.name))
  if (host.length <= MAX_NAME_BYTES) return
  context.report('name-too-long', nameSpan(block), `Host names have at most ${MAX_NAME_BYTES} characters`, {
    help: `that of the database has ${host.length}; shorten the name`,
  })
}

/** A valid block name that resembles this one. */
export function suggestedBlockName(name: string): string | undefined {
  const joined = withoutAccents(name).replace(/(?:^|[^\p{L}0-9]+)([A-Za-z0-9]?)/gu, (_, first: string) =>
    first.toUpperCase(),
  )
  return isValidBlockName(joined) && joined.length <= MAX_NAME_BYTES ? joined : undefined
}

/** Removes accents: `größe` becomes `große`. Letters without a plain form are kept. */
export function withoutAccents(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '')
}
