import { type Attribute, type Block, type Definition, isBlock } from '../generated/ast.ts'
import { hasName, nameSpan, typeName } from '../nodes.ts'
import { isBlockKind } from '../builtins.ts'
import { missingOpeningBrace } from '../parser/messages/blocks.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { quote } from '../quote.ts'
import { isValidBlockName } from './block.ts'
import { type ValidationContext, withReplacement } from './context.ts'

/**
 * Reports `Host: serv` as an incomplete head of a block: one mistake, instead of an attribute with several. Returns
 * false if it is an attribute.
 */
export function checkHead(attribute: Attribute, context: ValidationContext): boolean {
  if (!isHead(attribute, context)) return false
  const word = typeName(attribute.type)
  if (isBlockKind(word)) {
    const { end } = nameSpan(attribute.type)
    const message = missingOpeningBrace(`${attribute.name}: ${word}`, true)
    context.report(message.code, { start: end, end }, message.message, message)
    return true
  }
  const kind = meantKind(attribute, context)
  if (kind === undefined && isBlock(attribute.$container)) return false
  context.report(
    'unknown-block-kind',
    nameSpan(attribute.type),
    `Unknown block kind ${quote(word)}`,
    kind === undefined
      ? { help: 'only `project` and `service` are allowed at the top level' }
      : { help: `did you mean \`${kind}\`?`, ...withReplacement(`${kind} {}`) },
  )
  return true
}

/** Whether an incomplete block that may have this kind is at the top level. */
export function isBeingWritten(kind: string, { members }: Definition, context: ValidationContext): boolean {
  return members.some(
    (member) =>
      member.$type === 'Attribute' &&
      (hasParseError(member)
        ? isValidBlockName(member.name)
        : isHead(member, context) && meantKind(member, context) === kind),
  )
}

/** Whether it has the name of a block, followed by an unknown word. */
function isHead(attribute: Attribute, context: ValidationContext): boolean {
  const { name, type, annotations } = attribute
  if (hasParseError(attribute) || !isValidBlockName(name) || !hasName(type)) return false
  if (type.arguments !== undefined || annotations.length > 0) return false
  const word = typeName(type)
  return type.$type === 'ReferenceType' && !context.index.blocksByName.has(word)
}

/** The allowed block kind that a word, which may be incomplete, stands for. */
function meantKind({ $container, type }: Attribute, context: ValidationContext): string | undefined {
  const kinds = kindsIn($container)
  const word = typeName(type)
  return kinds.find((kind) => kind.startsWith(word)) ?? context.spelling.suggest(word, kinds)
}

function kindsIn(holder: Block | Definition): readonly string[] {
  if (holder.$type === 'Definition') return ['service', 'project']
  return holder.$type === 'Service' ? ['struct', 'endpoint', 'job'] : []
}
