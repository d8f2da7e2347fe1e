import { operationName } from '../../model/endpoints.ts'
import type { Authentication, Entity, Method, Platform, Service } from '../../model/platform.ts'
import { summarizeAccess } from '../../model/describe-access.ts'
import { detailOf } from '../diagram/cards.ts'
import { describeAccess } from '../../model/describe-access.ts'
import { entitiesOf } from '../../model/entities.ts'

/** The data of a platform that the explorer shows. It is sent as JSON. */
export interface PlatformDescription {
  readonly name: string
  readonly documentation: string
  /** Whether the server has a stream of events: requests, health and changes. */
  readonly isLive: boolean
  /** The service that registers users, `undefined` without authentication. */
  readonly authentication:
    | {
        readonly name: string
        readonly path: string
        /** The roles that the explorer's server can give to a new user: those of the platform in `portico dev`. */
        readonly grantableRoles: readonly string[]
      }
    | undefined
  /** The authentication service, if any, then the others in the order of the definition. */
  readonly services: readonly ServiceDescription[]
}

/** One service. */
export interface ServiceDescription {
  readonly name: string
  /** `example-service`, its name in the log. */
  readonly directory: string
  /** `/api/example-service` */
  readonly path: string
  /** A short summary of who can read and write. */
  readonly access: string
  /** Whether users other than the creator can read. */
  readonly isOpen: boolean
  /** Paths that need no token, with everything below them: `/api/home/webhook`. */
  readonly publicPaths: readonly string[]
  /** The entity, then the structs. */
  readonly parts: readonly PartDescription[]
}

/** The entity of a service, or one of its structs. */
export interface PartDescription {
  readonly name: string
  readonly isStruct: boolean
  readonly documentation: string
  readonly attributes: readonly {
    readonly name: string
    readonly detail: string
    readonly documentation: string
  }[]
  readonly endpoints: readonly EndpointDescription[]
}

/** One endpoint. */
interface EndpointDescription {
  /** The `operationId` in the OpenAPI document: `createHome`. */
  readonly id: string
  readonly operation: string
  readonly method: Method
  readonly path: string
  /** Who can call it. */
  readonly access: string
}

/** Describes a platform for the explorer. */
export function describePlatform(platform: Platform, isLive: boolean): PlatformDescription {
  const { names, documentation, authentication, services } = platform
  const authenticated = authentication !== undefined
  return {
    name: names.declared,
    documentation,
    isLive,
    authentication: authenticated
      ? {
          name: authentication.names.declared,
          path: authentication.path,
          grantableRoles: isLive ? authentication.roles : [],
        }
      : undefined,
    services: [
      ...(authenticated ? [authenticationService(authentication)] : []),
      ...services.map((service) => describeService(service, authenticated)),
    ],
  }
}

function authenticationService({ names, directory, path }: Authentication): ServiceDescription {
  const endpoint = (id: string): EndpointDescription => ({
    id,
    operation: id,
    method: 'POST',
    path: `${path}/${id}`,
    access: 'anyone',
  })
  return {
    name: names.declared,
    directory,
    path,
    access: 'open to anyone',
    isOpen: true,
    publicPaths: [],
    parts: [
      {
        name: names.declared,
        isStruct: false,
        documentation: 'Registers users and logs them in.',
        attributes: [],
        endpoints: [endpoint('register'), endpoint('login')],
      },
    ],
  }
}

function describeService(service: Service, authenticated: boolean): ServiceDescription {
  return {
    name: service.names.declared,
    directory: service.directory,
    path: service.path,
    access: summarizeAccess(service, authenticated),
    isOpen: service.readable === 'all',
    publicPaths: service.publicPaths,
    parts: entitiesOf(service).map((entity) => describePart(entity, service, authenticated)),
  }
}

function describePart(entity: Entity, service: Service, authenticated: boolean): PartDescription {
  const isStruct = entity !== service.entity
  return {
    name: entity.names.declared,
    isStruct,
    documentation: entity.documentation,
    attributes: entity.attributes.map((attribute) => ({
      name: attribute.names.declared,
      detail: detailOf(attribute),
      documentation: attribute.documentation,
    })),
    endpoints: entity.endpoints.map((endpoint) => ({
      id: operationName(entity, endpoint),
      operation: endpoint.operation,
      method: endpoint.method,
      path: endpoint.paths.at(-1) ?? endpoint.paths[0],
      access: describeAccess(endpoint.operation, isStruct, service, authenticated),
    })),
  }
}
