import { decimalBounds, decimalText } from '../../model/decimals.ts'
import { type Attribute, type AttributeType, assertNever, type DefaultValue } from '../../model/platform.ts'
import type { GoFile } from './go-file.ts'
import { func, quoted } from './layout.ts'
import type { EntityNames, EnumNames } from './names.ts'

/** The type of an attribute's values, none of which is nil. */
export function valueType(
  file: GoFile,
  { names, type }: Attribute,
  { enums }: Pick<EntityNames, 'enums'>,
): string {
  switch (type.kind) {
    case 'bool':
      return 'bool'
    case 'string':
      return 'string'
    case 'int':
      return 'int'
    case 'float':
      return type.column === 'real' ? 'float32' : 'float64'
    case 'decimal':
      return `${file.internal('platform')}.Decimal`
    case 'date':
      return `${file.internal('platform')}.Date`
    case 'time':
      return `${file.internal('platform')}.TimeOfDay`
    case 'datetime':
      return `${file.use('time')}.Time`
    case 'data':
      return '[]byte'
    case 'enum':
      return enumOf(names.declared, enums).type
    case 'reference':
    case 'sibling':
      return `${file.use('github.com/google/uuid')}.UUID`
    default:
      return assertNever(type)
  }
}

/** The type of an attribute, with nil for optional ones without a value. */
export function attributeType(file: GoFile, attribute: Attribute, names: Pick<EntityNames, 'enums'>): string {
  const type = valueType(file, attribute, names)
  return attribute.optional && attribute.type.kind !== 'data' ? `*${type}` : type
}

/** The names of an attribute's enum. */
export function enumOf(declared: string, enums: ReadonlyMap<string, EnumNames>): EnumNames {
  const names = enums.get(declared)
  if (names === undefined) throw new Error(`${declared} is not an enum`)
  return names
}

/** The function that reads a value, and its declaration if it is not that of the platform. */
export function reader(
  file: GoFile,
  attribute: Attribute,
  own: EntityNames,
): { name: string; declaration?: string } {
  const { names, type } = attribute
  if (type.kind === 'enum') return { name: `read${enumOf(names.declared, own.enums).type}` }
  const values = `${file.internal('platform')}.Values`
  const expression = reading(file, attribute, own.enums, 'v', 'name')
  const [, method = '', bounds = ''] = /^v\.(\w+)\(name(.*)\)$/.exec(expression) ?? []
  if (bounds === '') return { name: `(*${values}).${method}` }
  const field = own.fields.get(names.declared) ?? ''
  const isTaken = [own.request, own.query].includes(`${own.type}${field}`)
  const name = `read${own.type}${field}${isTaken ? 'Value' : ''}`
  const head = { name, parameters: [`v *${values}`, 'name string'], result: valueType(file, attribute, own) }
  return { name, declaration: func(head, [`return ${expression}`]) }
}

/** The expression that reads a value. `values` and `name` are expressions of what it is read from. */
export function reading(
  file: GoFile,
  { names, type }: Attribute,
  enums: ReadonlyMap<string, EnumNames>,
  values: string,
  name: string,
): string {
  const read = (method: string, ...bounds: readonly string[]) =>
    `${values}.${method}(${[name, ...bounds].join(', ')})`
  switch (type.kind) {
    case 'bool':
      return read('Bool')
    case 'string':
      return read('Text', String(type.minLength), atMost(file, type.maxLength))
    case 'int':
      return read('Int', grouped(type.jsonMin), grouped(type.jsonMax))
    case 'float':
      return read(
        type.column === 'real' ? 'Real' : 'Float',
        floatBound(file, type.min, -1),
        floatBound(file, type.max, 1),
      )
    case 'decimal': {
      const { min = '', max = '' } = decimalBounds(type)
      return read('Decimal', String(type.scale), `"${min}"`, `"${max}"`)
    }
    case 'date':
      return read('Date')
    case 'time':
      return read('Time')
    case 'datetime':
      return read('Datetime')
    case 'data':
      return read('Data', atMost(file, type.maxSize))
    case 'enum':
      return `read${enumOf(names.declared, enums).type}(${values}, ${name})`
    case 'reference':
    case 'sibling':
      return read('ID')
    default:
      return assertNever(type)
  }
}

function atMost(file: GoFile, bound: number | undefined): string {
  return bound === undefined ? `${file.use('math')}.MaxInt` : grouped(bound)
}

function floatBound(file: GoFile, bound: number | undefined, sign: 1 | -1): string {
  return bound === undefined ? `${file.use('math')}.Inf(${sign})` : String(bound)
}

/** An integer with a separator after every three digits. */
export function grouped(value: number): string {
  const text = String(value)
  return /^-?\d{5,}$/.test(text) ? text.replaceAll(/\B(?=(\d{3})+$)/g, '_') : text
}

/** The functions that return the time of a request. */
const NOW: Readonly<Partial<Record<AttributeType['kind'], string>>> = {
  date: 'Today',
  time: 'TimeNow',
  datetime: 'Now',
}

/** The expression of an attribute's default. */
export function defaultExpression(
  file: GoFile,
  { names, type }: Attribute,
  given: DefaultValue,
  own: Pick<EntityNames, 'enums'>,
): string {
  if (given.kind === 'now') {
    return `${file.internal('platform')}.${NOW[type.kind] ?? ''}()`
  }
  const { value } = given
  if (typeof value !== 'string') return String(value)
  if (type.kind !== 'enum') return quoted(value)
  return enumOf(names.declared, own.enums).constants[type.values.indexOf(value)] ?? ''
}

/** The value that an attribute which clients do not send has until a hook sets it; `undefined` if it is Go's zero. */
export function initialValue(file: GoFile, attribute: Attribute, own: EntityNames): string | undefined {
  const { names, type, optional, default: given } = attribute
  if (given !== undefined) {
    const value = defaultExpression(file, attribute, given, own)
    return optional && type.kind !== 'data' ? pointerTo(file, attribute, value, own) : value
  }
  if (optional) return undefined
  return zeroOf(type, own.enums.get(names.declared))
}

/** A pointer to a value. */
export function pointerTo(file: GoFile, attribute: Attribute, value: string, own: EntityNames): string {
  return `new(${valueType(file, attribute, own)}(${value}))`
}

/** The zero value of a type, if it differs from Go's. */
function zeroOf(type: AttributeType, names: EnumNames | undefined): string | undefined {
  if (type.kind === 'decimal') return `"${decimalText(0n, type.scale)}"`
  if (type.kind === 'data') return '[]byte{}'
  return type.kind === 'enum' ? names?.constants[0] : undefined
}
