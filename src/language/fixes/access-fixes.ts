import { type Access, accessText, intersectionOf, unionOf } from '../../access.ts'
import { metadataValues } from '../argument-binding.ts'
import { type Block, isListValue, isMetadata } from '../generated/ast.ts'
import { spanOf } from '../nodes.ts'
import type { DefinitionParseResult } from '../parse-result.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { effectiveAccess } from '../validation/access-rules.ts'
import { definitionIndex } from '../validation/definition-index.ts'
import { insertingMember, replacing } from './edits.ts'
import { enclosing, firstProject, intactBlock, intactServices } from './enclosing.ts'
import { alternative, type Fix, type QuickFix } from './fix.ts'

/** The maximum number of services that are offered for `#auth`. */
const MOST_SERVICES = 5

/** Adds the authentication that something requires. */
export const addAuthMethod: QuickFix = ({ diagnostic, result }) => {
  const project = firstProject(result.value)
  if (project === undefined || hasParseError(project)) return []
  const edits = insertingMember(result, project, '#authMethod(email);')
  if (diagnostic.code === 'auth-without-method')
    return [alternative(`Add \`#authMethod(email);\` to \`${project.name}\``, ...edits)]
  // Users need a service that stores their metadata, and only the author knows which.
  return intactServices(result.value)
    .slice(0, MOST_SERVICES)
    .map((service) =>
      alternative(
        `Add \`#authMethod(email);\` to \`${project.name}\` and \`#auth;\` to \`${service.name}\``,
        ...edits,
        ...insertingMember(result, service, '#auth;'),
      ),
    )
}

/** Adds `#auth` to a service. */
export const addAuth: QuickFix = ({ result }) =>
  intactServices(result.value)
    .slice(0, MOST_SERVICES)
    .map((service) =>
      alternative(`Add \`#auth;\` to \`${service.name}\``, ...insertingMember(result, service, '#auth;')),
    )

/** Lets everyone read. */
export const widenReading: QuickFix = (context) => {
  const block = intactBlock(context)
  return block === undefined ? [] : [settingAccess(context.result, block, 'readable', 'all')]
}

/** Replaces a list with `all` in it by `all`. */
export const widenList: QuickFix = (context) => {
  const block = intactBlock(context)
  const name = enclosing(context, isMetadata)?.name
  if (block === undefined || (name !== 'readable' && name !== 'writable')) return []
  return [settingAccess(context.result, block, name, 'all')]
}

/** Lets everyone who can write also read. */
export const admitWriters: QuickFix = (context) => {
  const block = intactBlock(context)
  if (block === undefined) return []
  const { readable, writable } = effectiveAccess(block, { index: definitionIndex(context.result.value) })
  return [settingAccess(context.result, block, 'readable', unionOf(readable, writable))]
}

/** Limits writing to those who can read. */
export const narrowWriting: QuickFix = (context) => {
  const block = intactBlock(context)
  if (block === undefined) return []
  const { readable, writable } = effectiveAccess(block, { index: definitionIndex(context.result.value) })
  return [settingAccess(context.result, block, 'writable', intersectionOf(readable, writable) ?? readable)]
}

/** Adds `#name(by: who)` to a block, or replaces its current value. */
function settingAccess(
  result: DefinitionParseResult,
  block: Block,
  name: 'readable' | 'writable',
  access: Access,
): Fix {
  const present = block.members.filter(isMetadata).find((metadata) => metadata.name === name)
  const value = present && metadataValues(present)[0]
  const who = accessText(access)
  const written = `#${name}(by: ${who})`
  if (present === undefined || value === undefined)
    return alternative(`Add \`${written};\``, ...insertingMember(result, block, `${written};`))
  const edit = isListValue(value.$container)
    ? replacing(spanOf(present), written)
    : replacing(spanOf(value), who)
  return alternative(`Change to \`${written}\``, edit)
}
