import { type Attribute, type AttributeType, assertNever, type Criteria, type Platform } from './platform.ts'
import { entitiesOf } from './entities.ts'

/** How a filter compares: `eq` is `?a=x`, any other operator `?a[operator]=x`. */
export type FilterOperator = 'eq' | 'in' | BoundOperator
type BoundOperator = (typeof BOUND_OPERATORS)[number]

const BOUND_OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const

/** A query parameter that filters a list. */
export interface FilterParameter {
  /** `rate`, `rate[gte]` */
  readonly name: string
  readonly attribute: Attribute
  readonly operator: FilterOperator
}

/** The query parameters of the filters of a list. */
export function filterParameters({ filter }: Criteria): FilterParameter[] {
  return filter.flatMap((attribute) => {
    const operators = ['eq', 'in', ...(hasBounds(attribute.type) ? BOUND_OPERATORS : [])] as const
    const { declared } = attribute.names
    return operators.map((operator) => ({
      name: operator === 'eq' ? declared : `${declared}[${operator}]`,
      attribute,
      operator,
    }))
  })
}

/** The values of the query parameter `sort`: `rate` and, for descending order, `-rate`. */
export function sortValues({ sort }: Criteria): string[] {
  return sort.flatMap(({ names }) => [names.declared, `-${names.declared}`])
}

/** Whether a list can be filtered by a range of values: of numbers, dates and times. */
export function hasBounds({ kind }: AttributeType): boolean {
  switch (kind) {
    case 'int':
    case 'float':
    case 'decimal':
    case 'date':
    case 'time':
    case 'datetime':
      return true
    case 'bool':
    case 'string':
    case 'enum':
    case 'data':
    case 'reference':
    case 'sibling':
      return false
    default:
      return assertNever(kind)
  }
}

/** Whether any list has filters or orders. */
export function hasCriteria({ services }: Platform): boolean {
  return services.some((service) => entitiesOf(service).some(({ criteria }) => criteria !== undefined))
}
