import type { Attribute, Entity } from '../../model/platform.ts'
import { type AppliedRule, comparison, successorsOf } from './attribute-changes.ts'
import { includes, isSameKind, type NewNames } from './type-comparison.ts'

/** What clients of a list can no longer filter and sort by, and what they can now, apart from new names of attributes. */
export function criteriaChanges(older: Entity, newer: Entity, newNames: NewNames): AppliedRule[] {
  const successors = successorsOf(older, newer)
  const newName = (was: Attribute) => (successors.get(was) ?? was).names.declared
  const [before, after] = [byName(older.criteria?.filter, newName), byName(newer.criteria?.filter)]
  const [orders, newOrders] = [byName(older.criteria?.sort, newName), byName(newer.criteria?.sort)]
  return [
    ...[...before].flatMap(([name, was]) => filterChanges(name, was, after.get(name), newNames)),
    ...missingIn(newOrders, orders).map(
      (name): AppliedRule => ['order-removed', `The list can no longer be sorted by \`${name}\``],
    ),
    ...(older.criteria === undefined && newer.criteria !== undefined
      ? [['unknown-parameters-rejected', 'Unknown query parameters are rejected'] satisfies AppliedRule]
      : []),
    ...missingIn(before, after).map(
      (name): AppliedRule => ['filter-added', `The list can be filtered by \`${name}\``],
    ),
    ...missingIn(orders, newOrders).map(
      (name): AppliedRule => ['order-added', `The list can be sorted by \`${name}\``],
    ),
  ]
}

function filterChanges(
  name: string,
  was: Attribute,
  is: Attribute | undefined,
  newNames: NewNames,
): AppliedRule[] {
  if (is === undefined) return [['filter-removed', `The list can no longer be filtered by \`${name}\``]]
  // A change of the type itself is one of the response.
  if (!isSameKind(was.type, is.type, newNames)) return []
  const changes: AppliedRule[] = []
  if (!includes(is.type, was.type))
    changes.push(['filter-narrowed', `The filter \`${name}\` accepts fewer values: ${comparison(was, is)}`])
  if (was.optional && !is.optional)
    changes.push(['filter-narrowed', `The filter \`${name}\` no longer accepts \`null\``])
  return changes
}

function byName(
  attributes: readonly Attribute[] = [],
  nameOf = ({ names }: Attribute) => names.declared,
): ReadonlyMap<string, Attribute> {
  return new Map(attributes.map((attribute) => [nameOf(attribute), attribute]))
}

function missingIn(some: ReadonlyMap<string, unknown>, all: ReadonlyMap<string, unknown>): string[] {
  return [...all.keys()].filter((name) => !some.has(name))
}
