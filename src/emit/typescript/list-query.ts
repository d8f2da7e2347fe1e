import { hasBounds } from '../../model/criteria.ts'
import type { Attribute, AttributeType, Criteria } from '../../model/platform.ts'
import type { CodeFile } from '../codegen/code-file.ts'
import { type Code, call, code, object } from '../codegen/layout.ts'
import type { EntityScope } from './scope.ts'

const FILTERS = '#lib/filters.ts'

/** The type of the parameters of a list. */
export function queryType(file: CodeFile, { entity, names }: EntityScope): string {
  return entity.criteria === undefined
    ? file.type('#lib/queries.ts', 'Page')
    : file.type('entities.ts', names.query)
}

/** The schema of what clients can ask of a list. `schemaOf` returns the schema of a value in a body. */
export function querySchema(
  file: CodeFile,
  { entity, names }: EntityScope,
  criteria: Criteria,
  schemaOf: (type: AttributeType) => Code,
): Code {
  const z = file.value('zod', 'z')
  const sort = criteria.sort.map(({ names: { declared } }) => `'${declared}'`)
  const members = [
    `...${file.value(FILTERS, 'pageParameters')}`,
    ...(sort.length === 0 ? [] : [call(`sort: ${file.value(FILTERS, 'sortBy')}`, ...sort)]),
    ...criteria.filter.map((attribute) => filter(file, attribute, schemaOf(attribute.type))),
  ]
  return code`/** The query parameters of a list of ${entity.names.declared}. */
export const ${names.query} = ${call(`${z}.object`, object(members))}
export type ${names.query} = ${z}.infer<typeof ${names.query}>`
}

/** The schema of values that are text, from that of values in JSON. */
export function textSchema(file: CodeFile, { kind }: AttributeType, schema: Code): Code {
  const isJson = kind === 'bool' || kind === 'int' || kind === 'float'
  return isJson ? call(file.value(FILTERS, 'fromText'), schema) : schema
}

function filter(file: CodeFile, { names, type, optional }: Attribute, schema: Code): Code {
  const value = textSchema(file, type, schema)
  const kind = file.value(FILTERS, hasBounds(type) ? 'comparison' : 'equality')
  const one = optional ? [call(file.value(FILTERS, 'orNull'), value)] : []
  return call(`...${kind}`, `'${names.declared}'`, value, ...one)
}
