import { filterParameters, sortValues } from '../../model/criteria.ts'
import type { Attribute, Entity } from '../../model/platform.ts'
import type { AppliedRule } from './attribute-changes.ts'
import { describeBounds, includes } from './type-comparison.ts'

/** What clients of a list can no longer filter and sort by, and what they can now. */
export function criteriaChanges(older: Entity, newer: Entity): AppliedRule[] {
  const [before, after] = [filtersOf(older), filtersOf(newer)]
  const [orders, newOrders] = [ordersOf(older), ordersOf(newer)]
  return [
    ...[...before].flatMap(([name, was]): AppliedRule[] => {
      const is = after.get(name)
      if (is === undefined) return [['filter-removed', `The list can no longer be filtered by \`${name}\``]]
      // A change of the type itself is one of the response.
      if (was.type.kind !== is.type.kind || includes(is.type, was.type)) return []
      return [['filter-removed', `The filter \`${name}\` accepts fewer values: ${describeBounds(is.type)}`]]
    }),
    ...orders.difference(newOrders).values().map(removedOrder),
    ...[...after.keys()]
      .filter((name) => !before.has(name))
      .map((name): AppliedRule => ['filter-added', `The list can be filtered by \`${name}\``]),
    ...newOrders.difference(orders).values().map(addedOrder),
  ]
}

function removedOrder(name: string): AppliedRule {
  return ['order-removed', `The list can no longer be sorted by \`${name}\``]
}

function addedOrder(name: string): AppliedRule {
  return ['order-added', `The list can be sorted by \`${name}\``]
}

function filtersOf({ criteria }: Entity): Map<string, Attribute> {
  const parameters = criteria === undefined ? [] : filterParameters(criteria)
  return new Map(parameters.map(({ name, attribute }) => [name, attribute]))
}

function ordersOf({ criteria }: Entity): Set<string> {
  return new Set(criteria === undefined ? [] : sortValues(criteria))
}
