import type { Attribute, Block, Definition, Metadata } from '../generated/ast.ts'
import type { Read } from '../syntax/read.ts'
import { checkAccess, checkAuthentication } from './access.ts'
import { checkTypeArguments } from './arguments.ts'
import {
  checkAnnotations,
  checkAttributeName,
  checkAttributeNames,
  checkAttributePlace,
} from './attribute.ts'
import { checkBlockKind, checkBlockName, checkBlockPlace } from './block.ts'
import { CheckContext } from './context.ts'
import { checkCycles } from './cycles.ts'
import { checkAvailable, checkDefault } from './defaults.ts'
import { checkBlocksPresent } from './definition.ts'
import { checkEnumerable, checkOmit, checkSiblingZero, checkUses } from './endpoints.ts'
import { checkHead } from './head.ts'
import { checkMetadataName, checkMetadataNames, checkMetadataValue } from './metadata.ts'
import { type CheckMemory, textOf } from './memory.ts'
import { checkBlockNames } from './names.ts'
import { checkReference } from './type.ts'

type Check<T> = (node: T, context: CheckContext) => void

/** Every check, by the node that it is called with. Each looks after one rule of the language. */
const CHECKS: {
  readonly definition: readonly Check<Definition>[]
  readonly block: readonly Check<Block>[]
  readonly attribute: readonly Check<Attribute>[]
  readonly metadata: readonly Check<Metadata>[]
} = {
  definition: [checkBlocksPresent, checkBlockNames, checkAuthentication, checkCycles],
  block: [
    checkBlockKind,
    checkBlockPlace,
    checkBlockName,
    checkAttributeNames,
    checkMetadataNames,
    checkAccess,
    checkOmit,
    checkEnumerable,
  ],
  attribute: [
    checkAttributePlace,
    checkAttributeName,
    checkAnnotations,
    checkReference,
    checkSiblingZero,
    checkTypeArguments,
  ],
  metadata: [checkMetadataName, checkMetadataValue, checkUses, checkDefault, checkAvailable],
}

/**
 * Runs every check over what was read, and adds to its findings.
 *
 * @param memory of earlier states of the same definition: blocks that cannot have changed are passed over
 */
export function checkDefinition(read: Read, memory?: CheckMemory): void {
  const context = new CheckContext(read)
  run(CHECKS.definition, read.definition, context)
  for (const stray of read.definition.strays) checkMember(stray, context)
  const recall = memory?.recall(context)
  for (const block of read.definition.blocks) {
    const text = recall === undefined ? '' : textOf(block, read.tree.text)
    if (recall?.isClean(text) === true) continue
    const before = read.findings.count
    checkBlock(block, context)
    if (read.findings.count === before) recall?.note(text)
  }
  recall?.end()
}

/** A block and those in it. The parser lets blocks nest to a certain depth only. */
function checkBlock(block: Block, context: CheckContext): void {
  run(CHECKS.block, block, context)
  for (const member of block.members) if (member.$type !== 'Block') checkMember(member, context)
  for (const member of block.members) if (member.$type === 'Block') checkBlock(member, context)
}

function checkMember(member: Attribute | Metadata, context: CheckContext): void {
  if (member.$type === 'Attribute') {
    if (!checkHead(member, context)) run(CHECKS.attribute, member, context)
  } else run(CHECKS.metadata, member, context)
}

function run<T>(checks: readonly Check<T>[], node: T, context: CheckContext): void {
  for (const check of checks) check(node, context)
}
