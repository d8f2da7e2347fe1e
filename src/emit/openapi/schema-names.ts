import type { Entity, Platform } from '../../model/platform.ts'

/** The schemas that stand for one entity. */
export interface EntitySchemaNames {
  /** As it is answered: the declared name. */
  readonly answer: string
  /** What clients send to create or update it: `HomeRequest`. */
  readonly request: string
  /** A page of it, or all of it: `HomeList`. */
  readonly list: string
}

/** The names of all schemas of a document. */
export interface SchemaNames {
  readonly of: (entity: Entity) => EntitySchemaNames
  readonly error: string
  readonly gatewayError: string
  readonly credentials: string
  readonly accessToken: string
  readonly deleted: string
}

/** Declared names stay as they are; a name of ours that is declared too gets a number behind it. */
export function schemaNames({ services }: Platform): SchemaNames {
  const entities = services.flatMap(({ entity, structs }): Entity[] => [entity, ...structs])
  // Generators of clients may ignore case, or write words in another one.
  const used = new Set(entities.map(({ names }) => names.kebab.replaceAll('-', '')))
  const own = (name: string): string => {
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name}${number}`
      if (used.has(candidate.toLowerCase())) continue
      used.add(candidate.toLowerCase())
      return candidate
    }
  }
  const byEntity = new Map(
    entities.map((entity): [Entity, EntitySchemaNames] => {
      const { declared } = entity.names
      return [entity, { answer: declared, request: own(`${declared}Request`), list: own(entity.listKey) }]
    }),
  )
  return {
    of: (entity) => {
      const names = byEntity.get(entity)
      if (names === undefined) throw new Error(`${entity.names.declared} is not of this platform`)
      return names
    },
    error: own('Error'),
    gatewayError: own('GatewayError'),
    credentials: own('Credentials'),
    accessToken: own('AccessToken'),
    deleted: own('Deleted'),
  }
}

/** A reference to a schema of the document. */
export function schemaReference(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}
