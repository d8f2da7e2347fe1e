import { DECIMAL_DIGITS } from '../limits.ts'
import { decimalBounds } from './decimals.ts'
import {
  type AttributeType,
  assertNever,
  type DataType,
  type DecimalType,
  type EnumType,
  type FloatType,
  type IntType,
  type StringType,
} from './platform.ts'

/** The SQL type of an attribute's column. */
export function columnType(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'boolean'
    case 'string':
    case 'enum':
      return 'text'
    case 'int':
    case 'float':
      return type.column
    case 'decimal':
      return `numeric(${DECIMAL_DIGITS},${type.scale})`
    case 'date':
      return 'date'
    case 'time':
      return 'time'
    case 'datetime':
      return 'timestamptz'
    case 'data':
      return 'bytea'
    case 'reference':
    case 'sibling':
      return 'uuid'
    default:
      return assertNever(type)
  }
}

/** The CHECK condition for the bounds of an attribute; `undefined` if the column's type is sufficient. */
export function boundsCheck(column: string, type: AttributeType): string | undefined {
  switch (type.kind) {
    case 'bool':
    case 'reference':
    case 'sibling':
      return undefined
    case 'string':
      return stringCheck(column, type)
    case 'int':
      return intCheck(column, type)
    case 'float':
      return floatCheck(column, type)
    case 'decimal':
      return decimalCheck(column, type)
    case 'date':
      // The column's type also allows infinity and years BC.
      return `${column} BETWEEN '0001-01-01' AND '9999-12-31'`
    case 'time':
      // Postgres also allows 24:00:00.
      return `${column} < '24:00:00'`
    case 'datetime':
      return `${column} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`
    case 'data':
      return dataCheck(column, type)
    case 'enum':
      return `${column} IN (${allowedValues(type)
        .map((value) => `'${value}'`)
        .join(', ')})`
    default:
      return assertNever(type)
  }
}

/**
 * The bounds of an attribute's CHECK condition, inclusive, as decimal numbers: of a number, the length of a text, the
 * size of data. `undefined` for types without bounds.
 */
export function columnBounds(type: AttributeType): [min: string | null, max: string | null] | undefined {
  switch (type.kind) {
    case 'string':
      return [decimal(type.minLength || undefined), decimal(type.maxLength)]
    case 'int':
      return [decimal(type.checkMin), decimal(type.checkMax)]
    case 'float':
      return [decimal(type.min), decimal(type.max)]
    case 'decimal': {
      const { min, max } = decimalBounds(type)
      return [min ?? null, max ?? null]
    }
    case 'data':
      return [null, decimal(type.maxSize)]
    case 'bool':
    case 'date':
    case 'time':
    case 'datetime':
    case 'enum':
    case 'reference':
    case 'sibling':
      return undefined
    default:
      return assertNever(type)
  }
}

/** The values of an `enum` in alphabetical order, so that their order in the definition does not change the schema. */
export function allowedValues({ values }: EnumType): string[] {
  return values.toSorted()
}

function decimal(bound: bigint | number | undefined): string | null {
  return bound?.toString() ?? null
}

function stringCheck(column: string, { minLength, maxLength }: StringType): string | undefined {
  return between(
    `char_length(${column})`,
    minLength > 0 ? String(minLength) : undefined,
    maxLength === undefined ? undefined : String(maxLength),
  )
}

function intCheck(column: string, { checkMin, checkMax }: IntType): string | undefined {
  return between(column, checkMin?.toString(), checkMax?.toString())
}

function dataCheck(column: string, { maxSize }: DataType): string | undefined {
  return between(`octet_length(${column})`, undefined, maxSize === undefined ? undefined : String(maxSize))
}

/** Excludes infinity and NaN, which Postgres sorts above all numbers, because JSON has neither. */
function floatCheck(column: string, { column: type, min, max }: FloatType): string {
  const bound = (value: number | string) => `'${value}'::${type}`
  const lower = min === undefined ? `> ${bound('-Infinity')}` : `>= ${bound(min)}`
  const upper = max === undefined ? `< ${bound('Infinity')}` : `<= ${bound(max)}`
  return `${column} ${lower} AND ${column} ${upper}`
}

/** Excludes NaN, which Postgres sorts above all numbers. */
function decimalCheck(column: string, type: DecimalType): string {
  const { min, max } = decimalBounds(type)
  if (max !== undefined) return between(column, min, max) ?? ''
  return min === undefined ? `${column} < 'NaN'` : `${column} >= ${min} AND ${column} < 'NaN'`
}

function between(value: string, min: string | undefined, max: string | undefined): string | undefined {
  if (min === undefined) return max === undefined ? undefined : `${value} <= ${max}`
  return max === undefined ? `${value} >= ${min}` : `${value} BETWEEN ${min} AND ${max}`
}
