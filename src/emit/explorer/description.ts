import { operationName } from '../../model/operation-names.ts'
import type { Authentication, Entity, Method, Platform, Service } from '../../model/platform.ts'
import { accessWords } from '../diagram/access.ts'
import { detailOf } from '../diagram/cards.ts'
import { accessOf } from '../docs/access.ts'

/** A platform as the explorer shows it: plain data, which crosses the network as JSON. */
export interface PlatformDescription {
  readonly name: string
  readonly documentation: string
  /** Whether what happens on it can be followed as well: requests, health and changes. */
  readonly isLive: boolean
  /** The service that registers users, `undefined` without authentication. */
  readonly authentication: { readonly name: string; readonly path: string } | undefined
  /** With the authentication service, which comes first; then in the order of the definition. */
  readonly services: readonly ServiceDescription[]
}

/** One service. */
export interface ServiceDescription {
  readonly name: string
  /** `example-service`: what the log calls it. */
  readonly directory: string
  /** `/api/example-service` */
  readonly path: string
  /** Who reads and writes, in a few words. */
  readonly access: string
  /** Whether others than the creator may read. */
  readonly isOpen: boolean
  /** Its entity and its structs. */
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
export interface EndpointDescription {
  /** As in the OpenAPI document: `createHome`. */
  readonly id: string
  readonly operation: string
  readonly method: Method
  readonly path: string
  /** Who may use it. */
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
      ? { name: authentication.names.declared, path: authentication.path }
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
    access: 'everybody',
  })
  return {
    name: names.declared,
    directory,
    path,
    access: 'open to everybody',
    isOpen: true,
    parts: [
      {
        name: names.declared,
        isStruct: false,
        documentation: 'Registers users and signs them in.',
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
    access: accessWords(service, authenticated),
    isOpen: service.readable === 'all',
    parts: [service.entity, ...service.structs].map((entity) => describePart(entity, service, authenticated)),
  }
}

function describePart(entity: Entity, service: Service, authenticated: boolean): PartDescription {
  const own = entity === service.entity
  return {
    name: entity.names.declared,
    isStruct: !own,
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
      access: accessOf(endpoint.operation, own, service, authenticated),
    })),
  }
}
