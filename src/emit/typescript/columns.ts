import { MAX_BODY_BYTES, neededBodyBytes } from '../../model/limits.ts'
import type { AttributeType, Entity, Names } from '../../model/platform.ts'
import type { CodeFile } from '../kit/code-file.ts'
import { type Chain, type Code, call, chain, code, hang, object } from '../kit/layout.ts'
import { setByHooks, stored, valueType } from './attributes.ts'
import { columnKey, type EntityTypes, parentKey } from './names.ts'

const DRIZZLE = 'drizzle-orm'

/** Rows that may be larger than this many bytes are read in batches of so many bytes, not only of so many rows. */
const LIGHT_ROW_BYTES = 16 * 1024

/** What is read of a row, all but the owner, as properties whose values `of` gives. */
function readColumns(entity: Entity, of: (key: string, column: string) => string): Code {
  const parent = 'parent' in entity ? [`${parentKey(entity)}: ${of(parentKey(entity), '_parent')}`] : []
  const attributes = stored(entity).map(({ names: { declared } }) =>
    hang(`${declared}:`, of(declared, columnKey(declared))),
  )
  return object([`id: ${of('id', 'id')}`, ...parent, ...attributes])
}

/** The constant `columns` of a file of statements. */
export function columnsConstant(entity: Entity, table: string): Code {
  return code`const columns = ${readColumns(entity, (_key, column) => `${table}.${column}`)}`
}

/** The function that stands for a value which is given when the statement runs. */
export function givenFunction(file: CodeFile): string {
  const sql = file.value(DRIZZLE, 'sql')
  return `/** A value that is given when the statement runs. */
const given = (name: string) => ${sql}\`\${${sql}.placeholder(name)}\``
}

/** What an UPDATE sets; what a hook did not set comes as null and keeps its value. */
export function changesConstant(file: CodeFile, entity: Entity, table: string): Code {
  const sql = file.value(DRIZZLE, 'sql')
  const kept = setByHooks(entity)
  const values = stored(entity).map((attribute): Code => {
    const name = attribute.names.declared
    const key = columnKey(name)
    if (!kept.includes(attribute)) return hang(`${key}:`, call('given', `'${name}'`))
    return `${key}: ${sql}\`coalesce(\${given('${name}')}, \${${table}.${key}})\``
  })
  // Postgres has no UPDATE that sets nothing.
  const set = values.length > 0 ? values : [`id: ${sql}\`\${${table}.id}\``]
  return code`  const changes = ${object(set)}`
}

/** UPDATE that returns the row. */
export function updateStatement(table: string, condition: string): Chain {
  return chain(
    'drizzle',
    `.update(${table})`,
    '.set(changes)',
    `.where(${condition})`,
    '.returning(columns)',
    ".prepare('update')",
  )
}

/** DELETE that returns the id. */
export function deleteStatement(table: string, condition: string): Chain {
  return chain(
    'drizzle',
    `.delete(${table})`,
    `.where(${condition})`,
    `.returning({ id: ${table}.id })`,
    ".prepare('delete')",
  )
}

/** SELECT of the rows that meet the condition, in the order of ids. */
export function listStatement(table: string, condition: string): Chain {
  return chain(
    'drizzle',
    '.select(columns)',
    `.from(${table})`,
    `.where(${condition})`,
    `.orderBy(${table}.id)`,
    ".limit(sql.placeholder('limit'))",
    ".prepare('list')",
  )
}

/** SELECT of the last id of a page and, where there are more rows, of the first behind it. */
export function pageEndStatement(table: string, condition: string): Chain {
  return chain(
    'drizzle',
    `.select({ id: ${table}.id })`,
    `.from(${table})`,
    `.where(${condition})`,
    `.orderBy(${table}.id)`,
    '.limit(2)',
    ".offset(sql.placeholder('offset'))",
    ".prepare('page_end')",
  )
}

/** Whether rows may be so large that a batch is bounded by its bytes too. */
export function isHeavy(entity: Entity): boolean {
  const sizes = stored(entity).map(({ names, type }) => ({
    name: names.declared,
    kind: type.kind,
    size: sizeOf(type),
  }))
  return Math.min(neededBodyBytes(sizes), MAX_BODY_BYTES) > LIGHT_ROW_BYTES
}

function sizeOf(type: Entity['attributes'][number]['type']): number | undefined {
  if (type.kind === 'string') return type.maxLength
  return type.kind === 'data' ? type.maxSize : undefined
}

/**
 * What a list reads of a row, under the names and in the forms of the entity: nothing maps the rows of lists.
 */
export function rowConstant(file: CodeFile, entity: Entity, table: string): Code {
  const parent = 'parent' in entity ? [`${parentKey(entity)}: ${table}._parent`] : []
  const named = parent.map((text) => {
    const [key = '', column = ''] = text.split(': ')
    return aliased(file, key, column, 'string')
  })
  const attributes = stored(entity).map(({ names, type }) => rowValue(file, table, names, type))
  return code`const row = ${object([`id: ${table}.id`, ...named, ...attributes])}`
}

function rowValue(file: CodeFile, table: string, names: Names, type: AttributeType): Code {
  const column = `${table}.${columnKey(names.declared)}`
  // What the database writes in the time zone UTC differs from RFC 3339 in two places.
  if (type.kind === 'datetime') {
    const sql = file.value(DRIZZLE, 'sql')
    const text = `${sql}<string>\`replace(replace(\${${column}}::text, ' ', 'T'), '+00', 'Z')\``
    return hang(`${names.declared}:`, call(`${text}.as`, `'${names.declared}'`))
  }
  // As a double it comes as a number, and clients never meet integers that a double does not hold.
  if (type.kind === 'int' && type.column === 'bigint') {
    const sql = file.value(DRIZZLE, 'sql')
    const text = `${sql}<number>\`\${${column}}::double precision\``
    return hang(`${names.declared}:`, call(`${text}.as`, `'${names.declared}'`))
  }
  if (names.snake === names.declared) return hang(`${names.declared}:`, column)
  return aliased(file, names.declared, column, valueType(type))
}

function aliased(file: CodeFile, key: string, column: string, type: string): Code {
  const sql = file.value(DRIZZLE, 'sql')
  return hang(`${key}:`, call(`${sql}<${type}>\`\${${column}}\`.as`, `'${key}'`))
}

/** SELECT of a batch whose rows come as they are. */
export function batchStatement(
  file: CodeFile,
  entity: Entity,
  types: EntityTypes,
  table: string,
  condition: string,
): { declaration: Code | undefined; statement: Code } {
  const prepare = `${file.value('rows.ts', 'prepareRows')}<${file.type('entities.ts', types.stored)}>`
  if (isHeavy(entity)) {
    const { declaration, query } = heavyBatch(file, entity, table, condition)
    return { declaration, statement: call(prepare, 'drizzle', query) }
  }
  const query = chain(
    'drizzle',
    '.select(row)',
    `.from(${table})`,
    `.where(${condition})`,
    `.orderBy(${table}.id)`,
    ".limit(sql.placeholder('limit'))",
  )
  return { declaration: undefined, statement: call(prepare, 'drizzle', query) }
}

/** The batches of a list whose rows may be large: a subquery that sums up bytes, and the SELECT from it. */
function heavyBatch(
  file: CodeFile,
  entity: Entity,
  table: string,
  condition: string,
): { declaration: Code; query: Chain } {
  const sql = file.value(DRIZZLE, 'sql')
  const large = stored(entity).filter(({ type }) => type.kind === 'string' || type.kind === 'data')
  const bytes = large.map(({ names }) => `octet_length(\${${table}.${columnKey(names.declared)}})`)
  const select = object([
    '...row',
    code`_bytesBefore: ${sql}\`
        sum(${bytes.join(' + ')})
        over (order by \${${table}.id} rows between unbounded preceding and 1 preceding)
      \`.as('_bytes_before')`,
  ])
  const declaration = code`  // Large rows are bounded by their bytes; the first one always comes.
  const batch = ${chain(
    'drizzle',
    code`.select(${select})`,
    `.from(${table})`,
    `.where(${condition})`,
    `.orderBy(${table}.id)`,
    `.limit(${sql}.placeholder('limit'))`,
    ".as('batch')",
  )}`
  const fields = readColumns(entity, (key) => `batch.${key}`)
  const bound = file.value('lists.ts', 'BATCH_BYTES')
  const query = chain(
    'drizzle',
    code`.select(${fields})`,
    '.from(batch)',
    `.where(${sql}\`coalesce(\${batch._bytesBefore}, 0) < \${${bound}}\`)`,
    '.orderBy(batch.id)',
  )
  return { declaration, query }
}
