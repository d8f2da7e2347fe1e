import { metadataValues } from '../calls.ts'
import type { Block, Definition, Metadata } from '../generated/ast.ts'
import { isBroken, nameSpan, spanOf } from '../syntax/places.ts'
import type { Span } from '../syntax/tree.ts'
import { isBlockKind } from '../vocabulary.ts'
import type { CheckContext } from './context.ts'
import { type Facts, metadataOf, wordOf } from './facts.ts'

/** What access follows from. */
interface Known {
  readonly facts: Pick<Facts, 'authMethod' | 'project'>
}

/** `#auth` and `#authMethod` go together. */
export function checkAuthentication(_definition: Definition, context: CheckContext): void {
  const { authMethod, auths, hasService, project } = context.facts
  const [first, ...others] = auths
  if (
    first !== undefined &&
    authMethod === undefined &&
    project !== undefined &&
    !mayHaveMethod(project, context)
  )
    context.report(
      'auth-without-method',
      nameSpan(first),
      '`#auth` needs users: add `#authMethod(email);` to the project block, or remove it.',
      { related: others.map((auth) => ({ ...nameSpan(auth), message: 'This `#auth` needs them too.' })) },
    )
  if (authMethod !== undefined && first === undefined && hasService && !mayHaveAuth(context))
    context.report(
      'method-without-auth',
      nameSpan(authMethod),
      '`#authMethod` needs a service that stores user metadata: add `#auth;` to one, or remove it.',
    )
}

/** What was found wrong may be an `#authMethod`. */
function mayHaveMethod(project: Block, context: CheckContext): boolean {
  return (
    context.isLostWord('authMethod') ||
    context.isMarred(project) ||
    context.isMisspelled('authMethod', project)
  )
}

function mayHaveAuth(context: CheckContext): boolean {
  if (context.isLostWord('auth')) return true
  return context.facts.blocks.some((block) =>
    block.kind === 'service'
      ? context.isMisspelled('auth', block)
      : !isBlockKind(block.kind) && metadataOf(block, 'auth') !== undefined,
  )
}

/**
 * Whether the default of a block is not known, as what it follows from has an error: what repeats the default
 * now may not do so when that is mended.
 */
export function isDefaultUncertain(
  block: Block,
  name: 'readable' | 'writable' | 'language',
  context: CheckContext,
): boolean {
  const { project, authMethod } = context.facts
  if (project === undefined || context.isMarred(project) || context.isMarred(block)) return true
  if (authMethod === undefined && mayHaveMethod(project, context)) return true
  if (block.kind === 'service' && context.isMisspelled('auth', block)) return true
  const isWrong = metadataOf(project, name) !== undefined && wordOf(project, name) === undefined
  return block !== project && (isWrong || context.isMisspelled(name, project))
}

/** Who may read and write is possible, and not the default. */
export function checkAccess(block: Block, context: CheckContext): void {
  if (block.kind !== 'project' && block.kind !== 'service') return
  if (isBroken(block)) return
  if (isAuthenticated(context)) checkWritable(block, context)
  else for (const name of ['readable', 'writable'] as const) checkThis(metadataOf(block, name), context)
}

function isAuthenticated({ facts }: Known): boolean {
  return facts.authMethod !== undefined
}

function checkThis(metadata: Metadata | undefined, context: CheckContext): void {
  const { auths, project } = context.facts
  // Where there are `#auth` services or no project, what is missing was reported there.
  if (metadata === undefined || auths.length > 0 || project === undefined || mayHaveMethod(project, context))
    return
  const value = metadataValues(metadata)[0]
  if (isBroken(metadata) || value?.$type !== 'WordValue' || value.word !== 'this') return
  context.report(
    'this-without-authentication',
    spanOf(value),
    'Without authentication nobody knows who created an entity. Add `#authMethod(email);` to the project block, or remove this.',
  )
}

function checkWritable(block: Block, context: CheckContext): void {
  const { readable, writable } = effectiveAccess(block, context)
  if (readable === 'all' || writable === 'this') return
  const ownWritable = metadataOf(block, 'writable')
  const ownReadable = metadataOf(block, 'readable')
  const projects = context.facts.project
  const inherited =
    projects === undefined || projects === block ? undefined : metadataOf(projects, 'writable')
  if (ownWritable !== undefined && !isBroken(ownWritable)) {
    context.report(
      'writable-but-not-readable',
      valueSpan(ownWritable),
      'Everybody could write what only its creator may read. Add `#readable(by: all);`, or write `by: this`.',
      ownReadable === undefined
        ? {}
        : { related: [{ ...valueSpan(ownReadable), message: 'Only the creator may read.' }] },
    )
  } else if (ownReadable !== undefined && !isBroken(ownReadable) && inherited !== undefined) {
    context.report(
      'writable-but-not-readable',
      valueSpan(ownReadable),
      'Everybody could write what only its creator may read: the project says `#writable(by: all)`. Add `#writable(by: this);` here.',
      { related: [{ ...valueSpan(inherited), message: 'Everybody may write.' }] },
    )
  }
}

function valueSpan(metadata: Metadata): Span {
  const value = metadataValues(metadata)[0]
  return value === undefined ? nameSpan(metadata) : spanOf(value)
}

/** What holds for a block without metadata of its own. A project's default does not widen an `#auth` service. */
export function defaultAccess(block: Block, name: 'readable' | 'writable', context: Known): string {
  const { project } = context.facts
  const unsaid = isAuthenticated(context) ? 'this' : 'all'
  if (block.kind === 'project') return unsaid
  if (metadataOf(block, 'auth') !== undefined && isAuthenticated(context)) return 'this'
  return wordOf(project, name) ?? unsaid
}

/** Who may read and write the entities of a service. */
export function effectiveAccess(
  block: Block,
  context: Known,
): { readonly readable: string; readonly writable: string } {
  return {
    readable: wordOf(block, 'readable') ?? defaultAccess(block, 'readable', context),
    writable: wordOf(block, 'writable') ?? defaultAccess(block, 'writable', context),
  }
}
