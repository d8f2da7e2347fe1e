import { codeFile } from '../kit/code-file.ts'
import { braces, type Code, call, chain, code, hang, join, object } from '../kit/layout.ts'
import { checksAccess } from './access-file.ts'
import { has, refersToItself, type ServiceScope } from './access.ts'
import { stored } from './attributes.ts'
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

/** `statements/<service>.ts`: the statements on the service's own entity. */
export function statementsFile(scope: ServiceScope): string {
  const { service, authenticated, ownerKey, readLimited, writeLimited } = scope
  const { entity, identity } = service
  const file = codeFile(`statements/${entity.names.kebab}.ts`)
  const table = file.value('schema.ts', tableName(entity))
  const eq = file.value(DRIZZLE, 'eq')
  const sql = file.value(DRIZZLE, 'sql')
  const drizzle = file.type('database.ts', 'Drizzle')
  const listed = has(entity, 'list')
  const checked = scope.called || refersToItself(service)
  const owned = writeLimited || readLimited || has(entity, 'identify')

  const select = (name: string, condition: string) =>
    chain('drizzle', '.select(columns)', `.from(${table})`, `.where(${condition})`, `.prepare('${name}')`)
  const found = braces([`id: ${table}.id`, ...(authenticated ? [`owner: ${table}.${ownerKey}`] : [])])
  const values = [
    "id: given('id')",
    ...(authenticated && !identity ? ["_owner: given('_caller')"] : []),
    ...stored(entity).map(({ names: { declared } }) =>
      hang(`${columnKey(declared)}:`, call('given', `'${declared}'`)),
    ),
  ]
  const create = chain(
    'drizzle',
    `.insert(${table})`,
    code`.values(${object(values)})`,
    '.returning(columns)',
    ".prepare('create')",
  )
  const behindOwn = readLimited ? 'ownBehind' : 'behind'
  const types = entityTypes(service).get(entity)
  const batch =
    listed && types !== undefined ? batchStatement(file, entity, types, table, behindOwn) : undefined
  const readable = `${sql}\`\${${table}.id} = any(\${${sql}.placeholder('ids')}::uuid[])\``

  const statements: Code[] = [
    ...(checksAccess(scope)
      ? [
          code`find: ${chain('drizzle', code`.${call('select', found)}`, `.from(${table})`, '.where(one)', ".prepare('find')")}`,
        ]
      : []),
    code`create: ${create}`,
    code`read: ${select('read', 'one')}`,
    ...(readLimited || has(entity, 'identify') ? [code`readOwn: ${select('read_own', 'ownOne')}`] : []),
    code`update: ${updateStatement(table, 'one')}`,
    ...(writeLimited ? [code`updateOwn: ${updateStatement(table, 'ownOne')}`] : []),
    code`delete: ${deleteStatement(table, 'one')}`,
    ...(writeLimited ? [code`deleteOwn: ${deleteStatement(table, 'ownOne')}`] : []),
    code`list: ${listStatement(table, 'behind')}`,
    ...(batch === undefined ? [] : [code`batch: ${batch.statement}`]),
    ...(listed ? [code`pageEnd: ${pageEndStatement(table, behindOwn)}`] : []),
    ...(checked
      ? [
          code`readable: ${chain(
            'drizzle',
            `.select({ id: ${table}.id })`,
            `.from(${table})`,
            call('.where', readLimited ? call(file.value(DRIZZLE, 'and'), readable, 'own') : readable),
            ".prepare('readable')",
          )}`,
        ]
      : []),
  ]
  const needsOwnOne = readLimited || writeLimited || has(entity, 'identify')
  const and = () => file.value(DRIZZLE, 'and')
  const conditions: Code[] = [
    code`  const one = ${call(eq, `${table}.id`, `${sql}.placeholder('id')`)}`,
    ...(owned
      ? [code`  const own = ${call(eq, `${table}.${ownerKey}`, `${sql}.placeholder('_caller')`)}`]
      : []),
    ...(needsOwnOne ? [`  const ownOne = ${and()}(one, own)`] : []),
    code`  const behind = ${call(file.value(DRIZZLE, 'gt'), `${table}.id`, `${sql}.placeholder('after')`)}`,
    ...(readLimited && listed ? [`  const ownBehind = ${and()}(behind, own)`] : []),
  ]
  return file.text(code`${columnsConstant(entity, table)}
${listed ? code`\n${rowConstant(file, entity, table)}\n` : ''}
${givenFunction(file)}

/** The statements on ${entity.names.declared}; each connection prepares those that it runs. */
export function prepare(drizzle: ${drizzle}) {
${join(conditions, '\n')}
${changesConstant(file, entity, table)}
${batch?.declaration === undefined ? '' : code`${batch.declaration}\n`}
  return ${object(statements)}
}`)
}
