import { assertNever } from '../../../src/model/platform.ts'
import { NOW, valuesOf } from './walk-values.ts'

/** The type of an attribute in a random definition. Bounds are inclusive. */
export type AttributeType =
  | { readonly kind: 'bool' | 'date' | 'time' | 'datetime' | 'other' }
  | { readonly kind: 'string'; readonly min: number; readonly max: number | undefined }
  | NumberType
  | { readonly kind: 'data'; readonly max: number | undefined }
  | {
      readonly kind: 'decimal'
      readonly scale: number
      readonly min: number | undefined
      readonly max: number | undefined
    }
  | EnumType
  /** A reference to a struct with a lower number, or by the rest of a division. */
  | { readonly kind: 'sibling'; readonly target: number }

/** `was` has the first names of renamed values. */
export interface EnumType {
  readonly kind: 'enum'
  readonly values: readonly string[]
  readonly was: ReadonlyMap<string, string>
}

export interface NumberType {
  readonly kind: 'int' | 'float'
  readonly precision: number
  readonly min: number | undefined
  readonly max: number | undefined
}

/** A default: the time, or one of the values of the type, by the rest of a division. */
export type Default = 'now' | number

/** Attributes and structs keep their number when they are renamed. */
export interface Attribute {
  readonly uid: number
  readonly name: string
  readonly type: AttributeType
  readonly optional: boolean
  readonly given: Default | undefined
  readonly unique: boolean
  readonly visibility: 'public' | 'server' | 'serverSet' | 'client'
  readonly doc: string
}

/** A service (number 0) or a struct. */
export interface Entity {
  readonly uid: number
  readonly name: string
  readonly enumerable: boolean
  /** Attributes by number. Those that cannot be in these lists are left out. */
  readonly filter: readonly number[]
  readonly sort: readonly number[]
  /** Combinations of attributes by number, and of the parent. Those that cannot be unique are left out. */
  readonly combinations: readonly (readonly number[])[]
  readonly timestamps: boolean
  /** The segments of `#public`. */
  readonly paths: readonly string[]
  readonly doc: string
  readonly attributes: readonly Attribute[]
}

/** Whom a service with authentication admits. */
export type Readable = (typeof READABLE)[number]
export const READABLE = ['this', 'all', 'agent', '[this, agent]', '[agent, admin]'] as const

/** The number of the parent in a combination. */
export const PARENT = -1

/** A random definition: one service that matters. */
export interface Definition {
  readonly authentication: boolean
  readonly readable: Readable
  readonly entities: readonly [Entity, ...Entity[]]
  /** The number of attributes, structs and names that there ever were. */
  readonly used: number
}

/** The text of a definition. Names that differ from those of `before` have `@was` or `#was`. */
export function textOf(current: Definition, before?: Definition): string {
  const [service, ...structs] = current.entities
  const old = new Map(before?.entities.map((entity) => [entity.uid, entity]))
  const members = (entity: Entity, indent: string): string[] => {
    const was = old.get(entity.uid)
    return [
      ...entity.attributes.map((attribute) => {
        const former = was?.attributes.find(({ uid }) => uid === attribute.uid)
        return indent + attributeText(attribute, former, current)
      }),
      ...(was !== undefined && was.name !== entity.name ? [`${indent}#was(${was.name});`] : []),
      ...(entity.enumerable ? [`${indent}#enumerable${listText(entity)};`] : []),
      ...(entity.timestamps ? [`${indent}#timestamps;`] : []),
      ...combinationsOf(entity).map((combination) => {
        const names = combination.map((each) => (each === 'parent' ? each : each.name))
        return `${indent}#unique[${names.join(', ')}];`
      }),
      ...(current.authentication && entity === service
        ? accessText(current).map((line) => indent + line)
        : []),
    ]
  }
  return [
    `Test: project {${current.authentication ? ' #authMethod(email); #roles[agent, admin]; ' : ''}}`,
    ...(current.authentication ? ['Account: service { nick: string; #auth; }'] : []),
    'Other: service { n: int; }',
    `${docText(service.doc)}${service.name}: service {`,
    ...members(service, '  '),
    ...structs.flatMap((struct) => [
      `  ${docText(struct.doc)}${struct.name}: struct {`,
      ...members(struct, '    '),
      '  }',
    ]),
    '}',
  ].join('\n')
}

function docText(doc: string): string {
  return doc === '' ? '' : `/** ${doc} */ `
}

function attributeText(attribute: Attribute, former: Attribute | undefined, current: Definition): string {
  const { name, type, optional, unique, visibility: seen, doc } = attribute
  const given = defaultText(attribute)
  const isRenamed =
    former !== undefined && former.name !== name && former.visibility !== 'client' && seen !== 'client'
  const renamedValues = type.kind === 'enum' && seen !== 'client' ? [...type.was] : []
  const formerNames = [
    ...(isRenamed ? [former.name] : []),
    ...renamedValues.map(([value, first]) => `${value}: ${first}`),
  ]
  const annotations = [
    ...(unique ? [' @unique'] : []),
    ...(seen === 'public' ? [] : [` @${seen}`]),
    ...(formerNames.length === 0 ? [] : [` @was(${formerNames.join(', ')})`]),
  ]
  const value = `${optional ? '?' : ''}${given === undefined ? '' : ` = ${given}`}`
  return `${docText(doc)}${name}: ${typeText(type, current)}${value}${annotations.join('')};`
}

function typeText(type: AttributeType, { entities }: Definition): string {
  const call = (parameters: Readonly<Record<string, number | string | undefined>>): string => {
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
    return given.length === 0 ? '' : `(${given.map(([name, value]) => `${name}: ${value}`).join(', ')})`
  }
  switch (type.kind) {
    case 'string':
      return `string${call({ maxLength: type.max, minLength: type.min || undefined })}`
    case 'int':
      return `int${call({ max: type.max, min: type.min, precision: type.precision })}`
    case 'float':
      return `float${call({ max: type.max?.toFixed(1), min: type.min?.toFixed(1), precision: type.precision })}`
    case 'decimal':
      return `decimal${call({ max: type.max, min: type.min, scale: type.scale })}`
    case 'data':
      return `data${call({ maxSize: type.max })}`
    case 'enum':
      return `enum(${type.values.join(', ')})`
    case 'other':
      return 'Other'
    case 'sibling':
      return entities.find(({ uid }) => uid === type.target)?.name ?? ''
    case 'bool':
    case 'date':
    case 'time':
    case 'datetime':
      return type.kind
    default:
      return assertNever(type)
  }
}

/** The value of a default; `undefined` without one, and where an attribute cannot have it. */
export function defaultOf({ type, given, visibility }: Attribute): string | undefined {
  const values = valuesOf(type)
  if (given === undefined || visibility === 'client') return undefined
  if (type.kind === 'date' || type.kind === 'time' || type.kind === 'datetime') return NOW
  if (type.kind === 'data' || type.kind === 'other' || type.kind === 'sibling') return undefined
  return given === 'now' ? undefined : values[given % values.length]
}

function defaultText(attribute: Attribute): string | undefined {
  const value = defaultOf(attribute)
  return value !== undefined && attribute.type.kind === 'string' ? JSON.stringify(value) : value
}

function isIndexable({ type, visibility }: Attribute): boolean {
  const isShort = type.kind !== 'string' || (type.max !== undefined && type.max <= MAX_LENGTH)
  return isShort && type.kind !== 'data' && visibility !== 'client'
}

/** The longest text that an index can hold. */
const MAX_LENGTH = 600

/** The combinations that are unique. */
export function combinationsOf({ uid, attributes, combinations }: Entity): (Attribute | 'parent')[][] {
  const found = new Map<string, (Attribute | 'parent')[]>()
  for (const numbers of combinations) {
    const members = numbers.flatMap((number): (Attribute | 'parent')[] => {
      const attribute = attributes.find((each) => each.uid === number)
      if (number === PARENT) return uid === 0 ? [] : ['parent']
      return attribute !== undefined && isIndexable(attribute) ? [attribute] : []
    })
    const length = members.reduce(
      (sum, each) => sum + (each !== 'parent' && each.type.kind === 'string' ? (each.type.max ?? 0) : 0),
      0,
    )
    if (members.length === numbers.length && members.length >= 2 && length <= MAX_LENGTH)
      found.set(numbers.toSorted((a, b) => a - b).join(), members)
  }
  return [...found.values()]
}

function listText({ attributes, filter, sort }: Entity): string {
  const lists = Object.entries({ filter, sort }).flatMap(([name, numbers]) => {
    const found = attributes.filter(
      (each) => numbers.includes(each.uid) && isIndexable(each) && each.visibility !== 'server',
    )
    return found.length === 0 ? [] : [`${name}: [${found.map((each) => each.name).join(', ')}]`]
  })
  return lists.length === 0 ? '' : `(${lists.join(', ')})`
}

function accessText({ readable, entities: [{ paths }] }: Definition): string[] {
  const isDefault = readable === 'this'
  const admitsCreator = readable === 'all' || readable.includes('this')
  return [
    ...(isDefault ? [] : [`#readable(by: ${readable});`]),
    ...(admitsCreator ? [] : ['#writable(by: agent);']),
    ...(paths.length === 0 ? [] : [`#public[${paths.join(', ')}];`]),
  ]
}
