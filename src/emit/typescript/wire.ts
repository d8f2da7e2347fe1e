import {
  type Attribute,
  assertNever,
  type Entity,
  type FloatType,
  type Service,
} from '../../model/platform.ts'
import { type CodeFile, codeFile } from '../kit/code-file.ts'
import { type Code, call, code, hang, join, list, object } from '../kit/layout.ts'
import { isPresented, requested, stored } from './attributes.ts'
import { type EntityTypes, entityTypes } from './names.ts'

/** `wire/<entity>.ts`: what clients send and what they are answered. `undefined` where there is neither. */
export function wireFile(service: Service, entity: Entity): string | undefined {
  const types = entityTypes(service).get(entity)
  if (types === undefined) return undefined
  const file = codeFile(`wire/${entity.names.kebab}.ts`)
  const parts = [
    ...(isSent(entity) && requested(entity).length > 0 ? [parser(file, entity, types)] : []),
    ...(isPresented(entity) ? [presenter(file, entity, types)] : []),
  ]
  return parts.length === 0 ? undefined : file.text(join(parts, '\n\n'))
}

/** Whether clients send it: there is a create or an update. */
export function isSent(entity: Entity): boolean {
  return entity.endpoints.some(({ operation }) => operation === 'create' || operation === 'update')
}

function parser(file: CodeFile, entity: Entity, types: EntityTypes): Code {
  const attributes = requested(entity)
  const names = attributes.map(({ names: { declared } }) => `'${declared}'`)
  const signature = list('export function parse(', [`body: ${file.type('json.ts', 'JsonObject')}`], ')')
  const result = object(attributes.map((attribute) => reader(file, attribute)))
  return code`/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
${signature}: ${file.type('entities.ts', types.request)} {
  ${call(file.value('body.ts', 'requireAttributes'), 'body', list('[', names, ']'))}
  return ${result}
}`
}

function reader(file: CodeFile, attribute: Attribute): Code {
  const { names, type } = attribute
  const read = (source: string, name: string, ...bounds: readonly (string | undefined)[]) => {
    // Bounds at the end that the definition leaves open are the reader's defaults.
    const end = bounds.findLastIndex((bound) => bound !== undefined) + 1
    const values = bounds.slice(0, end).map((bound) => bound ?? 'undefined')
    return hang(
      `${names.declared}:`,
      call(file.value(`values/${source}.ts`, name), 'body', `'${names.declared}'`, ...values),
    )
  }
  switch (type.kind) {
    case 'bool':
      return read('bool', 'readBool')
    case 'string': {
      const { minLength, maxLength } = type
      const open = minLength === 0 && maxLength === undefined
      return read('string', 'readString', open ? undefined : `${minLength}`, maxLength?.toString())
    }
    case 'int':
      return read('int', 'readInt', `${type.jsonMin}`, `${type.jsonMax}`)
    case 'float':
      return read('float', floatReader(type), literal(type.min), literal(type.max))
    case 'date':
      return read('date', 'readDate')
    case 'time':
      return read('time', 'readTime')
    case 'datetime':
      return read('datetime', 'readDatetime')
    case 'data':
      return read('data', 'readData', type.maxSize?.toString())
    case 'reference':
    case 'sibling':
      return read('uuid', 'readUuid')
    default:
      return assertNever(type)
  }
}

function floatReader({ column }: FloatType): string {
  return column === 'real' ? 'readReal' : 'readDouble'
}

/** As TypeScript writes it; `-0` is `0`. */
function literal(bound: number | undefined): string | undefined {
  return bound === undefined ? undefined : String(bound).replace('e+', 'e')
}

function presenter(file: CodeFile, entity: Entity, types: EntityTypes): Code {
  const members = stored(entity)
    .filter(({ answered }) => answered)
    .map(({ names: { declared }, type }) =>
      hang(
        `${declared}:`,
        type.kind === 'data'
          ? call(file.value('values/data.ts', 'base64'), `entity.${declared}`)
          : `entity.${declared}`,
      ),
    )
  const stands = file.type('entities.ts', types.stored)
  return code`/** What clients see of it. */
${list('export function present(', [`entity: ${stands}`], ')')}: unknown {
  return ${object(['id: entity.id', ...members])}
}`
}
