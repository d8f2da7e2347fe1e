import {
  type AttributeType,
  assertNever,
  type DataType,
  type FloatType,
  type IntType,
  type StringType,
} from './platform.ts'

/** The type of the column that holds an attribute. */
export function columnType(type: AttributeType): string {
  switch (type.kind) {
    case 'bool':
      return 'boolean'
    case 'string':
      return 'text'
    case 'int':
    case 'float':
      return type.column
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

/** The condition on a column's value that holds all bounds of the attribute; `undefined` when its type does. */
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
    case 'date':
      // The column's own range has infinity and years before Christ.
      return `${column} BETWEEN '0001-01-01' AND '9999-12-31'`
    case 'time':
      // Postgres has a 24:00:00, too.
      return `${column} < '24:00:00'`
    case 'datetime':
      return `${column} BETWEEN '0001-01-01T00:00:00Z' AND '9999-12-31T23:59:59.999999Z'`
    case 'data':
      return dataCheck(column, type)
    default:
      return assertNever(type)
  }
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

/** Also without bounds a float is a number: JSON has neither NaN, which Postgres puts above all, nor infinity. */
function floatCheck(column: string, { column: type, min, max }: FloatType): string {
  const bound = (value: number | string) => `'${value}'::${type}`
  const lower = min === undefined ? `> ${bound('-Infinity')}` : `>= ${bound(min)}`
  const upper = max === undefined ? `< ${bound('Infinity')}` : `<= ${bound(max)}`
  return `${column} ${lower} AND ${column} ${upper}`
}

function between(value: string, min: string | undefined, max: string | undefined): string | undefined {
  if (min === undefined) return max === undefined ? undefined : `${value} <= ${max}`
  return max === undefined ? `${value} >= ${min}` : `${value} BETWEEN ${min} AND ${max}`
}
