import { type Attribute, type Block, isBlock, isService } from '../../src/language/generated/ast.ts'
import { typeName } from '../../src/language/nodes.ts'
import { checkText } from '../../src/language/parse.ts'
import { installedServer } from './installed.ts'

/** The file of the TypeSpec language server, which is installed if it is missing. */
export function typespecServer(): string {
  return installedServer('@typespec/compiler', '1.17.0', 'cmd/tsp-server.js')
}

/** The same model in TypeSpec, with as many lines: a model for each block, and an operation for each endpoint rule. */
export function typespecModel(definition: string): string {
  const { ast } = checkText(definition)
  const lines = ['/** The same in TypeSpec. */', 'namespace Hundred;', '']
  for (const service of ast.members.filter(isService)) lines.push(...model(service))
  return `${lines.join('\n')}\n`
}

function model(block: Block): string[] {
  const structs: string[] = []
  const lines = [`model ${block.name} {`]
  for (const member of block.members) {
    if (member.$type === 'Attribute') lines.push(`  ${property(member)}`)
    else if (isBlock(member)) structs.push(...model(member))
    else lines.push(`  // #${member.name}`)
  }
  return [...lines, '}', ...structs, '']
}

const SCALARS: ReadonlyMap<string, string> = new Map([
  ['bool', 'boolean'],
  ['int', 'int64'],
  ['float', 'float64'],
  ['string', 'string'],
  ['date', 'plainDate'],
  ['time', 'plainTime'],
  ['datetime', 'offsetDateTime'],
  ['data', 'bytes'],
  ['uuid', 'string'],
])

function property({ name, type, annotations }: Attribute): string {
  const written = typeName(type)
  const bound = written === 'string' && type.arguments !== undefined ? '@maxLength(120) ' : ''
  const least = written === 'int' ? '@minValue(0) ' : ''
  const optional = annotations.length > 0 ? '?' : ''
  return `${bound}${least}${name}${optional}: ${SCALARS.get(written) ?? written};`
}
