import {
  type Attribute,
  type Block,
  isAttribute,
  isService,
  isStruct,
} from '../../src/language/generated/ast.ts'
import { typeName } from '../../src/language/nodes.ts'
import { checkText } from '../../src/language/parse.ts'
import { installedServer } from './installed.ts'

/** The file of the Prisma language server, which is installed if it is missing. */
export function prismaServer(): string {
  return installedServer('@prisma/language-server', '31.12.10', 'dist/bin.js')
}

/** The same model in Prisma: a model for each block, whose relations have both of their sides. */
export function prismaModel(definition: string): string {
  const { ast } = checkText(definition)
  const models = ast.members
    .filter(isService)
    .flatMap((service): { readonly block: Block; readonly owner?: string }[] => [
      { block: service },
      ...service.members.filter(isStruct).map((block) => ({ block, owner: service.name })),
    ])
  const relations = models.flatMap(({ block, owner }) => [
    ...block.members
      .filter(isRelation)
      .map(({ name, type }) => ({ from: block.name, name, to: typeName(type) })),
    ...(owner === undefined ? [] : [{ from: block.name, name: 'owner', to: owner }]),
  ])
  const lines = ['/// The same in Prisma.', 'datasource db {', '  provider = "postgresql"', '}', '']
  for (const { block } of models) {
    lines.push(`model ${block.name} {`, '  id String @id @default(uuid())')
    for (const member of block.members)
      if (isAttribute(member) && !isRelation(member)) lines.push(`  ${column(member)}`)
    for (const { from, name, to } of relations) {
      const relation = `@relation("${from}_${name}"`
      if (from === block.name)
        lines.push(
          `  ${name}Id String`,
          `  ${name} ${to} ${relation}, fields: [${name}Id], references: [id])`,
        )
      if (to === block.name) lines.push(`  ${name}Of${from} ${from}[] ${relation})`)
    }
    lines.push('}', '')
  }
  return `${lines.join('\n')}\n`
}

const SCALARS: ReadonlyMap<string, string> = new Map([
  ['bool', 'Boolean'],
  ['int', 'BigInt'],
  ['float', 'Float'],
  ['string', 'String @db.VarChar(120)'],
  ['date', 'DateTime @db.Date'],
  ['time', 'DateTime @db.Time'],
  ['datetime', 'DateTime @db.Timestamptz'],
  ['data', 'Bytes'],
])

function isRelation(member: Block['members'][number]): member is Attribute {
  return isAttribute(member) && !SCALARS.has(typeName(member.type))
}

function column({ name, type, annotations }: Attribute): string {
  const isUnique = annotations.some((annotation) => annotation.name === 'unique')
  return `${name} ${SCALARS.get(typeName(type))}${isUnique ? ' @unique' : ''}`
}
