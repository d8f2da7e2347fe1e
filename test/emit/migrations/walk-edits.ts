import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  option,
  record,
  uniqueArray,
} from 'fast-check'

import { assertNever } from '../../../src/model/platform.ts'
import {
  type Attribute,
  type AttributeType,
  combinationsOf,
  type Default,
  type Definition,
  type Entity,
  PARENT,
  READABLE,
  type Readable,
} from './walk-definition.ts'

type NewAttribute = Omit<Attribute, 'uid' | 'name'>

/** One change. Numbers choose an entity or attribute by the rest of a division. */
export type Edit =
  | { readonly kind: 'add'; readonly entity: number; readonly attribute: NewAttribute }
  | {
      readonly kind: 'remove' | 'rename' | 'unique' | 'optional' | 'renameAndOptional'
      readonly entity: number
      readonly attribute: number
    }
  | { readonly kind: 'filter' | 'sort'; readonly entity: number; readonly attribute: number }
  | {
      readonly kind: 'default' | 'optionalAndDefault'
      readonly entity: number
      readonly attribute: number
      readonly given: Default | undefined
    }
  | {
      readonly kind: 'retype' | 'rebound' | 'renameAndRebound'
      readonly entity: number
      readonly attribute: number
      readonly type: AttributeType
    }
  | {
      readonly kind: 'renameValue'
      readonly entity: number
      readonly attribute: number
      readonly value: number
    }
  | {
      readonly kind: 'visibility'
      readonly entity: number
      readonly attribute: number
      readonly visibility: Attribute['visibility']
    }
  | {
      readonly kind:
        | 'document'
        | 'list'
        | 'renameEntity'
        | 'removeStruct'
        | 'timestamps'
        | 'uncombine'
        | 'public'
      readonly entity: number
    }
  | { readonly kind: 'combine'; readonly entity: number; readonly attributes: readonly number[] }
  | { readonly kind: 'readable'; readonly readable: Readable }
  | { readonly kind: 'addStruct'; readonly attributes: readonly NewAttribute[] }
  | { readonly kind: 'authentication' }

const BOUNDS = [-1000, -5, -1, 0, 1, 2, 5, 9, 100, 127, 30_000, 40_000, 3_000_000_000]
const LENGTHS = [1, 2, 3, 8, 80, 600, 700]

const bounded = (values: readonly number[]): Arbitrary<[number | undefined, number | undefined]> =>
  array(option(constantFrom(...values), { nil: undefined, freq: 2 }), { minLength: 2, maxLength: 2 }).map(
    ([a, b]) => (a !== undefined && b !== undefined && a > b ? [b, a] : [a, b]),
  )

const numberType: Arbitrary<AttributeType> = constantFrom('int' as const, 'float' as const).chain((kind) =>
  integer({ min: 1, max: 8 }).chain((precision) => {
    const limit = kind === 'int' ? 2 ** (8 * precision - 1) : 10_000
    return bounded(BOUNDS.filter((value) => -limit <= value && value < limit)).map(([min, max]) => ({
      kind,
      precision,
      min,
      max,
    }))
  }),
)
const decimalType: Arbitrary<AttributeType> = integer({ min: 0, max: 18 }).chain((scale) =>
  bounded(BOUNDS).map(([min, max]) => ({ kind: 'decimal', scale, min, max })),
)
const stringType: Arbitrary<AttributeType> = bounded(LENGTHS).map(([min, max]) => ({
  kind: 'string',
  min: min ?? 0,
  max,
}))
const dataType: Arbitrary<AttributeType> = bounded([1, 3, 100, 5000]).map(([, max]) => ({
  kind: 'data',
  max,
}))
const enumType: Arbitrary<AttributeType> = uniqueArray(constantFrom('01', '02', '3', '4th', 'o-5'), {
  minLength: 1,
}).map((values) => ({ kind: 'enum', values, was: new Map() }))

const attributeType: Arbitrary<AttributeType> = oneof(
  { weight: 3, arbitrary: stringType },
  { weight: 3, arbitrary: numberType },
  {
    weight: 2,
    arbitrary: constantFrom(
      'bool' as const,
      'date' as const,
      'time' as const,
      'datetime' as const,
      'other' as const,
    ).map((kind) => ({ kind })),
  },
  { weight: 1, arbitrary: dataType },
  { weight: 2, arbitrary: enumType },
  { weight: 2, arbitrary: decimalType },
  { weight: 2, arbitrary: nat(5).map((target) => ({ kind: 'sibling' as const, target })) },
)

const visibility: Arbitrary<Attribute['visibility']> = oneof(
  { weight: 6, arbitrary: constant('public' as const) },
  { weight: 3, arbitrary: constantFrom('server' as const, 'serverSet' as const, 'client' as const) },
)
const given: Arbitrary<Default | undefined> = oneof(constant(undefined), constant('now' as const), nat(20))
const newAttribute: Arbitrary<NewAttribute> = record({
  type: attributeType,
  optional: nat(2).map((n) => n === 2),
  given,
  unique: nat(3).map((n) => n === 3),
  visibility,
  doc: constantFrom('', '', "It's 'quoted'.", 'A\nB'),
})
const newAttributes = array(newAttribute, { minLength: 1, maxLength: 4 })

const EMPTY: Omit<Entity, 'uid' | 'name'> = {
  enumerable: false,
  filter: [],
  sort: [],
  combinations: [],
  timestamps: false,
  paths: [],
  doc: '',
  attributes: [],
}

const at = { entity: nat(3), attribute: nat(4) }
const listEdit: Arbitrary<Edit> = oneof(
  record({ kind: constantFrom('filter' as const, 'sort' as const), ...at }),
  record({
    kind: constant('combine' as const),
    entity: nat(3),
    attributes: array(nat(5), { minLength: 2, maxLength: 3 }),
  }),
)

/** Random definitions. */
export const definition: Arbitrary<Definition> = record({
  authentication: boolean(),
  readable: constantFrom(...READABLE),
  enumerable: boolean(),
  timestamps: boolean(),
  own: newAttributes,
  structs: array(newAttributes, { maxLength: 3 }),
  lists: array(listEdit, { maxLength: 6 }),
}).map(({ authentication, readable, enumerable, timestamps, own, structs, lists }) => {
  const empty: Entity = { ...EMPTY, uid: 0, name: 'Home', enumerable, timestamps }
  const start: Definition = { authentication, readable, entities: [empty], used: 1 }
  const withOwn = own.reduce<Definition>(
    (found, attribute) => edited(found, { kind: 'add', entity: 0, attribute }),
    start,
  )
  const withStructs = structs.reduce<Definition>(
    (found, members) => edited(found, { kind: 'addStruct', attributes: members }),
    withOwn,
  )
  return lists.reduce(edited, withStructs)
})

const edit: Arbitrary<Edit> = oneof(
  record({ kind: constant('add' as const), entity: nat(3), attribute: newAttribute }),
  record({ kind: constantFrom('remove' as const, 'rename' as const, 'unique' as const), ...at }),
  record({ kind: constantFrom('retype' as const, 'rebound' as const), ...at, type: attributeType }),
  record({ kind: constantFrom('rename' as const, 'unique' as const), ...at }),
  record({
    kind: constantFrom('rebound' as const, 'renameAndRebound' as const),
    ...at,
    type: oneof(stringType, numberType, enumType, decimalType),
  }),
  record({ kind: constantFrom('optional' as const, 'renameAndOptional' as const), ...at }),
  record({ kind: constantFrom('default' as const, 'optionalAndDefault' as const), ...at, given }),
  { weight: 2, arbitrary: record({ kind: constant('renameValue' as const), ...at, value: nat(9) }) },
  { weight: 2, arbitrary: listEdit },
  record({ kind: constantFrom('timestamps' as const, 'uncombine' as const), entity: nat(3) }),
  record({ kind: constant('readable' as const), readable: constantFrom(...READABLE) }),
  record({ kind: constant('visibility' as const), ...at, visibility }),
  record({
    kind: constantFrom(
      'document' as const,
      'list' as const,
      'renameEntity' as const,
      'removeStruct' as const,
      'public' as const,
    ),
    entity: nat(3),
  }),
  record({ kind: constant('addStruct' as const), attributes: newAttributes }),
  record({ kind: constant('authentication' as const) }),
)

/** Several changes at once. */
export const edits: Arbitrary<readonly Edit[]> = array(edit, { minLength: 1, maxLength: 6 })

/** A definition after a change, which does nothing if what it is about does not exist. */
export function edited(before: Definition, change: Edit): Definition {
  const { used } = before
  if (change.kind === 'authentication') return { ...before, authentication: !before.authentication }
  if (change.kind === 'readable') return { ...before, readable: change.readable }
  if (change.kind === 'addStruct') {
    const struct: Entity = {
      ...EMPTY,
      uid: used,
      name: STRUCT_NAMES[used % STRUCT_NAMES.length] + String(used),
      enumerable: used % 2 === 0,
      timestamps: used % 3 === 0,
    }
    const added: Definition = { ...before, entities: [...before.entities, struct], used: used + 1 }
    return change.attributes.reduce<Definition>(
      (found, attribute) => edited(found, { kind: 'add', entity: before.entities.length, attribute }),
      added,
    )
  }
  const entity = before.entities[change.entity % before.entities.length] ?? before.entities[0]
  const replaced = (now: Partial<Entity>): Definition => {
    const entities = before.entities.map((each) => (each === entity ? { ...each, ...now } : each))
    return { ...before, entities: [entities[0] ?? entity, ...entities.slice(1)], used: used + 1 }
  }
  switch (change.kind) {
    case 'document':
      return replaced({ doc: `${used}` })
    case 'list':
      return replaced({ enumerable: !entity.enumerable })
    case 'timestamps':
      return replaced({ timestamps: !entity.timestamps })
    case 'public':
      return replaced({ paths: entity.paths.length === 0 ? ['hook'] : [] })
    case 'combine': {
      const numbers = change.attributes.map((index) => {
        const choices = [PARENT, ...entity.attributes.map(({ uid }) => uid)]
        return choices[index % choices.length] ?? PARENT
      })
      return replaced({ combinations: [...entity.combinations, [...new Set(numbers)]] })
    }
    case 'uncombine': {
      const [first] = combinationsOf(entity)
      const numbers = first?.map((each) => (each === 'parent' ? PARENT : each.uid)).join()
      return replaced({ combinations: entity.combinations.filter((each) => each.join() !== numbers) })
    }
    case 'filter':
    case 'sort': {
      const uid = entity.attributes[change.attribute % Math.max(1, entity.attributes.length)]?.uid
      if (uid === undefined) return before
      const list = entity[change.kind]
      return replaced({
        enumerable: true,
        [change.kind]: list.includes(uid) ? list.filter((each) => each !== uid) : [...list, uid],
      })
    }
    case 'renameEntity':
      return replaced({ name: `Renamed${used}` })
    case 'removeStruct':
      return entity.uid === 0 ? before : withoutStruct(before, entity)
    case 'add': {
      const added = { ...change.attribute, uid: used, name: nameOf(used) }
      return replaced({ attributes: [...entity.attributes, corrected(added, entity, before)] })
    }
    case 'remove':
    case 'rename':
    case 'unique':
    case 'optional':
    case 'renameAndOptional':
    case 'default':
    case 'optionalAndDefault':
    case 'visibility':
    case 'renameValue':
    case 'rebound':
    case 'renameAndRebound':
    case 'retype': {
      const attribute = entity.attributes[change.attribute % Math.max(1, entity.attributes.length)]
      if (attribute === undefined) return before
      const now = changedAttribute(attribute, change, used)
      const attributes = entity.attributes.flatMap((each) => (each === attribute ? now : [each]))
      return replaced({ attributes: attributes.map((each) => corrected(each, entity, before)) })
    }
    default:
      return assertNever(change)
  }
}

type AttributeEdit = Extract<
  Edit,
  {
    kind:
      | 'remove'
      | 'rename'
      | 'unique'
      | 'optional'
      | 'renameAndOptional'
      | 'default'
      | 'optionalAndDefault'
      | 'retype'
      | 'rebound'
      | 'renameAndRebound'
      | 'renameValue'
      | 'visibility'
  }
>

function changedAttribute(attribute: Attribute, change: AttributeEdit, used: number): Attribute[] {
  switch (change.kind) {
    case 'remove':
      return []
    case 'rename':
      return [{ ...attribute, name: nameOf(used) }]
    case 'unique':
      return [{ ...attribute, unique: !attribute.unique }]
    case 'optional':
      return [{ ...attribute, optional: !attribute.optional }]
    case 'renameAndOptional':
      return [{ ...attribute, name: nameOf(used), optional: !attribute.optional }]
    case 'default':
      return [{ ...attribute, given: change.given }]
    case 'optionalAndDefault':
      return [{ ...attribute, optional: !attribute.optional, given: change.given }]
    case 'visibility':
      return [{ ...attribute, visibility: change.visibility }]
    case 'renameValue':
      return [{ ...attribute, type: withRenamedValue(attribute.type, change.value, `new${used}`) }]
    case 'rebound':
      return [attribute.type.kind === change.type.kind ? { ...attribute, type: change.type } : attribute]
    case 'renameAndRebound':
      return changedAttribute({ ...attribute, name: nameOf(used) }, { ...change, kind: 'rebound' }, used)
    case 'retype':
      return [{ ...attribute, type: change.type }]
    default:
      return assertNever(change)
  }
}

/** Renames a value of an `enum`, some of those that were renamed before back to their first name. */
function withRenamedValue(type: AttributeType, number: number, newName: string): AttributeType {
  const value = type.kind === 'enum' ? type.values[number % type.values.length] : undefined
  if (type.kind !== 'enum' || value === undefined) return type
  const was = new Map(type.was)
  const first = was.get(value) ?? value
  const name = first !== value && number % 2 === 0 ? first : newName
  was.delete(value)
  if (name !== first) was.set(name, first)
  return { ...type, values: type.values.map((each) => (each === value ? name : each)), was }
}

function withoutStruct(before: Definition, struct: Entity): Definition {
  const [service, ...structs] = before.entities
  const rest = structs.filter((each) => each !== struct)
  return {
    ...before,
    entities: [
      service,
      ...rest.map((each) => ({
        ...each,
        attributes: each.attributes.filter(
          ({ type }) => type.kind !== 'sibling' || type.target !== struct.uid,
        ),
      })),
    ],
  }
}

/** Makes an attribute one that the language allows where it is. */
function corrected(attribute: Attribute, entity: Entity, { entities }: Definition): Attribute {
  const isStored = attribute.visibility !== 'client'
  const unique = attribute.unique && isStored
  const optional = attribute.optional && isStored
  const { type } = attribute
  if (type.kind !== 'sibling') return { ...attribute, optional, unique }
  const targets = entities.filter(
    ({ uid }) => uid > 0 && (uid < entity.uid || (optional && uid === entity.uid)),
  )
  const known =
    targets.find(({ uid }) => uid === type.target) ?? targets[type.target % Math.max(1, targets.length)]
  const corrections: AttributeType =
    known === undefined || entity.uid === 0 ? { kind: 'bool' } : { kind: 'sibling', target: known.uid }
  return { ...attribute, optional, unique, type: corrections }
}

const STRUCT_NAMES = ['Room', 'Table', 'VeryLongNameOfAStruct', 'User']
const NAMES = ['order', 'name', 'nightlyRate', 'aNameThatMakesLongConstraintNames']

function nameOf(uid: number): string {
  return `${NAMES[uid % NAMES.length]}${uid}`
}
