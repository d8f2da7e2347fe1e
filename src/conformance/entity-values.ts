import { randomUUID } from 'node:crypto'
import { isReference } from '../model/entities.ts'
import type { Attribute } from '../model/platform.ts'
import { withArticle } from '../naming.ts'
import { requestAttributes, type AttributeValues } from './body.ts'
import type { User } from './client.ts'
import { isDistinct } from './distinct.ts'
import { SkipError } from './exchange.ts'
import { targetResource } from './feasibility.ts'
import { isLeftEmpty, type Resource } from './resource.ts'
import type { SampledOperation } from './samples.ts'
import type { CreatedEntity, TestContext } from './test-context.ts'
import { smallValue } from './values/sample.ts'
import { echoedValue, type Value } from './values/value.ts'
import { zeroValue } from './values/zero.ts'

/** Generates valid values without creating targets of references, for requests that are rejected. */
export function unlinkedValues(resource: Resource): AttributeValues {
  return new Map(
    requestAttributes(resource).map(({ names, type }) => [
      names.declared,
      isReference(type) ? echoedValue(randomUUID()) : smallValue(type),
    ]),
  )
}

/** Creates what references refer to. */
export interface EntitySource {
  create: (
    target: Resource,
    options: { readonly user: User; readonly parent?: CreatedEntity },
  ) => Promise<CreatedEntity>
  /** Returns an entity that the user can refer to: a new one for a `@unique` reference, else a shared one. */
  referenceTarget: (target: Resource, user: User, unique: boolean) => Promise<CreatedEntity>
}

/** Generates the values of a check's entities, and reserves those that must be unique. */
export class EntityValues {
  readonly #test: TestContext
  readonly #source: EntitySource
  readonly #reserved: { resource: Resource; attribute: Attribute; value: Value }[] = []
  readonly #siblings = new Map<string, Promise<CreatedEntity>>()

  constructor(test: TestContext, source: EntitySource) {
    this.#test = test
    this.#source = source
  }

  /**
   * Generates values for all attributes in requests, except the ones given. Creates the targets of required
   * references.
   */
  async generate(
    resource: Resource,
    user: User,
    parent: CreatedEntity | undefined,
    given: Iterable<readonly [string, Value]> = [],
  ): Promise<AttributeValues> {
    const known = new Map(given)
    const values = new Map<string, Value>()
    for (const attribute of resource.entity.attributes)
      if (isDistinct(resource.entity, attribute) && !attribute.inRequest)
        this.#reserveZero(resource, attribute)
    for (const attribute of requestAttributes(resource)) {
      const name = attribute.names.declared
      values.set(name, known.get(name) ?? (await this.#valueFor(resource, attribute, user, parent, 'create')))
    }
    return values
  }

  /** Generates new values for a created entity. Keeps `@unique` references, which may have only one target. */
  async regenerate({ resource, user, parent, values }: CreatedEntity): Promise<AttributeValues> {
    const generated = new Map<string, Value>()
    for (const attribute of requestAttributes(resource)) {
      const name = attribute.names.declared
      const fixed =
        isDistinct(resource.entity, attribute) && targetResource(resource, attribute) !== undefined
      const isSampled = resource.samples.of(resource.label, attribute, 'update').length > 0
      const kept = fixed || (isLeftEmpty(resource, attribute) && !isSampled) ? values.get(name) : undefined
      generated.set(name, kept ?? (await this.#valueFor(resource, attribute, user, parent, 'update')))
    }
    return generated
  }

  /** Reserves a value of a `@unique` attribute. Returns false if another check uses it. */
  reserve(resource: Resource, attribute: Attribute, value: Value): boolean {
    if (!isDistinct(resource.entity, attribute)) return true
    if (!this.#test.uniques.reserve(resource, attribute, value)) return false
    this.#reserved.push({ resource, attribute, value })
    return true
  }

  /** Frees the reserved values, except those of resources with these labels. */
  release(kept: ReadonlySet<string>): void {
    for (const { resource, attribute, value } of this.#reserved)
      if (!kept.has(resource.label)) this.#test.uniques.free(resource, attribute, value)
  }

  /**
   * Reserves the zero value of a `@unique` attribute set by the server. Without hooks, only one entity can have it.
   */
  #reserveZero(resource: Resource, attribute: Attribute): void {
    const zero = echoedValue(zeroValue(attribute))
    if (zero.expected === null) return
    if (this.reserve(resource, attribute, zero) || !this.#test.isolated) return
    throw new SkipError(
      `${withArticle(resource.label)} already exists, and \`${attribute.names.declared}\` is @unique`,
    )
  }

  async #valueFor(
    resource: Resource,
    attribute: Attribute,
    user: User,
    parent: CreatedEntity | undefined,
    operation: SampledOperation,
  ): Promise<Value> {
    const { type } = attribute
    const unique = isDistinct(resource.entity, attribute)
    const sample = this.#sampleFor(resource, attribute, operation)
    if (sample !== undefined) return sample
    if (isLeftEmpty(resource, attribute)) return echoedValue(null)
    if (!isReference(type)) {
      if (!unique) return smallValue(type)
      const value = this.#test.uniques.take(resource, attribute, type)
      this.#reserved.push({ resource, attribute, value })
      return value
    }
    const target = targetResource(resource, attribute)
    if (!target) throw new SkipError(`\`${attribute.names.declared}\` has no target`)
    if (type.kind === 'sibling') return echoedValue((await this.#sibling(target, user, parent, unique)).id)
    if (type.local && !unique && parent) return echoedValue(parent.id)
    if (type.local && !resource.struct && this.#test.feasibility(target).onePerUser) {
      if (target.service.readable !== 'all') throw new SkipError(`a user can read only one ${target.label}`)
      return echoedValue((await this.#source.create(target, { user: await this.#test.freshUser() })).id)
    }
    return echoedValue((await this.#source.referenceTarget(target, user, unique)).id)
  }

  /** Throws `SkipError` if all samples of an attribute are in use that must be unique. */
  #sampleFor(resource: Resource, attribute: Attribute, operation: SampledOperation): Value | undefined {
    const { label, samples } = resource
    if (!isDistinct(resource.entity, attribute)) return samples.next(label, attribute, operation)
    const values = samples.of(label, attribute, operation)
    if (values.length === 0) return undefined
    const value = values.find((each) => this.reserve(resource, attribute, each))
    if (value !== undefined) return value
    throw new SkipError(
      `the check needs more samples of \`${attribute.names.declared}\` of ${label}, which must be unique, than ${values.length}`,
    )
  }

  async #sibling(
    target: Resource,
    user: User,
    parent: CreatedEntity | undefined,
    unique: boolean,
  ): Promise<CreatedEntity> {
    const options = parent ? { user, parent } : { user }
    if (unique) return this.#source.create(target, options)
    const key = `${target.label} ${parent?.id}`
    const sibling = this.#siblings.get(key) ?? this.#source.create(target, options)
    this.#siblings.set(key, sibling)
    return sibling
  }
}
