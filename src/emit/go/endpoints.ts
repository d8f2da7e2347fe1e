import { hasBody } from '../../model/custom-endpoints.ts'
import { endpointAttributes } from '../../model/entities.ts'
import type { Attribute, CustomEndpoint } from '../../model/platform.ts'
import { attributeType, defaultExpression, enumOf, reading, valueType } from './attributes.ts'
import { enumReader } from './entity.ts'
import { goFile, type GoFile } from './go-file.ts'
import { block, comment, constants, type Field, func, literal, quoted, struct } from './layout.ts'
import { type EndpointNames, exported } from './names.ts'
import { type EndpointScope, endpointScopesOf, type EntityScope, type ServiceScope } from './scope.ts'

/** `endpoints.go`: the requests, responses and handlers of endpoints. */
export function endpointsFile(scope: ServiceScope): string {
  const file = goFile(scope.module, 'main')
  const platform = file.internal('platform')
  const endpoints = endpointScopesOf(scope.service)
  const fields = endpoints.map(({ endpoint, names }): Field => {
    const result = resultType(file, endpoint, names, scope.entities)
    return {
      ...(endpoint.documentation === '' ? {} : { documentation: endpoint.documentation }),
      name: names.field,
      type: `${platform}.Endpoint[*Env, ${names.request}, ${result}]`,
    }
  })
  const handled = endpoints.map(({ names: { field } }) => [quoted(field), `e.${field}.HasHandler()`] as const)
  return file.text([
    `// Endpoints has the endpoints, whose handlers setup.go registers.\n${struct('Endpoints', fields)}`,
    func({ receiver: 'e *Endpoints', name: 'requireHandlers', parameters: [], result: 'error' }, [
      `return ${platform}.RequireHandlers(${literal('map[string]bool', handled)})`,
    ]),
    ...endpoints.flatMap((own) => endpointParts(file, own)),
  ])
}

/** What the handler of an endpoint returns. */
export function resultType(
  file: GoFile,
  { response }: CustomEndpoint,
  names: EndpointNames,
  entities: readonly EntityScope[],
): string {
  if (response.kind === 'object') return names.response
  const { type } = returnedNames(response.entity, entities)
  return response.kind === 'entity' ? type : `${file.internal('platform')}.PageResult[${type}]`
}

/** The names of the entity that an endpoint returns. */
export function returnedNames(
  entity: EntityScope['entity'],
  entities: readonly EntityScope[],
): EntityScope['names'] {
  const found = entities.find((own) => own.entity === entity)
  if (found === undefined) throw new Error('An endpoint returns entities of its own service')
  return found.names
}

/** The field of an attribute. */
export function fieldOf({ fields }: EndpointNames, { names: { declared } }: Attribute): string {
  return fields.get(declared) ?? exported(declared)
}

function endpointParts(file: GoFile, { endpoint, names }: EndpointScope): string[] {
  const { pathAttributes, requestAttributes, response } = endpoint
  const { declared } = endpoint.names
  const platform = file.internal('platform')
  const responded = response.kind === 'object' ? response.attributes : []
  const isQueried = response.kind === 'list' && !hasBody(endpoint)
  const readMethod = (
    receiver: string,
    name: string,
    attributes: readonly Attribute[],
    isRequest: boolean,
  ) => {
    const [variable] = receiver.split(' ')
    const isPage = name === 'read' && isRequest && isQueried
    return attributes.length === 0
      ? []
      : [
          func({ receiver, name, parameters: [`values *${platform}.Values`] }, [
            ...(isPage ? [`${variable}.PageRequest.Read(values)`] : []),
            ...attributes.map(
              (attribute) =>
                `${variable}.${fieldOf(names, attribute)} = ${reads(file, attribute, names, isRequest)}`,
            ),
          ]),
        ]
  }
  const request = `request *${names.request}`
  return [
    ...enumTypes(file, endpoint, names),
    [
      ...comment(`${names.request} is what a request to ${declared} contains.`),
      struct(names.request, requestFields(file, endpoint, names)),
    ].join('\n'),
    ...readMethod(request, 'readPath', pathAttributes, true),
    ...readMethod(request, 'read', requestAttributes, true),
    ...(response.kind === 'object'
      ? [
          [
            ...comment(`${names.response} is what the handler of ${declared} returns.`),
            struct(names.response, responseFields(file, endpoint, names)),
          ].join('\n'),
        ]
      : []),
    ...readMethod(`response *${names.response}`, 'read', responded, false),
  ]
}

const documented = ({ documentation }: Attribute) => (documentation === '' ? {} : { documentation })

function requestFields(file: GoFile, endpoint: CustomEndpoint, names: EndpointNames): Field[] {
  const { hasId, pathAttributes, requestAttributes, response } = endpoint
  return [
    ...(response.kind === 'list' ? [{ type: `${file.internal('platform')}.PageRequest` }] : []),
    ...(hasId ? [{ name: 'ID', type: `${file.use('github.com/google/uuid')}.UUID` }] : []),
    ...[...pathAttributes, ...requestAttributes].map((attribute) => ({
      ...documented(attribute),
      name: fieldOf(names, attribute),
      type: attributeType(file, attribute, names),
    })),
  ]
}

/** The fields of a response that has attributes of its own. */
export function responseFields(file: GoFile, { response }: CustomEndpoint, names: EndpointNames): Field[] {
  if (response.kind !== 'object') return []
  return response.attributes.map((attribute) => ({
    ...documented(attribute),
    name: fieldOf(names, attribute),
    type: attributeType(file, attribute, names),
    tag: `\`json:"${attribute.names.declared}"\``,
  }))
}

function enumTypes(file: GoFile, endpoint: CustomEndpoint, names: EndpointNames): string[] {
  return endpointEnums(endpoint, names).map(({ type, constants: words, text }) =>
    [text, enumReader(file.internal('platform'), type, words)].join('\n\n'),
  )
}

/** The types of the enums of an endpoint. */
export function endpointEnums(
  endpoint: CustomEndpoint,
  { enums }: EndpointNames,
): { type: string; constants: readonly string[]; text: string }[] {
  return endpointAttributes(endpoint).flatMap(({ names: { declared }, type: kind }) => {
    if (kind.kind !== 'enum') return []
    const own = enumOf(declared, enums)
    const rows = own.constants.map(
      (name, index) => [name, own.type, quoted(kind.values[index] ?? '')] as const,
    )
    const text = `// ${own.type} is a value of \`${declared}\`.\ntype ${own.type} string

// The values of ${own.type}.\n${constants(rows)}`
    return [{ ...own, text }]
  })
}

/** The expression that reads an attribute of a request or a response. */
function reads(file: GoFile, attribute: Attribute, own: EndpointNames, isRequest: boolean): string {
  const { names, type, optional } = attribute
  const given = isRequest ? attribute.default : undefined
  const platform = file.internal('platform')
  const name = quoted(names.declared)
  const read = reading(file, attribute, own.enums, 'values', name)
  if (!optional && given === undefined) return read
  if (type.kind === 'data' && given === undefined)
    return read.replace('values.Data(', `${platform}.OptionalData(values, `)
  const readValue = valueReader(file, attribute, own)
  if (given === undefined) return `${platform}.Optional(values, ${name}, ${readValue})`
  const value = defaultExpression(file, attribute, given, own)
  return `${platform}.${optional ? 'OptionalDefault' : 'Default'}(values, ${name}, ${value}, ${readValue})`
}

/** The function that reads a value which may be missing. */
function valueReader(file: GoFile, attribute: Attribute, own: EndpointNames): string {
  const values = `${file.internal('platform')}.Values`
  if (attribute.type.kind === 'enum') return `read${enumOf(attribute.names.declared, own.enums).type}`
  const read = reading(file, attribute, own.enums, 'v', 'name')
  const [, method] = /^v\.(\w+)\(name\)$/.exec(read) ?? []
  if (method !== undefined) return `(*${values}).${method}`
  return block(`func(v *${values}, name string) ${valueType(file, attribute, own)}`, [`return ${read}`])
}
