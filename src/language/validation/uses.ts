import { AUTHENTICATION } from '../../naming.ts'
import { metadataWords, wordText } from '../argument-binding.ts'
import { type Block, isBlock, type Metadata, type ServiceValue } from '../generated/ast.ts'
import { kindOf, nameSpan, spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { quote } from '../quote.ts'
import type { Span } from '../raw-diagnostic.ts'
import { mayHaveMethod } from './access-rules.ts'
import { isMeantName, isValidBlockName } from './block.ts'
import { type ValidationContext, withSuggestion } from './context.ts'
import type { DefinitionIndex } from './definition-index.ts'

/** `#uses` names services. In the project, and to name `Auth`, it requires authentication. */
export function checkUses(metadata: Metadata, context: ValidationContext): void {
  if (metadata.name !== 'uses' || hasParseError(metadata)) return
  if (metadata.$container.$type === 'Project')
    requireAuthentication(nameSpan(metadata), '`#uses` in the project', context)
  for (const value of metadataWords(metadata)) {
    if (value.$type === 'ServiceValue' && value.service.ref === undefined)
      checkUnknown(value, metadata, context)
  }
}

/** The names of what a block can list in `#uses`: the other services, and `Auth` in a service with authentication. */
export function calleeNames(caller: Block, { services, authMethod }: DefinitionIndex): string[] {
  const others = services.map(({ name }) => name).filter((name) => name !== caller.name)
  return authMethod !== undefined && caller.$type === 'Service' ? [...others, AUTHENTICATION] : others
}

function checkUnknown(value: ServiceValue, { $container }: Metadata, context: ValidationContext): void {
  const { blocksByName, services, authMethod } = context.index
  const word = wordText(value)
  if (context.isLostName(word) || isMeantName(word, context)) return
  const block = blocksByName.get(word)
  if (block === undefined && context.hasFailedImport && isValidBlockName(word)) return
  if (block !== undefined && block.$type !== 'Struct' && block.$type !== 'Project') return
  const isInProject = $container.$type === 'Project'
  if (block === undefined && word === AUTHENTICATION) {
    if (!isInProject) requireAuthentication(spanOf(value), '`Auth`', context)
    else if (authMethod !== undefined)
      context.report('unknown-service', spanOf(value), '`Auth` cannot use itself', {
        help: '`#uses` in the project lists the services that `Auth` calls',
      })
    return
  }
  const names = services.map(({ name }) => name)
  if (isBlock($container)) names.push(...calleeNames($container, context.index))
  const suggestion = block === undefined ? context.spelling.suggest(word, names) : undefined
  if (block === undefined && suggestion === undefined && context.hasNamelessBlock) return
  const message =
    block === undefined
      ? `Unknown service ${quote(word)}`
      : `${quote(word)} is a ${kindOf(block)}, not a service`
  context.report('unknown-service', spanOf(value), message, {
    help: '`#uses` lists services of this definition',
    ...withSuggestion(suggestion),
    ...(block === undefined ? {} : { related: [{ ...nameSpan(block), message: 'declared here' }] }),
  })
}

function requireAuthentication(span: Span, what: string, context: ValidationContext): void {
  const { authMethod, auths, project } = context.index
  // With `#auth` services, or without a project, the missing part is already reported there.
  if (authMethod !== undefined || auths.length > 0 || project === undefined) return
  if (mayHaveMethod(project, context)) return
  context.report('uses-without-authentication', span, `${what} requires \`#authMethod\``, {
    help: 'add `#authMethod(email);` to the project, or remove it',
  })
}
