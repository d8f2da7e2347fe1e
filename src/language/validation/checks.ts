import type { AstNode, ValidationCheck, ValidationChecks } from 'langium'
import type { Attribute, Block, Metadata, PorticoAstType } from '../generated/ast.ts'
import { checkAccess, checkAuthentication } from './access-rules.ts'
import { checkTypeArguments } from './arguments.ts'
import { checkCriteria } from './attribute-lists.ts'
import {
  checkAnnotations,
  checkAttributeName,
  checkAttributeNames,
  checkAttributePlace,
} from './attribute.ts'
import { checkBlockKind, checkBlockName, checkBlockPlace } from './block.ts'
import { type ValidationContext, contextOf } from './context.ts'
import {
  checkEndpointAttribute,
  checkEndpointFunctions,
  checkEndpointMetadata,
  checkInnerNames,
} from './custom-endpoints.ts'
import { checkEndpointPath } from './endpoint-paths.ts'
import { checkCycles } from './cycles.ts'
import { checkDefault } from './defaults.ts'
import { checkDefaultValue, checkOptional } from './default-value.ts'
import { checkBlocksPresent } from './definition.ts'
import { checkEnumerable, checkIdempotent, checkOmit, checkSiblingZero, checkVersioned } from './endpoints.ts'
import { checkFormerAttributeNames, checkFormerBlockNames } from './former-names.ts'
import { checkHead } from './head.ts'
import { checkImports } from './imports.ts'
import { checkJobAttribute, checkSchedule } from './jobs.ts'
import { checkMetadataName, checkMetadataNames, checkMetadataValue } from './metadata.ts'
import { checkBlockNames } from './names.ts'
import { checkPublic } from './public-paths.ts'
import { checkCallers, checkRoles } from './roles.ts'
import { checkTableSize } from './table-size.ts'
import { checkTransitions } from './transitions.ts'
import { checkReference } from './type.ts'
import { checkUnique, checkUniqueCombinations } from './unique.ts'
import { checkUses } from './uses.ts'
import { checkTerminated } from './terminated.ts'

type Check<Node> = (node: Node, context: ValidationContext) => void

const ON_BLOCKS: readonly Check<Block>[] = [
  checkBlockKind,
  checkBlockPlace,
  checkBlockName,
  local(checkAttributeNames, checkFormerAttributeNames),
  checkMetadataNames,
  checkAccess,
  checkOmit,
  checkEnumerable,
  checkVersioned,
  checkIdempotent,
  checkUniqueCombinations,
  checkTableSize,
  checkInnerNames,
  checkEndpointPath,
]

const ON_METADATA: readonly Check<Metadata>[] = [
  checkMetadataName,
  checkMetadataValue,
  checkUses,
  checkRoles,
  checkCallers,
  checkCriteria,
  checkPublic,
  checkUnique,
  checkEndpointMetadata,
  checkSchedule,
  checkDefault,
  checkTerminated,
]

const ON_ATTRIBUTES: readonly Check<Attribute>[] = [
  local(checkAttributePlace, checkAttributeName, checkAnnotations, checkTypeArguments),
  checkReference,
  checkSiblingZero,
  checkEndpointAttribute,
  checkJobAttribute,
  checkOptional,
  checkDefaultValue,
  checkTransitions,
  checkTerminated,
]

/** All checks, by the type of node that they are called with. Each checks one rule of the language. */
export const CHECKS: ValidationChecks<PorticoAstType> = {
  Definition: registered([
    checkImports,
    checkBlocksPresent,
    checkBlockNames,
    checkFormerBlockNames,
    checkAuthentication,
    checkCycles,
    checkEndpointFunctions,
  ]),
  Block: registered(ON_BLOCKS),
  Attribute: registered([
    (attribute, context) => {
      if (!checkHead(attribute, context)) for (const check of ON_ATTRIBUTES) check(attribute, context)
    },
  ]),
  Metadata: registered(ON_METADATA),
}

/**
 * Combines checks that read nothing outside of the segment of their node. A node without diagnostics is not checked
 * again: a change elsewhere, such as another name of a service, has no effect on it.
 */
function local<Node extends AstNode>(...checks: readonly Check<Node>[]): Check<Node> {
  const clean = new WeakSet<Node>()
  return (node, context) => {
    if (clean.has(node)) return
    const before = context.reported
    for (const check of checks) check(node, context)
    // Syntax errors suppress diagnostics.
    if (context.reported === before && !context.hasSyntaxErrors) clean.add(node)
  }
}

function registered<Node extends AstNode>(checks: readonly Check<Node>[]): ValidationCheck<Node>[] {
  return checks.map((check) => (node, accept) => check(node, contextOf(accept)))
}
