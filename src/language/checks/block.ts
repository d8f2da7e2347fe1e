import { camelCase, kebabCase, MAX_NAME_BYTES } from '../../model/names.ts'
import type { Block } from '../generated/ast.ts'
import { hasName, isBroken, kindSpan, nameSpan } from '../syntax/places.ts'
import { quote } from '../syntax/quote.ts'
import { BLOCK_KINDS, isBlockKind } from '../vocabulary.ts'
import { type CheckContext, replacing } from './context.ts'
import type { Facts } from './facts.ts'

const VALID_NAME = /^[A-Z][A-Za-z0-9]*$/
const HOOK_NAME = /^(before|after)(Create|Read|Update|Delete|List|Identify)$/

/** Whether a block's name is one, so that it can be compared in the forms that the output uses. */
export function isValidBlockName(name: string): boolean {
  return VALID_NAME.test(name)
}

const meant = new WeakMap<Facts, ReadonlySet<string>>()

/** Whether a block in the wrong form, which was reported as such, is to be called so. */
export function isMeantName(name: string, { facts }: CheckContext): boolean {
  let names = meant.get(facts)
  if (names === undefined) {
    const wrong = facts.blocks.filter((block) => hasName(block) && !isValidBlockName(block.name))
    names = new Set(wrong.flatMap((block) => pascalCase(block.name) ?? []))
    meant.set(facts, names)
  }
  return names.has(name)
}

/** A block is of a known kind. */
export function checkBlockKind(block: Block, context: CheckContext): void {
  const place = kindSpan(block)
  if (place === undefined || isBlockKind(block.kind)) return
  const nearest = context.nearest.among(block.kind, BLOCK_KINDS)
  const mend =
    nearest === undefined
      ? 'Blocks are a `project`, a `service` or a `struct`.'
      : `Did you mean \`${nearest}\`?`
  context.report(
    'unknown-block-kind',
    place,
    `There is no kind of block ${quote(block.kind)}. ${mend}`,
    replacing(nearest),
  )
}

/** Projects and services stand at the top, structs in a service. */
export function checkBlockPlace(block: Block, context: CheckContext): void {
  const parent = block.$container
  if (!isBlockKind(block.kind) || isBroken(block) || isBroken(parent)) return
  const kind = block.kind
  if (parent.$type === 'Definition') {
    if (kind !== 'struct') return
    context.report(
      'misplaced-block',
      nameSpan(block),
      'A struct stands in the service that it belongs to. Move it into one.',
    )
    return
  }
  if (!isBlockKind(parent.kind) || (kind === 'struct' && parent.kind === 'service')) return
  const message =
    kind === 'struct'
      ? `A struct stands in a service, not in a ${parent.kind}. Move it.`
      : `A ${kind} stands at the top of the file, not in a ${parent.kind}. Move it out of ${quote(parent.name)}.`
  context.report('misplaced-block', nameSpan(block), message)
}

/** A block's name has the right form and length, and is no hook's. */
export function checkBlockName(block: Block, context: CheckContext): void {
  if (!hasName(block)) return
  const { name } = block
  if (!isValidBlockName(name)) {
    const suggestion = pascalCase(name)
    const mend = suggestion === undefined ? '' : ` Write \`${suggestion}\`.`
    context.report(
      'invalid-block-name',
      nameSpan(block),
      `The name of a block begins with a capital letter and consists of A to Z, a to z and digits; ${quote(name)} does not.${mend}`,
      replacing(suggestion),
    )
    return
  }
  checkNameLength(kebabCase(name), block, context)
  if (block.kind === 'struct' && HOOK_NAME.test(camelCase(name)))
    context.report(
      'hook-name',
      nameSpan(block),
      `A struct cannot be called ${quote(name)}: \`env.hooks.${camelCase(name)}\` is a hook. Rename it.`,
    )
}

/** The form that a name has in the output is no longer than Postgres keeps. */
export function checkNameLength(
  form: string,
  node: Parameters<typeof nameSpan>[0],
  context: CheckContext,
): void {
  if (form.length <= MAX_NAME_BYTES) return
  context.report(
    'name-too-long',
    nameSpan(node),
    `${quote(form)} has ${form.length} bytes, and Postgres cuts names behind ${MAX_NAME_BYTES}. Shorten the name.`,
  )
}

/** A valid name of a block that looks like this one. */
function pascalCase(name: string): string | undefined {
  const joined = name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase())
  return isValidBlockName(joined) && joined.length <= MAX_NAME_BYTES ? joined : undefined
}
