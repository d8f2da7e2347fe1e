import { type Attribute, assertNever, type Entity } from '../../model/platform.ts'
import { type CodeFile, codeFile } from '../kit/code-file.ts'
import { braces, type Code, call, code, hang, join, object } from '../kit/layout.ts'
import type { ServiceScope } from './access.ts'
import { stored } from './attributes.ts'
import { docComment } from './documentation.ts'
import { columnKey, tableName } from './names.ts'

const DRIZZLE = 'drizzle-orm/pg-core'

/** `schema.ts`: a Drizzle table for the service's entity and for each struct. */
export function schemaFile({ service, authenticated }: ServiceScope): string {
  const file = codeFile('schema.ts')
  const home = table(file, service.entity, authenticated && !service.identity ? ['_owner'] : [])
  const structs = service.structs.map((struct) => table(file, struct, ['_parent']))
  return file.text(join([home, ...structs], '\n\n'))
}

function table(file: CodeFile, entity: Entity, own: readonly string[]): Code {
  const columns = [
    code`id: ${call(file.value(DRIZZLE, 'uuid'), "'id'")}.primaryKey()`,
    ...own.map((name) => code`${name}: ${call(file.value(DRIZZLE, 'uuid'), `'${name}'`)}.notNull()`),
    ...stored(entity).map((attribute) => column(file, attribute)),
  ]
  const documentation = docComment(`Where ${entity.names.declared} is stored.`)
  const values = call(file.value(DRIZZLE, 'pgTable'), `'${entity.table}'`, object(columns))
  return code`${documentation}export const ${tableName(entity)} = ${values}`
}

function column(file: CodeFile, { names, type }: Attribute): Code {
  const name = `'${names.snake}'`
  const drizzle = (kind: string) => call(file.value(DRIZZLE, kind), name)
  const own = (kind: string) => call(file.value('column-types.ts', kind), name)

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
      case 'date':
        return drizzle('date')
      case 'time':
        return drizzle('time')
      case 'datetime':
        return own('datetime')
      case 'data':
        return own('bytes')
      case 'reference':
      case 'sibling':
        return drizzle('uuid')
      default:
        return assertNever(type)
    }
  }
  return hang(`${columnKey(names.declared)}:`, code`${builder()}.notNull()`)
}
