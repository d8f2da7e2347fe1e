import { docComment } from '../codegen/doc-comments.ts'
import { storedAttributes } from '../../model/entities.ts'
import { DECIMAL_DIGITS } from '../../limits.ts'
import { boundsCheck } from '../../model/columns.ts'
import { assertNever, type Attribute, type Entity, type Struct } from '../../model/platform.ts'
import { documentationWithTransitions } from '../../model/type-description.ts'
import { schemaHash } from '../database/hash.ts'
import {
  constraintName,
  identifier,
  OWNER_COLUMN,
  PARENT_COLUMN,
  VERSION_COLUMN,
} from '../database/identifiers.ts'
import { listAccess, listIndexes } from '../database/list-indexes.ts'
import { columnsOf, fitsBtree, serviceTables } from '../database/service-tables.ts'
import { type CodeFile, codeFile } from '../codegen/code-file.ts'
import { braces, call, type Code, code, hanging, join, list, object } from '../codegen/layout.ts'
import { parentKey } from './names.ts'
import { relationsOf } from './schema-relations.ts'
import { type EntityScope, mainEntity, type ServiceScope } from './scope.ts'

const DRIZZLE = 'drizzle-orm/pg-core'

/** `schema.ts`: the Drizzle schema, with all keys, constraints, indexes and relations. */
export function schemaFile(scope: ServiceScope): string {
  const file = codeFile('schema.ts')
  const database = file.type('#lib/database.ts', 'DatabaseOf')
  const parts = [
    code`/** Identifies the schema that ${scope.service.databaseDirectory}/migrations leads to. */
export const SCHEMA_HASH = '${schemaHash(serviceTables(scope.platform, scope.service))}'`,
    ...scope.entities.map((entity) => tableOf(file, scope, entity)),
    ...(scope.service.structs.length > 0 ? [relationsOf(file, scope)] : []),
    `export type Database = ${database}<typeof import('./schema.ts')>`,
  ]
  return file.text(join(parts, '\n\n'))
}

function tableOf(file: CodeFile, scope: ServiceScope, { entity, struct, names }: EntityScope): Code {
  const uuid = (column: string) => call(file.value(DRIZZLE, 'uuid'), `'${column}'`)
  const columns: Code[] = [
    code`id: ${uuid('id')}.primaryKey()`,
    ...(entity.hasOwner
      ? [code`/** The id of the token that created it. */\n_owner: ${uuid('_owner')}.notNull()`]
      : []),
    ...(struct === undefined ? [] : [code`${parentKey(struct)}: ${uuid(PARENT_COLUMN)}.notNull()`]),
    ...versionColumn(file, entity),
    ...storedAttributes(entity).map((attribute) => columnOf(file, entity.table, attribute)),
  ]
  const extras = [
    ...(struct === undefined ? ownerIndex(file, scope) : structConstraints(file, scope, struct)),
    ...searchIndexes(file, scope, { entity, struct, names }),
    ...storedAttributes(entity).flatMap((attribute) =>
      constraints(file, entity.table, names.variable, attribute),
    ),
  ]
  for (const combination of entity.combinations) {
    const key = call(
      file.value(DRIZZLE, 'unique'),
      `'${constraintName(entity.table, columnsOf(combination), 'key')}'`,
    )
    const members = combination.map((member) => {
      const parent = struct === undefined ? '' : parentKey(struct)
      return `${names.variable}.${member === 'parent' ? parent : member.names.declared}`
    })
    extras.push(code`${key}${call('.on', ...members)}`)
  }
  const hasComment = storedAttributes(entity).some(({ unique, type }) => unique && !fitsBtree(type))
  const parameters = [
    `'${entity.table}'`,
    object(columns),
    ...(extras.length === 0
      ? []
      : [
          code`(${names.variable})${extrasType(file, entity)} => ${{ ...list('[', extras, ']'), expanded: hasComment }}`,
        ]),
  ]
  const created = call(file.value(DRIZZLE, 'pgTable'), ...parameters)
  const value = extras.length === 0 ? created : { ...created, expanded: true }
  return code`${docComment(entity.documentation)}export const ${names.variable} = ${value}`
}

function versionColumn(file: CodeFile, { version }: Entity): Code[] {
  if (version === undefined) return []
  const column = call(file.value(DRIZZLE, 'bigint'), `'${VERSION_COLUMN}'`, braces(["mode: 'number'"]))
  return [code`/** Counts the changes. */\n${VERSION_COLUMN}: ${column}.notNull().default(1)`]
}

function columnOf(file: CodeFile, table: string, attribute: Attribute): Code {
  const { names, type, unique, optional, visibility } = attribute
  const name = `'${names.snake}'`
  const drizzle = (kind: string) => call(file.value(DRIZZLE, kind), name)

  function builder(): Code {
    switch (type.kind) {
      case 'bool':
        return drizzle('boolean')
      case 'string':
        return drizzle('text')
      case 'int':
        if (type.column !== 'bigint') return drizzle(type.column)
        return call(file.value(DRIZZLE, 'bigint'), name, braces(["mode: 'number'"]))
      case 'float':
        return drizzle(type.column === 'real' ? 'real' : 'doublePrecision')
      case 'decimal': {
        const precision = [`precision: ${DECIMAL_DIGITS}`, `scale: ${type.scale}`]
        return call(file.value(DRIZZLE, 'numeric'), name, braces(precision))
      }
      case 'date':
      case 'time':
        return drizzle(type.kind)
      case 'datetime':
        return call(file.value('#lib/queries.ts', 'datetime'), name)
      case 'data':
        return call(file.value('#lib/queries.ts', 'bytes'), name)
      case 'enum': {
        const values = list(
          '[',
          type.values.map((value) => `'${value}'`),
          ']',
        )
        return call(file.value(DRIZZLE, 'text'), name, braces([code`enum: ${values}`]))
      }
      case 'reference':
      case 'sibling':
        return drizzle('uuid')
      default:
        return assertNever(type)
    }
  }
  const ofDatabase =
    visibility === 'timestamp' ? `.default(${file.value('drizzle-orm', 'sql')}\`now()\`)` : ''
  const value = optional ? builder() : code`${builder()}.notNull()${ofDatabase}`
  const key = `'${constraintName(table, [names.snake], 'key')}'`
  const isIndexed = unique && fitsBtree(type)
  return code`${docComment(documentationWithTransitions(attribute))}${hanging(`${names.declared}:`, isIndexed ? code`${value}${call('.unique', key)}` : value)}`
}

/**
 * The type of a table's constraints, where its references may be part of a cycle: TypeScript cannot infer the types of
 * tables that refer to each other. Optional references may close a cycle.
 */
function extrasType(file: CodeFile, entity: Entity): string {
  const mayCycle = storedAttributes(entity).some(({ type, optional }) => type.kind === 'sibling' && optional)
  return mayCycle ? `: ${file.type(DRIZZLE, 'PgTableExtraConfigValue')}[]` : ''
}

/** Properties that every Drizzle table has, so that they are not its columns. */
const TABLE_PROPERTIES = new Set(['enableRLS', 'getSQL', 'shouldOmitSQLParens'])

function constraints(
  file: CodeFile,
  table: string,
  variable: string,
  { names, type, unique }: Attribute,
): Code[] {
  const isProperty = TABLE_PROPERTIES.has(names.declared)
  const check = boundsCheck(isProperty ? identifier(names.snake) : `\${${variable}.${names.declared}}`, type)
  const sql = () => file.value('drizzle-orm', 'sql')
  return [
    ...(check === undefined
      ? []
      : [
          call(
            file.value(DRIZZLE, 'check'),
            `'${constraintName(table, [names.snake], 'check')}'`,
            `${sql()}\`${check}\``,
          ),
        ]),
    ...(unique && !fitsBtree(type)
      ? [
          code`// Drizzle has no EXCLUDE, which keeps values of any length unique.
${call(
  file.value(DRIZZLE, 'index'),
  `'${constraintName(table, [names.snake], 'key')}'`,
)}.using('hash', ${variable}.${names.declared})`,
        ]
      : []),
  ]
}

function ownerIndex(file: CodeFile, scope: ServiceScope): Code[] {
  const { entity, names } = mainEntity(scope)
  return entity.hasOwner && entity.listedByOwner
    ? [index(file, entity.table, ['_owner', 'id'], [`${names.variable}._owner`, `${names.variable}.id`])]
    : []
}

/** The indexes of the list's filters and orders. */
function searchIndexes(file: CodeFile, scope: ServiceScope, { entity, struct, names }: EntityScope): Code[] {
  const keyOf = new Map([
    [OWNER_COLUMN, '_owner'],
    ...(struct === undefined ? [] : [[PARENT_COLUMN, parentKey(struct)] as const]),
    ...storedAttributes(entity).map(({ names: { snake, declared } }) => [snake, declared] as const),
  ])
  return listIndexes(entity, listAccess(scope.platform, scope.service, struct)).map(({ name, keys }) => {
    const values = keys.slice(0, -1).map(({ column, isText, isDescending }) => {
      const value = `${names.variable}.${keyOf.get(column)}`
      const order = isDescending ? ' desc nulls last' : ''
      if (isText) return `${file.value('drizzle-orm', 'sql')}\`\${${value}} collate "C"${order}\``
      return isDescending ? `${value}.desc().nullsLast()` : value
    })
    return call(`${file.value(DRIZZLE, 'index')}('${name}').on`, ...values, `${names.variable}.id`)
  })
}

function index(file: CodeFile, table: string, columns: readonly string[], values: readonly string[]): Code {
  const name = call(file.value(DRIZZLE, 'index'), `'${constraintName(table, columns, 'idx')}'`)
  return code`${name}${call('.on', ...values)}`
}

function structConstraints(file: CodeFile, scope: ServiceScope, struct: Struct): Code[] {
  const table = scope.entities.find(({ entity }) => entity === struct)?.names.variable ?? ''
  const parent = mainEntity(scope).names.variable
  const parentColumn = `${table}.${parentKey(struct)}`
  const foreignKey = (column: string, columns: readonly string[], foreign: readonly string[]) =>
    call(
      file.value(DRIZZLE, 'foreignKey'),
      object([
        code`columns: ${list('[', columns, ']')}`,
        code`foreignColumns: ${list('[', foreign, ']')}`,
        `name: '${constraintName(struct.table, [column], 'fkey')}'`,
      ]),
    )
  const siblings = storedAttributes(struct).flatMap(({ names, type, unique }) => {
    if (type.kind !== 'sibling') return []
    const target = scope.entities.find(({ entity }) => entity.table === type.table)
    if (target?.struct === undefined) return []
    const key = `${target.names.variable}.${parentKey(target.struct)}`
    const value = `${table}.${names.declared}`
    return [
      foreignKey(names.snake, [value, parentColumn], [`${target.names.variable}.id`, key]),
      ...(unique ? [] : [index(file, struct.table, [names.snake], [value])]),
    ]
  })
  return [
    code`${foreignKey(PARENT_COLUMN, [parentColumn], [`${parent}.id`])}.onDelete('cascade')`,
    ...(struct.referenced
      ? [
          code`${call(file.value(DRIZZLE, 'unique'), `'${constraintName(struct.table, ['id', PARENT_COLUMN], 'key')}'`)}${call('.on', `${table}.id`, parentColumn)}`,
        ]
      : []),
    index(file, struct.table, [PARENT_COLUMN, 'id'], [parentColumn, `${table}.id`]),
    ...siblings,
  ]
}
