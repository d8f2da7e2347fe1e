import { floatArgument, integerArgument, readType } from '../language/calls.ts'
import { documentationOf } from '../language/documentation.ts'
import type { Attribute as AttributeNode, Block } from '../language/generated/ast.ts'
import { DEFAULT_FLOAT_PRECISION, DEFAULT_INT_PRECISION } from '../language/vocabulary.ts'
import { namesOf } from './names.ts'
import type { Attribute, AttributeType, FloatType, IntType, ServiceTarget, Visibility } from './platform.ts'

/** Services by their declared names. */
export type Targets = ReadonlyMap<string, ServiceTarget>

/** One attribute of a checked definition; `service` is the one that it stands in, itself or in a struct. */
export function resolveAttribute(node: AttributeNode, service: Block, services: Targets): Attribute {
  const annotations = new Set(node.annotations.map((annotation) => annotation.name))
  const visibility =
    (['server', 'serverSet', 'client'] as const).find((name) => annotations.has(name)) ?? 'public'
  return {
    names: namesOf(node.name),
    documentation: documentationOf(node),
    type: resolveType(node, service, services),
    visibility,
    unique: annotations.has('unique'),
    ...USE[visibility],
  }
}

const USE: Readonly<Record<Visibility, Pick<Attribute, 'requested' | 'answered' | 'stored'>>> = {
  public: { requested: true, answered: true, stored: true },
  serverSet: { requested: false, answered: true, stored: true },
  client: { requested: true, answered: false, stored: false },
  server: { requested: false, answered: false, stored: true },
}

function resolveType(node: AttributeNode, service: Block, services: Targets): AttributeType {
  const call = readType(node.type)
  const name = node.type.target.$refText
  switch (name) {
    case 'bool':
    case 'date':
    case 'time':
    case 'datetime':
      return { kind: name }
    case 'string':
      return {
        kind: 'string',
        minLength: Number(integerArgument(call, 'minLength') ?? 0n),
        maxLength: sizeArgument(integerArgument(call, 'maxLength')),
      }
    case 'data':
      return { kind: 'data', maxSize: sizeArgument(integerArgument(call, 'maxSize')) }
    case 'int':
      return intType(
        Number(integerArgument(call, 'precision') ?? DEFAULT_INT_PRECISION),
        integerArgument(call, 'min'),
        integerArgument(call, 'max'),
      )
    case 'float':
      return floatType(
        Number(integerArgument(call, 'precision') ?? DEFAULT_FLOAT_PRECISION),
        floatArgument(call, 'min'),
        floatArgument(call, 'max'),
      )
    default: {
      const target = services.get(name)
      if (target !== undefined) return { kind: 'reference', target, own: name === service.name }
      const names = namesOf(name)
      return { kind: 'sibling', target: names, table: names.snake }
    }
  }
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
