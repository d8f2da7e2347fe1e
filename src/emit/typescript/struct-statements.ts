import { columnType } from '../../model/columns.ts'
import type { Struct } from '../../model/platform.ts'
import { codeFile } from '../kit/code-file.ts'
import { type Code, call, chain, code, hang, join, object } from '../kit/layout.ts'
import { has, type ServiceScope } from './access.ts'
import { stored, valueType } from './attributes.ts'
import {
  batchStatement,
  changesConstant,
  columnsConstant,
  deleteStatement,
  givenFunction,
  listStatement,
  pageEndStatement,
  rowConstant,
  updateStatement,
} from './columns.ts'
import { columnKey, entityTypes, tableName } from './names.ts'

const DRIZZLE = 'drizzle-orm'

/** `statements/<struct>.ts`: the statements on the entries of a struct, whose access is the parent's. */
export function structStatementsFile(scope: ServiceScope, struct: Struct): string {
  const { service, ownerKey, readLimited, writeLimited } = scope
  const file = codeFile(`statements/${struct.names.kebab}.ts`)
  const table = file.value('schema.ts', tableName(struct))
  const parent = file.value('schema.ts', tableName(service.entity))
  const and = file.value(DRIZZLE, 'and')
  const eq = file.value(DRIZZLE, 'eq')
  const sql = file.value(DRIZZLE, 'sql')
  const drizzle = file.type('database.ts', 'Drizzle')
  const listed = has(struct, 'list')

  const find = chain('drizzle', `.select(columns)`, `.from(${table})`, '.where(one)', ".prepare('read')")
  const readOwn = chain(
    'drizzle',
    '.select(columns)',
    `.from(${table})`,
    '.where(ownOne)',
    ".prepare('read_own')",
  )
  const create = (condition: string) =>
    chain(
      'drizzle',
      `.insert(${table})`,
      call('.select', entry(condition)),
      '.returning(columns)',
      ".prepare('create')",
    )
  const given = stored(struct).map(({ names, type }) => {
    const value = `${sql}<${valueType(type)}>\`\${given('${names.declared}')}::${columnType(type)}\``
    return hang(`${columnKey(names.declared)}:`, call(`${value}.as`, `'${names.snake}'`))
  })
  const values = object([
    `id: ${sql}<string>\`\${given('id')}::uuid\`.as('id')`,
    `_parent: ${parent}.id`,
    ...given,
  ])
  const entry = (condition: string) =>
    chain('drizzle', '.select(entry)', `.from(${parent})`, `.where(${condition})`)
  const behindOwn = readLimited ? 'ownBehind' : 'behind'
  const types = entityTypes(service).get(struct)
  const batch =
    listed && types !== undefined ? batchStatement(file, struct, types, table, behindOwn) : undefined

  const statements: Code[] = [
    code`create: ${create('parent')}`,
    ...(writeLimited ? [code`createOwn: ${create(`${and}(parent, owner)`)}`] : []),
    code`read: ${find}`,
    ...(readLimited ? [code`readOwn: ${readOwn}`] : []),
    code`update: ${updateStatement(table, 'one')}`,
    ...(writeLimited ? [code`updateOwn: ${updateStatement(table, 'ownOne')}`] : []),
    code`delete: ${deleteStatement(table, 'one')}`,
    ...(writeLimited ? [code`deleteOwn: ${deleteStatement(table, 'ownOne')}`] : []),
    code`list: ${listStatement(table, 'behind')}`,
    ...(batch === undefined ? [] : [code`batch: ${batch.statement}`]),
    ...(listed ? [code`pageEnd: ${pageEndStatement(table, behindOwn)}`] : []),
  ]
  const limited = readLimited || writeLimited
  const placeholder = (name: string) => `${sql}.placeholder('${name}')`
  const own: Code[] = limited
    ? [
        code`  const owner = ${call(eq, `${parent}.${ownerKey}`, placeholder('_caller'))}`,
        code`  const own = ${existence(file.value(DRIZZLE, 'exists'), sql, parent, call(and, call(eq, `${parent}.id`, `${table}._parent`), 'owner'))}`,
        `  const ownOne = ${and}(one, own)`,
      ]
    : []
  const conditions: Code[] = [
    code`  const parent = ${call(eq, `${parent}.id`, placeholder('_parent'))}`,
    code`  const inParent = ${call(eq, `${table}._parent`, placeholder('_parent'))}`,
    code`  const one = ${call(and, call(eq, `${table}.id`, placeholder('id')), 'inParent')}`,
    code`  const behind = ${call(and, call(file.value(DRIZZLE, 'gt'), `${table}.id`, placeholder('after')), 'inParent')}`,
    ...own,
    ...(readLimited && listed ? [`  const ownBehind = ${and}(behind, own)`] : []),
  ]
  return file.text(code`${columnsConstant(struct, table)}
${listed ? code`\n${rowConstant(file, struct, table)}\n` : ''}
${givenFunction(file)}

/** The statements on ${struct.names.declared}; each connection prepares those that it runs. */
export function prepare(drizzle: ${drizzle}) {
${join(conditions, '\n')}
  const entry = ${values}
${changesConstant(file, struct, table)}
${batch?.declaration === undefined ? '' : code`${batch.declaration}\n`}
  return ${object(statements)}
}`)
}

/** Whether there is a parent that meets the condition. Its calls are never on one line, as they nest. */
function existence(exists: string, sql: string, parent: string, condition: Code): Code {
  const select = chain(
    'drizzle',
    `.select({ one: ${sql}\`1\` })`,
    `.from(${parent})`,
    call('.where', condition),
  )
  return call(exists, { ...select, expanded: true })
}
