import { docComment, withDocumentation } from '../codegen/doc-comments.ts'
import { decimalBounds } from '../../model/decimals.ts'
import {
  type Attribute,
  type AttributeType,
  assertNever,
  type FloatType,
  type StringType,
} from '../../model/platform.ts'
import { documentationWithTransitions } from '../../model/type-description.ts'
import { withArticle } from '../../naming.ts'
import { type CodeFile, codeFile } from '../codegen/code-file.ts'
import { type Code, call, code, hanging, join, list, object } from '../codegen/layout.ts'
import { defaultExpression } from './attributes.ts'
import { querySchema, textSchema } from './list-query.ts'
import { parentKey } from './names.ts'
import type { EntityScope, ServiceScope } from './scope.ts'
import {
  clientAttributes,
  hasOperation,
  hasTimestamps,
  requestAttributes,
  writtenAttributes,
} from '../../model/entities.ts'

const VALUES = '#lib/values.ts'

/** `entities.ts`: the schemas of requests, the types of entities, and what clients may see of them. */
export function entitiesFile(scope: ServiceScope): string {
  const file = codeFile('entities.ts')
  return file.text(
    join(
      scope.entities.map((entity) => entityTypes(file, entity)),
      '\n\n',
    ),
  )
}

/** Whether requests have a body: a create or an update exists. */
export function hasRequestBody({ entity }: EntityScope): boolean {
  return hasOperation(entity, 'create', 'update')
}

function entityTypes(file: CodeFile, entityScope: EntityScope): Code {
  const { entity, names } = entityScope
  const row = `typeof ${file.type('schema.ts', names.variable)}.$inferSelect`
  const stored = entity.hasOwner ? `Omit<${row}, '_owner'>` : row
  const declared = entity.names.declared
  const maintained = [
    ...(entity.version === undefined ? [] : ["'_version'"]),
    ...(hasTimestamps(entity) ? ["'createdAt'", "'updatedAt'"] : []),
  ]
  const written = maintained.length > 0 ? names.create : names.stored
  const changesSome = writtenAttributes(entity).length > 0
  const parts = [
    ...requestSchemas(file, entityScope),
    code`${docComment(withDocumentation(`A stored ${declared}.`, entity.documentation))}export type ${names.stored} = ${stored}`,
    code`/** What a create stores. */
export type ${names.create} = { readonly id: string } & ${{ ...list('Omit<', [names.stored, ["'id'", ...maintained].join(' | ')], '>'), trailing: '' }}`,
    code`/** What an update stores.${changesSome ? ' Attributes that are left out keep their value.' : ''} */
export type ${names.update} = ${lookupType(entityScope)}${changesSome ? ` & Partial<${written}>` : ''}`,
    publicFunction(entityScope),
  ]
  return join(parts, '\n\n')
}

/** The schemas and types of what clients send and ask for. */
export function requestSchemas(file: CodeFile, entityScope: EntityScope): Code[] {
  const { criteria } = entityScope.entity
  return [
    ...(hasRequestBody(entityScope) ? [requestSchema(file, entityScope)] : []),
    ...(criteria === undefined
      ? []
      : [querySchema(file, entityScope, criteria, (type) => typeSchema(file, type))]),
  ]
}

function requestSchema(file: CodeFile, { entity, names }: EntityScope): Code {
  const z = file.value('zod', 'z')
  const members = requestAttributes(entity).map(
    (attribute) =>
      code`${docComment(documentationWithTransitions(attribute))}${hanging(`${attribute.names.declared}:`, schemaOf(file, attribute))}`,
  )
  const client = clientAttributes(entity)
  const keys = client.map(({ names: { declared } }) => `'${declared}'`).join(' | ')
  const declared = withArticle(entity.names.declared)
  const request = code`/** What a client sends to create or update ${declared}. */
export const ${names.request} = ${call(`${z}.object`, object(members))}
export type ${names.request} = ${z}.infer<typeof ${names.request}>`
  if (client.length === 0 || !hasOperation(entity, 'update')) return request
  return code`${request}

/** What an update of ${declared} results in. It may lack what is not stored. */
export type ${names.updateRequest} = ${hanging(`Omit<${names.request}, ${keys}> &`, `Partial<Pick<${names.request}, ${keys}>>`)}`
}

/**
 * The schema of an attribute's values, with what a missing one and `null` become.
 *
 * @param isText whether the values are text, as in a query
 */
export function schemaOf(
  file: CodeFile,
  { optional, default: given, type }: Attribute,
  isText = false,
): Code {
  const schema = isText ? textSchema(file, type, typeSchema(file, type)) : typeSchema(file, type)
  const expression = given && defaultExpression(type, given)
  const value = given?.kind === 'now' ? `() => ${expression}` : expression
  if (optional) return code`${schema}.nullable().default(${value ?? 'null'})`
  return value === undefined ? schema : call(file.value(VALUES, 'withDefault'), schema, value)
}

function typeSchema(file: CodeFile, type: AttributeType): Code {
  const value = (name: string) => file.value(VALUES, name)
  switch (type.kind) {
    case 'bool':
      return value('boolean')
    case 'string':
      return withBounds(value('text'), textBounds(type))
    case 'int':
      return withBounds(value('integer'), { min: type.jsonMin, max: type.jsonMax })
    case 'float':
      return withBounds(value(type.column === 'real' ? 'real' : 'double'), floatBounds(type))
    case 'decimal': {
      const bounds = Object.entries(decimalBounds(type)).map(([name, bound]) => `${name}: '${bound}'`)
      return `${file.value('#lib/decimal.ts', 'decimal')}({ ${[`scale: ${type.scale}`, ...bounds].join(', ')} })`
    }
    case 'date':
      return file.value('#lib/dates.ts', type.kind)
    case 'time':
    case 'datetime':
      return file.value('#lib/times.ts', type.kind)
    case 'data':
      return withBounds(value('base64'), { max: type.maxSize })
    case 'enum':
      return call(value('oneOf'), ...type.values.map((each) => `'${each}'`))
    case 'reference':
    case 'sibling':
      return value('uuid')
    default:
      return assertNever(type)
  }
}

type Bounds = Readonly<Record<string, number | undefined>>

const textBounds = ({ minLength, maxLength }: StringType): Bounds => ({
  min: minLength === 0 ? undefined : minLength,
  max: maxLength,
})

const floatBounds = ({ min, max }: FloatType): Bounds => ({ min, max })

function withBounds(schema: string, bounds: Bounds): Code {
  const members = Object.entries(bounds).flatMap(([name, bound]) =>
    bound === undefined ? [] : [`${name}: ${numericLiteral(bound)}`],
  )
  return members.length === 0 ? `${schema}()` : `${schema}({ ${members.join(', ')} })`
}

/** A number as it is written in code, with a separator after every three digits. */
export function numericLiteral(value: number): string {
  const text = String(value)
  return /^-?\d{5,}$/.test(text) ? text.replaceAll(/\B(?=(\d{3})+$)/g, '_') : text
}

function publicFunction({ entity, names }: EntityScope): Code {
  const { variable } = names
  const members = entity.attributes
    .filter(({ inResponse }) => inResponse)
    .map(({ names: { declared }, type, optional }) => {
      const value = `${variable}.${declared}`
      const base64 = optional ? `${value}?.toString('base64') ?? null` : `${value}.toString('base64')`
      return hanging(`${declared}:`, type.kind === 'data' ? base64 : value)
    })
  const id = `id: ${variable}.id`
  return code`/** What clients see of ${withArticle(entity.names.declared)}. */
export const ${names.toPublic} = (${variable}: ${names.stored}) => (${object([id, ...members])})
export type ${names.public} = ReturnType<typeof ${names.toPublic}>`
}

/** The type of what identifies an entity. */
export function lookupType({ struct }: EntityScope): string {
  return struct === undefined ? '{ id: string }' : `{ id: string; ${parentKey(struct)}: string }`
}
