import type { Entity, Platform } from '../../model/platform.ts'
import { authenticationOperations } from './authentication.ts'
import type { JsonObject } from './json.ts'
import { type DescribedOperation, operationsOf } from './operations.ts'
import { headers, sharedResponses } from './responses.ts'
import { schemaNames } from './schema-names.ts'
import { schemas } from './schemas.ts'
import { usedComponents } from './used-components.ts'

/** A description of an API as OpenAPI 3.1 has it (https://spec.openapis.org/oas/v3.1.1.html): plain data. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
  readonly info: JsonObject
  readonly paths: JsonObject
  readonly components: JsonObject
}

/** Where the gateway serves the document. */
export const DOCUMENT_PATH = '/api/openapi.json'

/**
 * Describes every endpoint of a platform as clients of the gateway meet it. The same platform gives the same
 * document. Routes that users add themselves are not part of it.
 */
export function openApiDocument(platform: Platform): OpenApiDocument {
  const names = schemaNames(platform)
  const { authentication, services } = platform
  const authenticated = authentication !== undefined
  const operations = [
    ...(authentication === undefined ? [] : authenticationOperations(authentication, names)),
    ...services.flatMap((service) =>
      [service.entity, ...service.structs].flatMap((entity: Entity) =>
        entity.endpoints.flatMap((endpoint) => operationsOf({ platform, service, entity, endpoint }, names)),
      ),
    ),
  ]
  const paths = pathsOf(operations)
  return {
    openapi: '3.1.1',
    info: {
      title: platform.names.declared,
      description: introduction(platform),
      version: '1.0.0',
      license: { name: 'The definition states none', identifier: 'NOASSERTION' },
    },
    servers: [{ url: '/', description: 'The gateway that serves this document.' }],
    ...(authenticated ? {} : { security: [] }),
    tags: tags(platform),
    paths,
    components: usedComponents(paths, {
      schemas: schemas(platform, names),
      responses: sharedResponses(names, authenticated),
      headers: headers(authenticated),
      ...(authenticated
        ? {
            securitySchemes: {
              bearer: {
                type: 'http',
                scheme: 'bearer',
                bearerFormat: 'JWT',
                description: 'The `AccessToken` of registering or signing in. It is valid for 24 hours.',
              },
            },
          }
        : {}),
    }),
  }
}

function introduction({ documentation }: Platform): string {
  return [
    documentation,
    'Bodies are JSON, whatever their `Content-Type` says. HEAD works wherever GET does. Hooks of a service may refuse more than this document says, with a status of their own.',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function tags({ authentication, services }: Platform): JsonObject[] {
  const own = services.flatMap((service) =>
    [service.entity, ...service.structs]
      .filter(({ endpoints }: Entity) => endpoints.length > 0)
      .map((entity: Entity) => ({
        name: entity.names.declared,
        description:
          entity.documentation ||
          (entity === service.entity
            ? `Everything about ${entity.names.declared}.`
            : `Entries of ${service.names.declared}.`),
      })),
  )
  if (authentication === undefined) return own
  return [{ name: authentication.names.declared, description: 'Registers users and signs them in.' }, ...own]
}

/** Operations of one path stand together, in the order in which the path comes first. */
function pathsOf(operations: readonly DescribedOperation[]): JsonObject {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      Object.fromEntries(group.map(({ method, operation }) => [method, operation])),
    ]),
  )
}
