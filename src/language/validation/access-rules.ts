import {
  type Access,
  accessText,
  admitsAllOf,
  intersectionOf,
  isOnlyCreator,
  ONLY_CREATOR,
  unionOf,
} from '../../access.ts'
import { metadataValues, metadataWords, wordText } from '../argument-binding.ts'
import { type Block, type Definition, isListValue, type Metadata } from '../generated/ast.ts'
import { nameSpan, spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import type { Span } from '../raw-diagnostic.ts'
import type { ValidationContext } from './context.ts'
import { type DefinitionIndex, metadataOf, wordOf } from './definition-index.ts'

/** The part of the context that access depends on. */
interface Known {
  readonly index: Pick<DefinitionIndex, 'authMethod' | 'project' | 'roles'>
}

/** `#auth` and `#authMethod` require each other. */
export function checkAuthentication(_definition: Definition, context: ValidationContext): void {
  const { authMethod, auths, services, project } = context.index
  const [first, ...others] = auths
  if (
    first !== undefined &&
    authMethod === undefined &&
    project !== undefined &&
    !mayHaveMethod(project, context)
  )
    context.report('auth-without-method', nameSpan(first), '`#auth` requires `#authMethod`', {
      help: 'add `#authMethod(email);` to the project, or remove `#auth`',
      related: others.map((auth) => ({ ...nameSpan(auth), message: 'required here too' })),
    })
  if (authMethod !== undefined && first === undefined && services.length > 0 && !mayHaveAuth(context))
    context.report(
      'method-without-auth',
      nameSpan(authMethod),
      '`#authMethod` requires a service with `#auth`',
      { help: 'add `#auth;` to the service that stores user metadata, or remove `#authMethod`' },
    )
}

/** Whether something that is already reported may be a misspelled `#authMethod`. */
export function mayHaveMethod(project: Block, context: ValidationContext): boolean {
  return (
    context.isLostWord('authMethod') ||
    context.overlapsSyntaxError(project) ||
    context.isMisspelled('authMethod', project) ||
    metadataOf(project, 'auth') !== undefined ||
    project.members.some(({ $type, name }) => $type === 'Attribute' && name === 'authMethod')
  )
}

function mayHaveAuth(context: ValidationContext): boolean {
  if (context.hasFailedImport || context.isLostWord('auth')) return true
  return context.index.blocks.some((block) =>
    block.$type === 'Service'
      ? context.isMisspelled('auth', block)
      : block.$type === 'UnknownBlock' && metadataOf(block, 'auth') !== undefined,
  )
}

/**
 * Whether the default of a block is uncertain because something that it depends on has an error. Metadata that
 * repeats the default now may not repeat it once the error is fixed.
 */
export function isDefaultUncertain(
  block: Block,
  name: 'readable' | 'writable' | 'language',
  context: ValidationContext,
): boolean {
  const { project, authMethod, auths } = context.index
  if (project === undefined || context.overlapsSyntaxError(project) || context.overlapsSyntaxError(block))
    return true
  // With `#auth`, authentication is missing, and adding it will change the default.
  if (authMethod === undefined && (auths.length > 0 || mayHaveMethod(project, context))) return true
  if (block.$type === 'Service' && context.isMisspelled('auth', block)) return true
  const value = name === 'language' ? wordOf(project, name) : declaredAccess(project, name, context)
  const isWrong = metadataOf(project, name) !== undefined && value === undefined
  return block !== project && (isWrong || context.isMisspelled(name, project))
}

/** `this` requires authentication, and writing requires reading. */
export function checkAccess(block: Block, context: ValidationContext): void {
  if (block.$type !== 'Project' && block.$type !== 'Service') return
  if (context.overlapsSyntaxError(block)) return
  if (isAuthenticated(context)) checkWritable(block, context)
  else for (const name of ['readable', 'writable'] as const) checkThis(metadataOf(block, name), context)
}

function isAuthenticated({ index }: Known): boolean {
  return index.authMethod !== undefined
}

function checkThis(metadata: Metadata | undefined, context: ValidationContext): void {
  const { auths, project } = context.index
  // With `#auth` services, or without a project, the missing part is already reported there.
  if (metadata === undefined || auths.length > 0 || project === undefined || mayHaveMethod(project, context))
    return
  const value = metadataWords(metadata).find((word) => wordText(word) === 'this')
  if (hasParseError(metadata) || value === undefined) return
  context.report('this-without-authentication', spanOf(value), '`this` requires authentication', {
    help: 'add `#authMethod(email);` to the project, or use `all`',
  })
}

function checkWritable(block: Block, context: ValidationContext): void {
  const { readable, writable } = effectiveAccess(block, context)
  if (admitsAllOf(readable, writable) || namesUnknownRole(block, context)) return
  const ownWritable = metadataOf(block, 'writable')
  // `all` in a list is reported by itself.
  if (ownWritable !== undefined && metadataWords(ownWritable).length > 1 && writable === 'all') return
  const ownReadable = metadataOf(block, 'readable')
  const { project } = context.index
  const inherited = project === undefined || project === block ? undefined : metadataOf(project, 'writable')
  const message =
    writable === 'all' && isOnlyCreator(readable)
      ? 'Anyone could change entities that only their creator can read'
      : 'Not everyone who can write can also read'
  const both = accessText(unionOf(readable, writable))
  const narrowed = `\`#writable(by: ${accessText(intersectionOf(readable, writable) ?? readable)});\``
  if (ownWritable !== undefined && !hasParseError(ownWritable)) {
    context.report('writable-but-not-readable', valueSpan(ownWritable), message, {
      help: `${ownReadable === undefined ? 'add' : 'use'} \`#readable(by: ${both});\`, or use ${narrowed}`,
      ...(ownReadable === undefined
        ? {}
        : { related: [{ ...valueSpan(ownReadable), message: whoCan(readable, 'read') }] }),
    })
  } else if (ownReadable !== undefined && !hasParseError(ownReadable)) {
    context.report('writable-but-not-readable', valueSpan(ownReadable), message, {
      help: `add ${narrowed} to this service, or use \`#readable(by: ${both});\``,
      ...(inherited === undefined
        ? {}
        : { related: [{ ...valueSpan(inherited), message: whoCan(writable, 'write') }] }),
    })
  }
}

/** Whether a role is unknown, which is reported by itself. */
export function namesUnknownRole(block: Block, { index }: Known): boolean {
  return [block, index.project].some((holder) =>
    (['readable', 'writable'] as const).some((name) => {
      const metadata = holder && metadataOf(holder, name)
      return (
        metadata !== undefined && metadataWords(metadata).some((value) => !isKnown(wordText(value), index))
      )
    }),
  )
}

function isKnown(word: string, { roles }: Known['index']): boolean {
  return word === 'this' || word === 'all' || roles.has(word)
}

function whoCan(access: Access, verb: 'read' | 'write'): string {
  if (access === 'all') return `anyone can ${verb}`
  return isOnlyCreator(access) ? `only the creator can ${verb}` : `\`${accessText(access)}\` can ${verb}`
}

function valueSpan(metadata: Metadata): Span {
  const value = metadataValues(metadata)[0]
  if (value === undefined) return nameSpan(metadata)
  return spanOf(isListValue(value.$container) ? value.$container : value)
}

/** The callers that `#readable` or `#writable` of a block admits; `undefined` if it is absent or names none that exist. */
export function declaredAccess(
  block: Block | undefined,
  name: 'readable' | 'writable',
  { index }: Known,
): Access | undefined {
  const metadata = block && metadataOf(block, name)
  const words = new Set(metadata === undefined ? [] : metadataWords(metadata).map(wordText))
  if (words.has('all')) return 'all'
  const roles = [...words].filter((word) => index.roles.has(word))
  const creator = words.has('this')
  return creator || roles.length > 0 ? { creator, roles } : undefined
}

/** The access of a block without metadata of its own. A project's default does not widen an `#auth` service. */
export function defaultAccess(block: Block, name: 'readable' | 'writable', context: Known): Access {
  const { project } = context.index
  const unsaid = isAuthenticated(context) ? ONLY_CREATOR : 'all'
  if (block.$type === 'Project') return unsaid
  if (metadataOf(block, 'auth') !== undefined && isAuthenticated(context)) return ONLY_CREATOR
  return declaredAccess(project, name, context) ?? unsaid
}

/** Who can read and write the entities of a service. */
export function effectiveAccess(
  block: Block,
  context: Known,
): { readonly readable: Access; readonly writable: Access } {
  return {
    readable: declaredAccess(block, 'readable', context) ?? defaultAccess(block, 'readable', context),
    writable: declaredAccess(block, 'writable', context) ?? defaultAccess(block, 'writable', context),
  }
}
