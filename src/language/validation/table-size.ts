import { bindTypeArguments, integerArgument } from '../argument-binding.ts'
import { DEFAULT_FLOAT_PRECISION, DEFAULT_INT_PRECISION, TIMESTAMPS } from '../builtins.ts'
import { type Attribute, type Block, isAttribute, isEntity } from '../generated/ast.ts'
import { nameSpan } from '../nodes.ts'
import { quote } from '../quote.ts'
import type { ValidationContext } from './context.ts'
import { metadataOf } from './definition-index.ts'

/** https://www.postgresql.org/docs/18/limits.html */
const MAX_COLUMNS = 1600
/** What a page of 8 KiB holds of a row. */
const MAX_ROW_BYTES = 8160
const ROW_HEADER_BYTES = 23
/** Where a row starts and ends. */
const ROW_ALIGNMENT = 8
/** Longer values move to another table if the row does not fit into its page otherwise. */
const MAX_INLINE_BYTES = 24
/** Fewer attributes fit whatever their types. */
const FITTING_ATTRIBUTES = 300

/** The largest part of a value that is in the row itself. It starts at a multiple of `alignment`. */
interface Column {
  readonly bytes: number
  readonly alignment: number
}

const UUID = { bytes: 16, alignment: 1 }
const VERSION = { bytes: 8, alignment: 8 }
const TIMESTAMP = { bytes: 8, alignment: 8 }
/** A `numeric` of 38 digits moves only as the last resort. */
const DECIMAL = { bytes: 25, alignment: 1 }
const INLINE = { bytes: MAX_INLINE_BYTES, alignment: 1 }

/** A table of the block has no more columns than Postgres allows, and a page holds its largest row. */
export function checkTableSize(block: Block, context: ValidationContext): void {
  if (!isEntity(block) || block.members.length < FITTING_ATTRIBUTES) return
  const stored = block.members
    .filter(isAttribute)
    .filter(({ annotations }) => annotations.every(({ name }) => name !== 'client'))
    .filter(({ type }) => type.$type === 'PrimitiveType' || type.entity.ref !== undefined)
  const hasOwner =
    block.$type === 'Struct' ||
    (context.index.authMethod !== undefined && metadataOf(block, 'auth') === undefined)
  const columns = [
    ...(hasOwner ? [UUID, UUID] : [UUID]),
    ...stored.map(columnOf),
    ...(metadataOf(block, 'versioned') === undefined ? [] : [VERSION]),
    ...(metadataOf(block, 'timestamps') === undefined ? [] : TIMESTAMPS.map(() => TIMESTAMP)),
  ]
  const bytes = rowBytes(columns)
  const report = (problem: string) =>
    context.report('table-too-large', nameSpan(block), `${quote(block.name)} ${problem}`, {
      help: `move attributes into ${block.$type === 'Struct' ? 'another struct' : 'a struct'}`,
    })
  if (columns.length > MAX_COLUMNS)
    report(`needs ${columns.length} columns, and Postgres allows ${MAX_COLUMNS} in a table`)
  else if (bytes > MAX_ROW_BYTES)
    report(`needs up to ${bytes} bytes in a row, and Postgres allows ${MAX_ROW_BYTES}`)
}

function rowBytes(columns: readonly Column[]): number {
  const header = aligned(ROW_HEADER_BYTES + Math.ceil(columns.length / 8), ROW_ALIGNMENT)
  const end = columns.reduce((offset, { bytes, alignment }) => aligned(offset, alignment) + bytes, header)
  return aligned(end, ROW_ALIGNMENT)
}

function aligned(offset: number, alignment: number): number {
  return Math.ceil(offset / alignment) * alignment
}

function columnOf({ type }: Attribute): Column {
  if (type.$type !== 'PrimitiveType') return UUID
  const integer = (name: string) => integerArgument(bindTypeArguments(type), name)
  switch (type.name) {
    case 'bool':
      return number(1)
    case 'int':
      return number(Number(integer('precision') ?? DEFAULT_INT_PRECISION), 2)
    case 'float':
      return number(Number(integer('precision') ?? DEFAULT_FLOAT_PRECISION), 4)
    case 'date':
      return number(4)
    case 'time':
    case 'datetime':
      return TIMESTAMP
    case 'decimal':
      return DECIMAL
    case 'string':
      return short(4n * (integer('maxLength') ?? BigInt(MAX_INLINE_BYTES)))
    case 'data':
      return short(integer('maxSize') ?? BigInt(MAX_INLINE_BYTES))
    case 'enum':
      break
  }
  return INLINE
}

/** A number of at least this many bytes: 1, 2, 4 or 8. */
function number(precision: number, least = precision): Column {
  const bytes = precision > 4 ? 8 : precision > 2 ? 4 : least
  return { bytes, alignment: bytes }
}

/** Bytes of variable length, after their header. */
function short(length: bigint): Column {
  return length < MAX_INLINE_BYTES ? { bytes: Number(length) + 1, alignment: 1 } : INLINE
}
