import { listed } from '../../naming.ts'
import { metadataValues, metadataWords, wordText } from '../argument-binding.ts'
import type { Metadata, Word } from '../generated/ast.ts'
import { nameSpan, spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { printable, quote } from '../quote.ts'
import { mayHaveMethod } from './access-rules.ts'
import { suggestedAttributeName, isValidAttributeName } from './attribute.ts'
import { type ValidationContext, withReplacement, withSuggestion } from './context.ts'
import { metadataOf } from './definition-index.ts'

/** The words of `by:` that are not roles. */
const WORDS: ReadonlySet<string> = new Set(['this', 'all'])

/** `#roles` requires authentication, and its names are those of attributes. */
export function checkRoles(metadata: Metadata, context: ValidationContext): void {
  const holder = metadata.$container
  if (metadata.name !== 'roles' || holder.$type !== 'Project' || hasParseError(metadata)) return
  const { authMethod, auths } = context.index
  // With `#auth` services, the missing part is already reported there.
  if (authMethod === undefined && auths.length === 0 && !mayHaveMethod(holder, context))
    context.report('roles-without-authentication', nameSpan(metadata), '`#roles` requires `#authMethod`', {
      help: 'add `#authMethod(email);` to the project, or remove `#roles`',
    })
  for (const value of metadataWords(metadata)) checkRoleName(value, context)
}

function checkRoleName(value: Word, context: ValidationContext): void {
  const role = wordText(value)
  if (WORDS.has(role))
    context.report('reserved-role', spanOf(value), `${quote(role)} cannot be a role`, {
      help: '`this` is the creator of an entity, `all` is every user',
    })
  else if (!isValidAttributeName(role)) {
    const suggestion = suggestedAttributeName(role)
    context.report(
      'invalid-role-name',
      spanOf(value),
      `Role names are camelCase${suggestion === undefined ? '' : `: \`${suggestion}\``}`,
      {
        help: 'use the letters A to Z, a to z and digits, starting with a lowercase letter',
        ...withReplacement(suggestion),
      },
    )
  }
}

/** `by:` names `this`, `all` or roles, and `all` only by itself. */
export function checkCallers(metadata: Metadata, context: ValidationContext): void {
  const holder = metadata.$container
  if (metadata.name !== 'readable' && metadata.name !== 'writable') return
  if (hasParseError(metadata) || (holder.$type !== 'Project' && holder.$type !== 'Service')) return
  const isList = metadataValues(metadata)[0]?.$container.$type === 'ListValue'
  const { project, roles } = context.index
  const declared = project && metadataOf(project, 'roles')
  // Roles that are declared in a wrong form, or with a wrong name, are reported there.
  const list = declared?.list ?? declared?.arguments?.items[0]?.value
  const isEmpty = list?.$type === 'ListValue' && list.items.length === 0
  const isUnread = declared !== undefined && roles.size === 0 && !isEmpty
  const meant = new Set([...roles].map(suggestedAttributeName))
  for (const value of metadataWords(metadata)) {
    const word = wordText(value)
    if (word === 'all' && isList)
      context.report('all-in-list', spanOf(value), '`all` is not allowed in a list', {
        help: `\`all\` already includes everyone else: use \`#${metadata.name}(by: all)\``,
      })
    if (WORDS.has(word) || roles.has(word) || meant.has(word) || isUnread || project === undefined) continue
    if (context.overlapsSyntaxError(project) || context.isMisspelled('roles', project)) continue
    const suggestion = context.spelling.suggest(word, [...WORDS, ...roles])
    if (roles.size === 0)
      context.report('unknown-value', spanOf(value), `Invalid value ${quote(word)}`, {
        help: `\`this\` is only the creator, \`all\` is every user; roles are declared in the project: \`#roles[${printable(word)}]\``,
        ...withSuggestion(suggestion),
      })
    else
      context.report('unknown-role', spanOf(value), `Unknown role ${quote(word)}`, {
        help: `use ${listed(['this', ...(isList ? [] : ['all']), ...roles], 'or')}`,
        ...withSuggestion(suggestion),
      })
  }
}
