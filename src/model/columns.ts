import { DECIMAL_DIGITS } from '../limits.ts'
import { decimalBounds } from './decimals.ts'
import { type AttributeType, assertNever, type EnumType } from './platform.ts'

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

/**
 * What a CHECK constraint requires of a column: bounds of its value, of its characters or bytes, of a number that is
 * neither NaN nor infinite, or of a day in the years 1 to 9999, or one of several values. Bounds are inclusive, as
 * decimal numbers.
 */
export type ColumnCheck =
  | {
      readonly kind: 'value' | 'characters' | 'bytes' | 'real' | 'double precision' | 'numeric'
      readonly min?: string | undefined
      readonly max?: string | undefined
    }
  | { readonly kind: 'date' | 'time' | 'timestamptz' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }

/** The check of an attribute's column; `undefined` if the column's type is sufficient. */
export function columnCheck(type: AttributeType): ColumnCheck | undefined {
  switch (type.kind) {
    case 'bool':
    case 'reference':
    case 'sibling':
      return undefined
    case 'string':
      return bounded('characters', type.minLength || undefined, type.maxLength)
    case 'int':
      return bounded('value', type.checkMin, type.checkMax)
    case 'float':
      return { kind: type.column, min: type.min?.toString(), max: type.max?.toString() }
    case 'decimal':
      return { kind: 'numeric', ...decimalBounds(type) }
    case 'date':
    case 'time':
      return { kind: type.kind }
    case 'datetime':
      return { kind: 'timestamptz' }
    case 'data':
      return bounded('bytes', undefined, type.maxSize)
    case 'enum':
      return { kind: 'enum', values: allowedValues(type) }
    default:
      return assertNever(type)
  }
}

function bounded(
  kind: 'value' | 'characters' | 'bytes',
  min: bigint | number | undefined,
  max: bigint | number | undefined,
): ColumnCheck | undefined {
  return min === undefined && max === undefined
    ? undefined
    : { kind, min: min?.toString(), max: max?.toString() }
}

/** The CHECK condition for the bounds of an attribute; `undefined` if the column's type is sufficient. */
export function boundsCheck(column: string, type: AttributeType): string | undefined {
  const check = columnCheck(type)
  return check && checkCondition(column, check)
}

/** The condition of a check in SQL. */
export function checkCondition(column: string, check: ColumnCheck): string {
  switch (check.kind) {
    case 'value':
      return between(column, check.min, check.max)
    case 'characters':
      return between(`char_length(${column})`, check.min, check.max)
    case 'bytes':
      return between(`octet_length(${column})`, check.min, check.max)
    case 'real':
    case 'double precision':
      return floatCondition(column, check.kind, check)
    case 'numeric':
      // Excludes NaN, which Postgres sorts above all numbers.
      if (check.max !== undefined) return between(column, check.min, check.max)
      return check.min === undefined ? `${column} < 'NaN'` : `${column} >= ${check.min} AND ${column} < 'NaN'`
    case 'date':
      // The column's type also allows infinity and years BC.
      return `${column} BETWEEN '0001-01-01' AND '9999-12-31'`
    case 'time':
      // Postgres also allows 24:00:00.
      return `${column} < '24:00:00'`
    case 'timestamptz':
      return `${column} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`
    case 'enum':
      return `${column} IN (${check.values.map((value) => `'${value}'`).join(', ')})`
    default:
      return assertNever(check)
  }
}

/** The values of an `enum` in alphabetical order, so that their order in the definition does not change the schema. */
export function allowedValues({ values }: EnumType): string[] {
  return values.toSorted()
}

/** Excludes infinity and NaN, which Postgres sorts above all numbers, because JSON has neither. */
function floatCondition(
  column: string,
  type: string,
  { min, max }: { readonly min?: string | undefined; readonly max?: string | undefined },
): string {
  const bound = (value: string) => `'${value}'::${type}`
  const lower = min === undefined ? `> ${bound('-Infinity')}` : `>= ${bound(min)}`
  const upper = max === undefined ? `< ${bound('Infinity')}` : `<= ${bound(max)}`
  return `${column} ${lower} AND ${column} ${upper}`
}

/** At least one of the bounds is there. */
function between(value: string, min: string | undefined, max: string | undefined): string {
  if (min === undefined) return `${value} <= ${max}`
  return max === undefined ? `${value} >= ${min}` : `${value} BETWEEN ${min} AND ${max}`
}
