import { memberName } from '../../model/combination.ts'
import { columnName, listed } from '../../naming.ts'
import type { Attribute, Combination, Entity, EnumType, Operation } from '../../model/platform.ts'
import { describeDefault } from '../../model/type-description.ts'
import type { ApiRule } from './rules.ts'
import { describeBounds, includes, isSameKind, type NewNames } from './type-comparison.ts'

export type { NewNames }

/** A rule that applies to an endpoint, and why. */
export type AppliedRule = readonly [rule: ApiRule, reason: string]

/** What has attributes. */
type Attributes = Pick<Entity, 'names' | 'attributes' | 'combinations'>

/** The changes of an entity's attributes that clients of an operation can notice, in the order of the attributes. */
export function attributeChanges(
  older: Attributes,
  newer: Attributes,
  operation: Operation,
  newNames: NewNames,
): AppliedRule[] {
  const successors = successorsOf(older, newer)
  const kept = new Set(successors.values())
  const pairs: Pair[] = [
    ...[...successors].map(([was, is]) => ({ was, is })),
    ...newer.attributes.filter((is) => !kept.has(is)).map((is) => ({ was: undefined, is })),
  ]
  const sends = operation === 'create' || operation === 'update' || operation === 'patch'
  const receives = sends || operation === 'read' || operation === 'list'
  const ofAttributes = pairs.flatMap((pair) => {
    const [before = '', name = before] = [pair.was, pair.is].map(
      (each) => each && `\`${newer.names.declared}.${each.names.declared}\``,
    )
    const [inRequests, inResponses] = [only('inRequest', pair), only('inResponse', pair)]
    const requests = sends ? requestChanges(name, inRequests, operation, newNames) : []
    const responses = receives ? responseChanges(name, inResponses, newNames) : []
    const isTypeChanged = requests.some(([rule]) => rule === 'type-changed')
    const isRenamed = before !== name && ((sends && isKept(inRequests)) || (receives && isKept(inResponses)))
    return [
      ...(isRenamed ? [['attribute-renamed', `${before} is now ${name}`] satisfies AppliedRule] : []),
      ...requests,
      ...responses.filter(([rule]) => !(isTypeChanged && rule === 'type-changed')),
    ]
  })
  return sends ? [...ofAttributes, ...combinationChanges(older, newer)] : ofAttributes
}

/** The older attributes with what they are now: the ones with their names, or those that `@was` says had them. */
export function successorsOf(
  older: Pick<Entity, 'attributes'>,
  newer: Pick<Entity, 'attributes'>,
): ReadonlyMap<Attribute, Attribute | undefined> {
  const before = new Set(older.attributes.map(({ names }) => names.declared))
  const after = new Map(newer.attributes.map((attribute) => [attribute.names.declared, attribute]))
  const renamed = new Map(
    newer.attributes
      .filter(({ names }) => !before.has(names.declared))
      .map((attribute) => [attribute.was, attribute]),
  )
  return new Map(
    older.attributes.map((attribute) => {
      const { declared } = attribute.names
      return [attribute, after.get(declared) ?? renamed.get(columnName(declared))]
    }),
  )
}

/** An attribute before and after; `undefined` where requests or responses do not have it. */
interface Pair {
  readonly was: Attribute | undefined
  readonly is: Attribute | undefined
}

function isKept({ was, is }: Pair): boolean {
  return was !== undefined && is !== undefined
}

function only(use: 'inRequest' | 'inResponse', { was, is }: Pair): Pair {
  return { was: was?.[use] === true ? was : undefined, is: is?.[use] === true ? is : undefined }
}

function requestChanges(
  name: string,
  { was, is }: Pair,
  operation: Operation,
  newNames: NewNames,
): AppliedRule[] {
  const isPatch = operation === 'patch'
  if (is === undefined)
    return was === undefined ? [] : [['request-attribute-removed', `${name} in requests is ignored`]]
  if (was === undefined)
    return [
      is.required && !isPatch
        ? mustContain(name)
        : ['request-attribute-added', `Requests can contain ${name}`],
    ]
  if (!isSameKind(was.type, is.type, newNames)) return [typeChange(name, was, is)]
  const absence = isPatch ? clearing(name, was, is) : presence(name, was, is)
  const states = operation === 'create' ? [] : transitions(name, was, is)
  return [...absence, ...requestBounds(name, was, is, operation), ...uniqueness(name, was, is), ...states]
}

/** Whether a patch can clear an attribute. */
function clearing(name: string, was: Attribute, is: Attribute): AppliedRule[] {
  if (was.optional === is.optional) return []
  return is.optional
    ? [['request-bounds-widened', `${name} can be \`null\``]]
    : [['request-bounds-narrowed', `${name} cannot be \`null\``]]
}

/** Whether requests must contain an attribute, and what is stored otherwise. */
function presence(name: string, was: Attribute, is: Attribute): AppliedRule[] {
  if (is.required !== was.required)
    return [
      is.required ? mustContain(name) : ['request-attribute-optional', `Requests can leave ${name} out`],
    ]
  const [before, now] = [was, is].map(withoutValue)
  return before === now
    ? []
    : [['request-default-changed', `Without ${name}, requests store ${now} (before: ${before})`]]
}

function mustContain(name: string): AppliedRule {
  return ['request-attribute-required', `Requests must contain ${name}`]
}

/** What is stored when a request leaves an attribute out. */
function withoutValue({ default: given, required }: Attribute): string {
  if (given !== undefined) return describeDefault(given)
  return required ? 'nothing' : '`null`'
}

function requestBounds(name: string, was: Attribute, is: Attribute, operation: Operation): AppliedRule[] {
  const states = operation === 'create' ? creatable(was, is) : undefined
  if (states !== undefined) {
    const { before, now } = states
    if (before.some((value) => !now.includes(value)))
      return [['request-bounds-narrowed', `${name} of a new entity can only be ${listed(now, 'or')}`]]
    return now.some((value) => !before.includes(value))
      ? [['request-bounds-widened', `${name} of a new entity can be ${listed(now, 'or')}`]]
      : []
  }
  if (!includes(is.type, was.type))
    return [['request-bounds-narrowed', `${name} accepts fewer values: ${comparison(was, is)}`]]
  if (!includes(was.type, is.type))
    return [['request-bounds-widened', `${name} accepts more values: ${comparison(was, is)}`]]
  return []
}

/** The values that a new entity can have; `undefined` without `@transitions`. */
function creatable(was: Attribute, is: Attribute): Record<'before' | 'now', readonly string[]> | undefined {
  if (was.type.kind !== 'enum' || is.type.kind !== 'enum') return undefined
  const [before, now] = [was.type, is.type].map(({ transitions: declared }) => declared && [declared.initial])
  return before === undefined && now === undefined
    ? undefined
    : { before: before ?? was.type.values, now: now ?? is.type.values }
}

/** The changes of a value that are no longer possible, and those that are now. Values that only one has do not count. */
function transitions(name: string, was: Attribute, is: Attribute): AppliedRule[] {
  if (was.type.kind !== 'enum' || is.type.kind !== 'enum') return []
  const [older, newer] = [was.type, is.type]
  const values = newer.values.filter((value) => older.values.includes(value))
  const changes = values.flatMap((from) => values.filter((to) => to !== from).map((to) => ({ from, to })))
  const removed = changes.filter((change) => allows(older, change) && !allows(newer, change))
  const added = changes.filter((change) => !allows(older, change) && allows(newer, change))
  const rules: AppliedRule[] = []
  if (removed.length > 0)
    rules.push(['transition-removed', `${name} can no longer change from ${changesText(removed)}`])
  if (added.length > 0) rules.push(['transition-added', `${name} can change from ${changesText(added)}`])
  return rules
}

/** A change of the value of an `enum`. */
interface Change {
  readonly from: string
  readonly to: string
}

function allows({ transitions: declared }: EnumType, { from, to }: Change): boolean {
  return declared === undefined || declared.next.some(([value, next]) => value === from && next.includes(to))
}

/** `` `draft` to `paid` or `void`, or from `sent` to `draft` ``. */
function changesText(changes: readonly Change[]): string {
  const bySource = Map.groupBy(changes, ({ from }) => from)
  return Array.from(
    bySource,
    ([from, each]) =>
      `\`${from}\` to ${listed(
        each.map(({ to }) => to),
        'or',
      )}`,
  ).join(', or from ')
}

/** The changes of `#unique` that clients that write can notice. */
function combinationChanges(older: Attributes, newer: Attributes): AppliedRule[] {
  const successors = successorsOf(older, newer)
  const withNewName = (member: Combination[number]): Combination[number] =>
    member === 'parent' ? member : (successors.get(member) ?? member)
  const before = uniqueSets(older, withNewName)
  const after = uniqueSets(newer, (member) => member)
  return [
    ...after
      .filter((names) => names.size > 1 && !isImplied(names, before))
      .map((names): AppliedRule => ['unique-added', `The combination of ${described(names)} must be unique`]),
    ...before
      .filter((names) => names.size > 1 && !isImplied(names, after))
      .map(
        (names): AppliedRule => [
          'unique-removed',
          `The combination of ${described(names)} no longer has to be unique`,
        ],
      ),
  ]
}

/** Whether a combination is unique because of another one: entities that differ in some attributes also differ in more. */
function isImplied(combination: ReadonlySet<string>, by: readonly ReadonlySet<string>[]): boolean {
  return by.some((each) => each.isSubsetOf(combination))
}

/** Lists names in alphabetical order, because their order does not matter to clients. */
function described(names: ReadonlySet<string>): string {
  return listed([...names].toSorted(), 'and')
}

/** The names of the attributes that are unique, alone or together. */
function uniqueSets(
  { attributes, combinations }: Attributes,
  rename: (member: Combination[number]) => Combination[number],
): ReadonlySet<string>[] {
  const alone = attributes.filter(({ unique }) => unique).map((attribute) => [attribute])
  return [...alone, ...combinations].map(
    (combination) => new Set(combination.map((member) => memberName(rename(member)))),
  )
}

function uniqueness(name: string, was: Attribute, is: Attribute): AppliedRule[] {
  if (was.unique === is.unique) return []
  return is.unique
    ? [['unique-added', `${name} must be unique`]]
    : [['unique-removed', `${name} no longer has to be unique`]]
}

function responseChanges(name: string, { was, is }: Pair, newNames: NewNames): AppliedRule[] {
  if (is === undefined)
    return was === undefined ? [] : [['response-attribute-removed', `Responses no longer contain ${name}`]]
  if (was === undefined) return [['response-attribute-added', `Responses contain ${name}`]]
  if (!isSameKind(was.type, is.type, newNames)) return [typeChange(name, was, is)]
  return [...nullability(name, was, is), ...responseBounds(name, was, is)]
}

function nullability(name: string, was: Attribute, is: Attribute): AppliedRule[] {
  if (was.optional === is.optional) return []
  return is.optional
    ? [['response-attribute-nullable', `${name} can be \`null\``]]
    : [['response-attribute-never-null', `${name} is never \`null\``]]
}

function responseBounds(name: string, was: Attribute, is: Attribute): AppliedRule[] {
  if (!includes(was.type, is.type))
    return [['response-bounds-widened', `${name} can have more values: ${comparison(was, is)}`]]
  if (!includes(is.type, was.type))
    return [['response-bounds-narrowed', `${name} can have fewer values: ${comparison(was, is)}`]]
  return []
}

function typeChange(name: string, was: Attribute, is: Attribute): AppliedRule {
  return ['type-changed', `${name} has a different type: ${comparison(was, is)}`]
}

/** Describes a type after and before a change: `integer, 1 to 20 (before: integer, 1 to 40)`. */
export function comparison(was: Attribute, is: Attribute): string {
  return `${describeBounds(is.type)} (before: ${describeBounds(was.type)})`
}
