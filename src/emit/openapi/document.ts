import { hasCriteria } from '../../model/criteria.ts'
import type { Platform } from '../../model/platform.ts'
import { customOperation, customSchemas } from './custom-operations.ts'
import { authenticationOperations } from './authentication.ts'
import type { JsonObject } from '../../json.ts'
import { type DescribedOperation, openApiOperations } from './operations.ts'
import { headers, sharedResponses } from './responses.ts'
import { schemaNames } from './schema-names.ts'
import { schemas } from './schemas.ts'
import { usedComponents } from './used-components.ts'
import { entitiesOf, hasVersions } from '../../model/entities.ts'

/** An OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1.html): plain data. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string
  readonly info: JsonObject
  readonly paths: JsonObject
  readonly components: JsonObject
}

/** Where the gateway serves the document. */
export const DOCUMENT_PATH = '/api/openapi.json'

/**
 * Describes all endpoints of a platform for clients of the gateway. The same platform always gives the same document.
 * It does not include routes of `setup.ts`.
 */
export function openApiDocument(platform: Platform): OpenApiDocument {
  const names = schemaNames(platform)
  const { authentication, services } = platform
  const authenticated = authentication !== undefined
  const operations = [
    ...(authentication === undefined ? [] : authenticationOperations(authentication, names)),
    ...services.flatMap((service) => [
      ...entitiesOf(service).flatMap((entity) =>
        entity.endpoints.flatMap((endpoint) =>
          openApiOperations({ platform, service, entity, endpoint }, names),
        ),
      ),
      ...service.customEndpoints.map((endpoint) => customOperation({ platform, service, endpoint }, names)),
    ]),
  ]
  const paths = pathsOf(operations)
  return {
    openapi: '3.1.1',
    info: {
      title: platform.names.declared,
      description: introduction(platform),
      version: '1.0.0',
      license: { name: 'Not specified', identifier: 'NOASSERTION' },
    },
    servers: [{ url: '/', description: 'The gateway that serves this document.' }],
    ...(authenticated ? {} : { security: [] }),
    tags: tags(platform),
    paths,
    components: usedComponents(paths, {
      schemas: {
        ...schemas(platform, names),
        ...Object.fromEntries(
          services.flatMap(({ customEndpoints }) =>
            customEndpoints.flatMap((endpoint) => Object.entries(customSchemas(endpoint, names))),
          ),
        ),
      },
      responses: sharedResponses(names, authenticated),
      headers: headers(authenticated, {
        hasCriteria: hasCriteria(platform),
        hasVersions: hasVersions(platform),
      }),
      ...(authenticated
        ? {
            securitySchemes: {
              bearer: {
                type: 'http',
                scheme: 'bearer',
                bearerFormat: 'JWT',
                description: 'The `AccessToken` from registration or login, valid for 24 hours by default.',
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
    'Request bodies are parsed as JSON regardless of their `Content-Type`. HEAD is supported wherever GET is. Hooks of a service may reject requests for other reasons and with other statuses than this document lists. Responses of services have the header `X-Request-Id`: `requestId` in the logs.',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function tags({ authentication, services }: Platform): JsonObject[] {
  const own = services.flatMap((service) =>
    entitiesOf(service)
      .filter(
        (entity) =>
          entity.endpoints.length > 0 || (entity === service.entity && service.customEndpoints.length > 0),
      )
      .map((entity) => ({
        name: entity.names.declared,
        description:
          entity.documentation ||
          (entity === service.entity
            ? `Operations on ${entity.names.declared}.`
            : `Entries of ${service.names.declared}.`),
      })),
  )
  if (authentication === undefined) return own
  return [{ name: authentication.names.declared, description: 'Registration and login.' }, ...own]
}

/** Groups operations by path, in the order in which the paths first occur. */
function pathsOf(operations: readonly DescribedOperation[]): JsonObject {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      Object.fromEntries(group.map(({ method, operation }) => [method, operation])),
    ]),
  )
}
