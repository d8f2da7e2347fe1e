import {
  bindTypeArguments,
  decimalArgument,
  floatArgument,
  integerArgument,
} from '../language/argument-binding.ts'
import { documentationOf } from '../language/documentation.ts'
import { enumValues, initialValue, transitionsOf } from '../language/enum-values.ts'
import { formerNameOf, formerValuesOf } from '../language/former-name.ts'
import type {
  Attribute as AttributeNode,
  Default,
  Entity,
  PrimitiveType,
  Service,
  Type,
} from '../language/generated/ast.ts'
import {
  DEFAULT_FLOAT_PRECISION,
  DEFAULT_INT_PRECISION,
  DEFAULT_SCALE,
  TIMESTAMPS,
} from '../language/builtins.ts'
import { parseStringLiteral } from '../language/string-literal.ts'
import { decimalText } from './decimals.ts'
import { columnName, MAX_NAME_BYTES, namesOf } from '../naming.ts'
import { type Decimal, parseDecimal, parseFloatingPoint, parseInteger } from '../language/numbers.ts'
import { sha256 } from '../sha256.ts'
import type {
  Attribute,
  AttributeType,
  DefaultValue,
  EnumType,
  FloatType,
  IntType,
  ServiceTarget,
  Transitions,
  Visibility,
} from './platform.ts'

/** Services in the form in which others refer to them. */
export type ServiceTargets = ReadonlyMap<Service, ServiceTarget>

/** Resolves an attribute of a checked definition. `service` contains it, directly or in a struct. */
export function resolveAttribute(node: AttributeNode, service: Service, targets: ServiceTargets): Attribute {
  const annotations = new Set(node.annotations.map((annotation) => annotation.name))
  const visibility =
    (['server', 'serverSet', 'client'] as const).find((name) => annotations.has(name)) ?? 'public'
  const resolved = resolveType(node.type, service, targets)
  const transitions = resolved.kind === 'enum' ? resolveTransitions(node, resolved) : undefined
  const type = transitions === undefined ? resolved : { ...resolved, transitions }
  const given = transitions
    ? ({ kind: 'value', value: transitions.initial } as const)
    : node.default && resolveDefault(node.default, type)
  return {
    ...namesAndFormerOnes(node, type),
    documentation: documentationOf(node),
    type,
    visibility,
    unique: annotations.has('unique'),
    optional: node.optional,
    default: given,
    ...USE[visibility],
    required: USE[visibility].inRequest && !node.optional && given === undefined,
  }
}

function resolveTransitions(node: AttributeNode, { values }: EnumType): Transitions | undefined {
  const next = transitionsOf(node)
  return (
    next && {
      initial: initialValue(node) ?? values[0],
      next: values.map((value) => [value, [...new Set(next.get(value))]]),
    }
  )
}

/** The names of an attribute, its former ones, and those of its values. */
function namesAndFormerOnes(
  node: AttributeNode,
  { kind }: AttributeType,
): Pick<Attribute, 'names' | 'was' | 'formerValues'> {
  const names = { ...namesOf(node.name), snake: columnName(node.name) }
  const formerName = formerNameOf(node)
  const was = formerName && columnName(formerName)
  const formerValues =
    kind === 'enum' ? [...formerValuesOf(node)].toSorted(([a], [b]) => (a < b ? -1 : 1)) : []
  if (formerValues.length === 0) return { names, was }
  return {
    names: { ...names, snake: columnOfValues(names.snake, formerValues) },
    was: was ?? names.snake,
    formerValues,
  }
}

const DIGEST_LENGTH = 8

/**
 * The column of an `enum` with renamed values. The previous code has the former values in the usual column, so that both
 * work side by side. No attribute has a column that begins with `_`.
 */
function columnOfValues(column: string, formerValues: NonNullable<Attribute['formerValues']>): string {
  const digest = sha256(JSON.stringify([column, formerValues]))
  return `_${column.slice(0, MAX_NAME_BYTES - DIGEST_LENGTH - 2)}_${digest.slice(0, DIGEST_LENGTH)}`
}

const USE: Readonly<Record<Visibility, Pick<Attribute, 'inRequest' | 'inResponse' | 'stored'>>> = {
  public: { inRequest: true, inResponse: true, stored: true },
  serverSet: { inRequest: false, inResponse: true, stored: true },
  client: { inRequest: true, inResponse: false, stored: false },
  server: { inRequest: false, inResponse: false, stored: true },
  timestamp: { inRequest: false, inResponse: true, stored: true },
}

/** What `#timestamps` adds after the attributes of an entity. Their columns begin with `_`, which no attribute can. */
export const TIMESTAMP_ATTRIBUTES: readonly Attribute[] = TIMESTAMPS.map((name) => {
  const names = namesOf(name)
  return {
    names: { ...names, snake: `_${names.snake}` },
    was: undefined,
    documentation: name === 'createdAt' ? 'When it was created.' : 'When it was last changed.',
    type: { kind: 'datetime' },
    visibility: 'timestamp',
    unique: false,
    optional: false,
    default: undefined,
    required: false,
    ...USE.timestamp,
  }
})

function wordOf(node: Default): string {
  if (node.$type === 'WordValue') return node.word
  return node.$type === 'NumberValue' ? node.text : node.literal
}

function resolveDefault(node: Default, type: AttributeType): DefaultValue {
  if (type.kind === 'enum') return { kind: 'value', value: wordOf(node) }
  if (type.kind === 'decimal') {
    const units = unitsOf(parseDecimal(wordOf(node)), type.scale) ?? 0n
    return { kind: 'value', value: decimalText(units, type.scale) }
  }
  if (node.$type === 'TextValue') return { kind: 'value', value: parseStringLiteral(node.literal) ?? '' }
  if (node.$type === 'WordValue')
    return node.word === 'now' && type.kind !== 'bool'
      ? { kind: 'now' }
      : { kind: 'value', value: node.word === 'true' }
  const value = type.kind === 'int' ? parseInteger(node.text) : parseFloatingPoint(node.text)
  // Without the sign of -0, as in requests.
  return { kind: 'value', value: Number(value) + 0 }
}

function resolveType(type: Type, service: Service, targets: ServiceTargets): AttributeType {
  return type.$type === 'PrimitiveType'
    ? primitiveType(type)
    : referenceType(type.entity.ref, service, targets)
}

function referenceType(entity: Entity | undefined, service: Service, targets: ServiceTargets): AttributeType {
  const target = entity?.$type === 'Service' ? targets.get(entity) : undefined
  if (target !== undefined) return { kind: 'reference', target, local: entity === service }
  if (entity?.$type !== 'Struct') throw new Error('A reference without a target has not been checked.')
  const names = namesOf(entity.name)
  return { kind: 'sibling', target: names, table: names.snake }
}

function primitiveType(type: PrimitiveType): AttributeType {
  const binding = bindTypeArguments(type)
  switch (type.name) {
    case 'bool':
    case 'date':
    case 'time':
    case 'datetime':
      return { kind: type.name }
    case 'string':
      return {
        kind: 'string',
        minLength: Number(integerArgument(binding, 'minLength') ?? 0n),
        maxLength: sizeArgument(integerArgument(binding, 'maxLength')),
      }
    case 'enum': {
      const [first, ...others] = enumValues(type.arguments)
      if (first === undefined) throw new Error('An enum without values has not been checked.')
      return { kind: 'enum', values: [first, ...others] }
    }
    case 'data':
      return { kind: 'data', maxSize: sizeArgument(integerArgument(binding, 'maxSize')) }
    case 'int':
      return intType(
        Number(integerArgument(binding, 'precision') ?? DEFAULT_INT_PRECISION),
        integerArgument(binding, 'min'),
        integerArgument(binding, 'max'),
      )
    case 'decimal': {
      const scale = Number(integerArgument(binding, 'scale') ?? DEFAULT_SCALE)
      const [min, max] = ['min', 'max'].map((name) => unitsOf(decimalArgument(binding, name), scale))
      return { kind: 'decimal', scale, min, max }
    }
    case 'float':
    default:
      return floatType(
        Number(integerArgument(binding, 'precision') ?? DEFAULT_FLOAT_PRECISION),
        floatArgument(binding, 'min'),
        floatArgument(binding, 'max'),
      )
  }
}

/** A decimal number as a multiple of 10^-scale. Cuts off more digits, which only unchecked definitions have. */
function unitsOf(decimal: Decimal | undefined, scale: number): bigint | undefined {
  if (decimal === undefined) return undefined
  const shift = scale - decimal.scale
  return shift < 0 ? decimal.digits / 10n ** BigInt(-shift) : decimal.digits * 10n ** BigInt(shift)
}

function sizeArgument(size: bigint | undefined): number | undefined {
  return size === undefined ? undefined : Number(size)
}

function intType(bytes: number, declaredMin: bigint | undefined, declaredMax: bigint | undefined): IntType {
  const column = bytes <= 2 ? 'smallint' : bytes <= 4 ? 'integer' : 'bigint'
  const held = signedRange(bytes)
  const min = declaredMin ?? held.min
  const max = declaredMax ?? held.max
  const columnRange = signedRange(COLUMN_BYTES[column])
  return {
    kind: 'int',
    column,
    bytes,
    min,
    max,
    jsonMin: Number(min < -LARGEST_JSON_INTEGER ? -LARGEST_JSON_INTEGER : min),
    jsonMax: Number(max > LARGEST_JSON_INTEGER ? LARGEST_JSON_INTEGER : max),
    checkMin: min > columnRange.min ? min : undefined,
    checkMax: max < columnRange.max ? max : undefined,
  }
}

const COLUMN_BYTES = { smallint: 2, integer: 4, bigint: 8 } as const
const LARGEST_JSON_INTEGER = BigInt(Number.MAX_SAFE_INTEGER)

function signedRange(bytes: number): { min: bigint; max: bigint } {
  const half = 2n ** BigInt(bytes * 8 - 1)
  return { min: -half, max: half - 1n }
}

function floatType(bytes: number, min: number | undefined, max: number | undefined): FloatType {
  const real = bytes <= 4
  // Values are rounded to the column before they are compared, so the bounds must be too.
  const round = (bound: number | undefined): number | undefined =>
    bound === undefined ? undefined : (real ? Math.fround(bound) : bound) + 0
  return { kind: 'float', column: real ? 'real' : 'double precision', min: round(min), max: round(max) }
}
