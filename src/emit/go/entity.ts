import { filterParameters, type FilterParameter } from '../../model/criteria.ts'
import {
  changesWithEachUpdate,
  clientAttributes,
  hasOperation,
  requestAttributes,
  storedAttributes,
  writtenAttributes,
} from '../../model/entities.ts'
import type { Attribute, Criteria, Entity, Transitions } from '../../model/platform.ts'
import { transitionsNote } from '../../model/type-description.ts'
import { withArticle } from '../../naming.ts'
import { attributeType, defaultExpression, enumOf, reader, reading, valueType } from './attributes.ts'
import { goFile, type GoFile } from './go-file.ts'
import { call, comment, constants, type Field, func, literal, quoted, struct } from './layout.ts'
import { exported, uniqueNames } from './names.ts'
import type { EntityScope, ServiceScope } from './scope.ts'

/** `<entity>.go`: what clients send and see of an entity, and what is stored. */
export function entityFile({ module }: ServiceScope, own: EntityScope): string {
  const file = goFile(module, 'main')
  const { entity } = own
  return file.text([
    ...enumTypes(file, own),
    ...readers(file, own),
    ...(hasRequest(own) ? requestParts(file, own) : []),
    ...(entity.criteria === undefined ? pageParts(file, own) : queryParts(file, own, entity.criteria)),
    entityType(file, own),
    idType(file, own),
    updateType(file, own),
  ])
}

/** Whether requests have a body: a create or an update exists. */
export function hasRequest({ entity }: EntityScope): boolean {
  return hasOperation(entity, 'create', 'update')
}

/** The types of enums, with what reads those that requests contain. */
function enumTypes(file: GoFile, scope: EntityScope): string[] {
  const { attributes, criteria } = scope.entity
  return attributes.flatMap((attribute) => {
    const { names, type, inRequest } = attribute
    if (type.kind !== 'enum') return []
    const { type: name, constants: words } = enumOf(names.declared, scope.names.enums)
    const { transitions } = type
    const text = `${name} is a value of \`${names.declared}\`.${transitions === undefined ? '' : `\n\n${transitionsNote(transitions)}`}`
    const isRead =
      (inRequest && hasRequest(scope)) ||
      [criteria?.filter, criteria?.sort].some((criterion) => criterion?.includes(attribute))
    return [
      `${comment(text).join('\n')}\ntype ${name} string`,
      `// The values of ${name}.\n${constants(
        words.map((word, index) => [word, name, quoted(type.values[index] ?? '')]),
      )}`,
      ...(transitions === undefined ? [] : [nextMethod(name, words, transitions)]),
      ...(isRead ? [enumReader(file.internal('platform'), name, words)] : []),
    ]
  })
}

/** The method that returns what a value can become. */
function nextMethod(type: string, words: readonly string[], { next }: Transitions): string {
  const wordOf = new Map(next.map(([value], index) => [value, words[index] ?? '']))
  const cases = next
    .filter(([, to]) => to.length > 0)
    .map(
      ([from, to]) =>
        `case ${wordOf.get(from)}:\n\treturn []${type}{${to.map((value) => wordOf.get(value)).join(', ')}}`,
    )
  const head = { receiver: `v ${type}`, name: 'next', parameters: [], result: `[]${type}` }
  const lines = cases.length === 0 ? [] : ['switch v {', ...cases.flatMap((each) => each.split('\n')), '}']
  return `// next returns what the value can become.\n${func(head, [...lines, 'return nil'])}`
}

/** The function that reads a value of an enum. */
export function enumReader(platform: string, name: string, words: readonly string[]): string {
  return func({ name: `read${name}`, parameters: [`v *${platform}.Values`, 'name string'], result: name }, [
    `return ${platform}.OneOf(v, name, ${words.join(', ')})`,
  ])
}

function documented(attribute: Attribute): { documentation?: string } {
  return attribute.documentation === '' ? {} : { documentation: attribute.documentation }
}

const fieldOf = ({ names }: EntityScope, attribute: Attribute) =>
  names.fields.get(attribute.names.declared) ?? exported(attribute.names.declared)

/** The fields of what clients send. */
export function requestFields(file: GoFile, own: EntityScope): Field[] {
  return requestAttributes(own.entity).map((attribute) => ({
    ...documented(attribute),
    name: fieldOf(own, attribute),
    type: attributeType(file, attribute, own.names),
  }))
}

function requestParts(file: GoFile, own: EntityScope): string[] {
  const { entity, names } = own
  const one = withArticle(entity.names.declared)
  const client = new Set(clientAttributes(entity))
  const requests =
    hasOperation(entity, 'create') || client.size === 0
      ? [
          [
            `// ${names.request} is what a client sends to create or update ${one}.`,
            struct(names.request, requestFields(file, own)),
          ].join('\n'),
          readFunction(file, own, names.request, (attribute) => requestValue(file, attribute, own)),
        ]
      : []
  if (!hasOperation(entity, 'update')) return requests
  if (client.size > 0)
    requests.push(
      [
        `// ${names.updateRequest} is what an update of ${one} results in. What is not stored is nil unless it is sent.`,
        struct(names.updateRequest, updateRequestFields(file, own)),
      ].join('\n'),
      readFunction(file, own, names.updateRequest, (attribute) => {
        const value = requestValue(file, attribute, own)
        if (!client.has(attribute) || attribute.optional) return value
        return `${file.internal('platform')}.Sent(body, ${quoted(attribute.names.declared)}, ${value})`
      }),
    )
  return [...requests, completeMethod(file, own), changesMethod(file, own)]
}

/** The function that reads a request from a body. */
function readFunction(
  file: GoFile,
  { entity, ...own }: EntityScope,
  type: string,
  valueOf: (attribute: Attribute) => string,
): string {
  const attributes = requestAttributes(entity)
  const body = attributes.length === 0 ? '_' : 'body'
  const head = {
    name: `read${type}`,
    parameters: [`${body} *${file.internal('platform')}.Values`],
    result: type,
  }
  const entries = attributes.map(
    (attribute) => [fieldOf({ entity, ...own }, attribute), valueOf(attribute)] as const,
  )
  return func(head, [`return ${literal(type, entries)}`])
}

function updateRequestFields(file: GoFile, own: EntityScope): Field[] {
  const client = new Set(clientAttributes(own.entity).map((attribute) => fieldOf(own, attribute)))
  return requestFields(file, own).map((field) =>
    client.has(field.name ?? '') && !field.type.startsWith('*')
      ? { ...field, type: `*${field.type}` }
      : field,
  )
}

/** The method that makes the request of a patch complete. */
function completeMethod(file: GoFile, own: EntityScope): string {
  const platform = file.internal('platform')
  const lines = storedRequestAttributes(own).map((attribute) => {
    const field = fieldOf(own, attribute)
    return `${platform}.Keep(body, ${quoted(attribute.names.declared)}, &request.${field}, stored.${field})`
  })
  const unused = lines.length === 0 ? '_' : undefined
  const head = {
    receiver: `${unused === undefined ? 'request ' : ''}*${own.names.updateRequest}`,
    name: 'complete',
    parameters: [`${unused ?? 'body'} *${platform}.Values`, `${unused ?? 'stored'} *${own.names.type}`],
  }
  return `// complete sets what a patch does not send to what is stored.\n${func(head, lines)}`
}

/** The method that returns what an update stores of a request. */
function changesMethod(file: GoFile, own: EntityScope): string {
  const { names } = own
  const platform = file.internal('platform')
  const entries = storedRequestAttributes(own).map((attribute) => {
    const field = fieldOf(own, attribute)
    const kind = attribute.optional ? (attribute.type.kind === 'data' ? 'SentData' : 'SentMaybe') : 'Sent'
    return [
      field,
      `${platform}.${kind}(body, ${quoted(attribute.names.declared)}, request.${field})`,
    ] as const
  })
  const isEmpty = entries.length === 0
  return `// changes returns what an update stores: what the body has.\n${func(
    {
      receiver: `${isEmpty ? '' : 'request '}${names.updateRequest}`,
      name: 'changes',
      parameters: [`id ${names.id}`, `${isEmpty ? '_' : 'body'} *${platform}.Values`],
      result: names.update,
    },
    [`return ${literal(names.update, [[names.id, 'id'], ...entries])}`],
  )}`
}

/** The attributes that clients send and that are stored. */
const storedRequestAttributes = ({ entity }: EntityScope) =>
  requestAttributes(entity).filter(({ stored }) => stored)

/** The expression that reads an attribute from a body. */
function requestValue(file: GoFile, attribute: Attribute, own: EntityScope): string {
  const platform = file.internal('platform')
  const name = quoted(attribute.names.declared)
  const read = reading(file, attribute, own.names.enums, 'body', name)
  const { optional, default: given, type } = attribute
  if (!optional && given === undefined) return read
  if (type.kind === 'data' && given === undefined)
    return read.replace('body.Data(', `${platform}.OptionalData(body, `)
  const { name: readValue } = reader(file, attribute, own.names)
  if (given === undefined) return `${platform}.Optional(body, ${name}, ${readValue})`
  const value = defaultExpression(file, attribute, given, own.names)
  return `${platform}.${optional ? 'OptionalDefault' : 'Default'}(body, ${name}, ${value}, ${readValue})`
}

/** The functions that read values of attributes which may be missing, and of filters. */
function readers(file: GoFile, own: EntityScope): string[] {
  const { attributes, criteria } = own.entity
  return attributes.flatMap((attribute) => {
    const { optional, default: given, inRequest, type } = attribute
    const mayBeMissing =
      hasRequest(own) && inRequest && (optional || given !== undefined) && type.kind !== 'data'
    if (!mayBeMissing && criteria?.filter.includes(attribute) !== true) return []
    const { declaration } = reader(file, attribute, own.names)
    return declaration === undefined ? [] : [declaration]
  })
}

/** The type of a part of a struct's list; none for a service, whose lists have pages of the platform. */
function pageParts(file: GoFile, { names, struct: isStruct }: EntityScope): string[] {
  if (isStruct === undefined) return []
  const fields = [
    { type: `${file.internal('platform')}.Page` },
    { name: 'ParentID', type: `${file.use('github.com/google/uuid')}.UUID` },
  ]
  return [`// ${names.query} is a part of the list of a parent.\n${struct(names.query, fields)}`]
}

/** A filter with the field of its value. */
export interface FilterField {
  readonly parameter: FilterParameter
  readonly field: string
}

/** The fields of the filters of a list. */
export function filterFields(criteria: Criteria, { names }: EntityScope): FilterField[] {
  const unique = uniqueNames(
    ['ListQuery', 'ParentID', 'IDIn', 'Limit', 'After', 'Sort', 'Total', 'Parameters'],
    'Filter',
  )
  const suffixes = { eq: '', in: 'In', gt: 'Above', gte: 'From', lt: 'Below', lte: 'To' }
  return filterParameters(criteria).map((parameter) => {
    const { declared } = parameter.attribute.names
    const field = names.fields.get(declared) ?? exported(declared)
    return { parameter, field: unique(`${field}${suffixes[parameter.operator]}`) }
  })
}

/** The type of a filter's field. */
export function filterType(
  file: GoFile,
  { parameter: { attribute, operator } }: FilterField,
  own: EntityScope,
): string {
  const type = valueType(file, attribute, own.names)
  if (operator === 'in') return `[]${type}`
  return operator === 'eq' && attribute.optional ? `${file.internal('platform')}.Maybe[${type}]` : `*${type}`
}

function queryParts(file: GoFile, own: EntityScope, criteria: Criteria): string[] {
  const { entity, names } = own
  const platform = file.internal('platform')
  const filters = filterFields(criteria, own)
  const fields: Field[] = [
    { type: `${platform}.ListQuery` },
    ...(own.struct === undefined
      ? []
      : [{ name: 'ParentID', type: `${file.use('github.com/google/uuid')}.UUID` }]),
    ...filters.map((filter) => ({ name: filter.field, type: filterType(file, filter, own) })),
  ]
  const sorts = criteria.sort.flatMap(({ names: { declared } }) => [declared, `-${declared}`])
  const entries = filters.map((filter) => [filter.field, filterValue(file, filter, own)] as const)
  return [
    `// ${names.query} has the query parameters of a list of ${entity.names.declared}.\n${struct(names.query, fields)}`,
    func(
      {
        name: `read${names.query}`,
        parameters: [`r *${file.use('net/http')}.Request`],
        result: `(${names.query}, error)`,
      },
      [
        `list, values := ${call(`${platform}.ReadQuery`, ['r', ...sorts.map(quoted)])}`,
        `query := ${literal(names.query, [['ListQuery', 'list'], ...entries])}`,
        'return query, values.QueryErr(r)',
      ],
    ),
  ]
}

function filterValue(file: GoFile, { parameter }: FilterField, own: EntityScope): string {
  const { attribute, operator, name } = parameter
  const kind =
    operator === 'in' ? 'ListOf' : operator === 'eq' && attribute.optional ? 'MaybeNull' : 'Optional'
  return `${file.internal('platform')}.${kind}(values, ${quoted(name)}, ${reader(file, attribute, own.names).name})`
}

function entityType(file: GoFile, own: EntityScope): string {
  const { entity, names } = own
  const uuid = `${file.use('github.com/google/uuid')}.UUID`
  const fields: Field[] = [
    { name: 'ID', type: uuid, tag: '`json:"id"`' },
    ...(own.struct === undefined ? [] : [{ name: 'ParentID', type: uuid, tag: '`json:"-"`' }]),
    ...(entity.version === undefined
      ? []
      : [{ documentation: 'Counts the changes.', name: 'Version', type: 'int64', tag: '`json:"-"`' }]),
    ...storedAttributes(entity).map((attribute) => ({
      ...documented(attribute),
      name: fieldOf(own, attribute),
      type: attributeType(file, attribute, names),
      tag: attribute.inResponse ? `\`json:"${attribute.names.declared}"\`` : '`json:"-"`',
    })),
  ]
  const text = [`${names.type} is a stored ${entity.names.declared}. Its JSON is what clients see.`]
  if (entity.documentation !== '') text.push('', entity.documentation)
  return [...comment(text.join('\n')), struct(names.type, fields)].join('\n')
}

function idType(file: GoFile, { names, struct: isStruct, entity }: EntityScope): string {
  const uuid = `${file.use('github.com/google/uuid')}.UUID`
  const fields = [
    { name: 'ID', type: uuid },
    ...(isStruct === undefined ? [] : [{ name: 'ParentID', type: uuid }]),
  ]
  return `// ${names.id} identifies ${withArticle(entity.names.declared)}.\n${struct(names.id, fields)}`
}

function updateType(file: GoFile, own: EntityScope): string {
  const { entity, names } = own
  const fields = writtenAttributes(entity).map((attribute): Field => {
    const type = valueType(file, attribute, names)
    const changed = attribute.optional ? `${file.internal('platform')}.Maybe[${type}]` : `*${type}`
    return { ...documented(attribute), name: fieldOf(own, attribute), type: changed }
  })
  const text = `${names.update} is what an update stores.${fields.length === 0 ? '' : ' What is nil, or absent, keeps its value.'}`
  return `// ${text}\n${struct(names.update, [{ type: names.id }, ...fields])}`
}

/** The expression that tells whether an update changes nothing. `key` is the expression of its id. */
export function changesNothing({ id, update }: EntityScope['names'], input: string, key: string): string {
  return `${input} == (${update}{${id}: ${key}})`
}

/** Whether an update that changes nothing only reads, because a statement would change the entity. */
export function onlyReadsWithoutChanges(entity: Entity): boolean {
  return changesWithEachUpdate(entity) && writtenAttributes(entity).length > 0
}
