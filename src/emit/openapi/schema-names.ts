import type { CustomEndpoint, Entity, Platform } from '../../model/platform.ts'
import { entitiesOf } from '../../model/entities.ts'

/** The names of the schemas of one entity. */
interface EntitySchemaNames {
  /** The entity in responses: the declared name. */
  readonly response: string
  /** The body of a create or an update: `HomeRequest`. */
  readonly request: string
  /** The body of a patch: `HomePatch`. */
  readonly patch: string
  /** A list of entities: `HomeList`. */
  readonly list: string
}

/** The names of the schemas of a custom endpoint. */
interface CustomSchemaNames {
  /** The body: `QuoteHomeRequest`. */
  readonly request: string
  /** The response, unless it is an entity: `QuoteHomeResponse`. */
  readonly response: string
}

/** The names of all schemas of a document. */
export interface SchemaNames {
  readonly ofCustom: (endpoint: CustomEndpoint) => CustomSchemaNames
  readonly of: (entity: Entity) => EntitySchemaNames
  readonly error: string
  readonly gatewayError: string
  readonly credentials: string
  readonly accessToken: string
  readonly deleted: string
}

/** Chooses the names of all schemas. A number is appended to a generated name that is also declared. */
export function schemaNames({ services }: Platform): SchemaNames {
  const entities = services.flatMap(entitiesOf)
  // Names must also differ in lower case, because client generators may change the case.
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
      const [request, patch] = [own(`${declared}Request`), own(`${declared}Patch`)]
      return [entity, { response: declared, request, patch, list: own(entity.listKey) }]
    }),
  )
  const byEndpoint = new Map(
    services.flatMap((service) =>
      service.customEndpoints.map((endpoint): [CustomEndpoint, CustomSchemaNames] => {
        const name = `${endpoint.names.declared}${service.names.declared}`
        return [endpoint, { request: own(`${name}Request`), response: own(`${name}Response`) }]
      }),
    ),
  )
  return {
    ofCustom: (endpoint) => {
      const names = byEndpoint.get(endpoint)
      if (names === undefined) throw new Error(`${endpoint.names.declared} is not part of this platform`)
      return names
    },
    of: (entity) => {
      const names = byEntity.get(entity)
      if (names === undefined) throw new Error(`${entity.names.declared} is not part of this platform`)
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
