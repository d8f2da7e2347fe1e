import { customOperationName, inputAttributes } from '../../model/custom-endpoints.ts'
import { operationName } from '../../model/endpoints.ts'
import type {
  Attribute,
  Authentication,
  CustomEndpointContext,
  Entity,
  EndpointContext,
  Method,
  Platform,
  Service,
} from '../../model/platform.ts'
import { describeCombination } from '../../model/combination.ts'
import {
  customPermissionsOf,
  describeCustomEndpointAccess,
  describeEndpointAccess,
  type Permission,
  type Permissions,
  permissionsOf,
  summarizeAccess,
} from '../../model/describe-access.ts'
import { entitiesOf } from '../../model/entities.ts'
import { hasQueue } from '../database/jobs.ts'
import { describeRequestUse, describeType } from '../../model/type-description.ts'

/** What `portico dev` knows besides the definition. */
export interface LiveDescription {
  /** The files with hooks and routes that the user has written, by directory of the service. */
  readonly customCode: ReadonlyMap<string, string>
}

/** The data of a platform that the explorer shows. It is sent as JSON. */
export interface PlatformDescription {
  readonly name: string
  readonly documentation: string
  /** Whether `portico dev` serves it: with a stream of events, the rows of databases, and what it knows of the code. */
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
  /** The kinds of callers: `without a token`, `any user`, `creator`, then the roles. Or `anyone`. */
  readonly callers: readonly string[]
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
  /** Whether its database has jobs. */
  readonly hasJobs: boolean
  /** Paths that need no token, with everything below them: `/api/home/webhook`. */
  readonly publicPaths: readonly string[]
  /** In `portico dev`, the file with hooks and routes of the user: `home/src/setup.ts`. `undefined` if it has none. */
  readonly customCode: string | undefined
  /** The entity, then the structs. */
  readonly parts: readonly PartDescription[]
}

/** The entity of a service, or one of its structs. */
export interface PartDescription {
  readonly name: string
  readonly isStruct: boolean
  readonly documentation: string
  readonly attributes: readonly AttributeDescription[]
  /** The combinations of which no two entities have the same values: `` `home` and `author` ``. */
  readonly combinations: readonly string[]
  readonly endpoints: readonly EndpointDescription[]
}

/** One attribute. Code in its texts is in backticks. */
export interface AttributeDescription {
  readonly name: string
  /** Its values: `integer, 1 to 40, unique`. */
  readonly values: string
  /** Whether requests contain it: `required`, `` optional, default: `3` ``, `no`. */
  readonly inRequests: string
  readonly inResponses: boolean
  readonly documentation: string
  /** The service and the part that its values are ids of, if any. */
  readonly references: readonly [service: string, part: string] | undefined
}

/** One endpoint. */
export interface EndpointDescription {
  /** The `operationId` in the OpenAPI document: `createHome`. */
  readonly id: string
  readonly operation: string
  readonly method: Method
  readonly path: string
  /** Who can call it. */
  readonly access: string
  /** What it allows each of the platform's callers, as far as the definition decides. */
  readonly permissions: readonly Permission[]
  /** The attributes of its requests, for an endpoint that does not have those of its part. */
  readonly attributes?: readonly AttributeDescription[]
}

/**
 * Describes a platform for the explorer.
 *
 * @param live what `portico dev` knows; `undefined` for a deployed explorer
 */
export function describePlatform(platform: Platform, live: LiveDescription | undefined): PlatformDescription {
  const { names, documentation, authentication, services } = platform
  return {
    name: names.declared,
    documentation,
    isLive: live !== undefined,
    authentication:
      authentication === undefined
        ? undefined
        : {
            name: authentication.names.declared,
            path: authentication.path,
            grantableRoles: live === undefined ? [] : authentication.roles,
          },
    callers:
      authentication === undefined
        ? ['anyone']
        : ['without a token', 'any user', 'creator', ...authentication.roles],
    services: [
      ...(authentication === undefined ? [] : [authenticationService(authentication, live)]),
      ...services.map((service) => describeService(platform, service, live)),
    ],
  }
}

function authenticationService(
  { names, directory, path, roles }: Authentication,
  live: LiveDescription | undefined,
): ServiceDescription {
  const endpoint = (id: string): EndpointDescription => ({
    id,
    operation: id,
    method: 'POST',
    path: `${path}/${id}`,
    access: 'anyone',
    permissions: ['all', 'all', 'all', ...roles.map(() => 'all' as const)],
  })
  return {
    name: names.declared,
    directory,
    path,
    access: 'open to anyone',
    isOpen: true,
    hasJobs: false,
    publicPaths: [],
    customCode: live?.customCode.get(directory),
    parts: [
      {
        name: names.declared,
        isStruct: false,
        documentation: 'Registers users and logs them in.',
        attributes: [],
        combinations: [],
        endpoints: [endpoint('register'), endpoint('login')],
      },
    ],
  }
}

function describeService(
  platform: Platform,
  service: Service,
  live: LiveDescription | undefined,
): ServiceDescription {
  return {
    name: service.names.declared,
    directory: service.directory,
    path: service.path,
    access: summarizeAccess(service, platform.authentication !== undefined),
    isOpen: service.readable === 'all',
    hasJobs: hasQueue(service),
    publicPaths: service.publicPaths,
    customCode: live?.customCode.get(service.directory),
    parts: entitiesOf(service).map((entity) => describePart(platform, service, entity)),
  }
}

function describePart(platform: Platform, service: Service, entity: Entity): PartDescription {
  return {
    name: entity.names.declared,
    isStruct: entity !== service.entity,
    documentation: entity.documentation,
    attributes: entity.attributes.map((attribute) => describeAttribute(attribute, service)),
    combinations: entity.combinations.map(describeCombination),
    endpoints: [
      ...entity.endpoints.map((endpoint) => describeEndpoint({ platform, service, entity, endpoint })),
      ...(entity === service.entity
        ? service.customEndpoints.map((endpoint) => describeCustomEndpoint({ platform, service, endpoint }))
        : []),
    ],
  }
}

function describeAttribute(attribute: Attribute, { names }: Service): AttributeDescription {
  const { type, unique, inResponse, documentation } = attribute
  return {
    name: attribute.names.declared,
    values: `${describeType(type)}${unique ? ', unique' : ''}`,
    inRequests: describeRequestUse(attribute),
    inResponses: inResponse,
    documentation,
    references:
      type.kind === 'reference'
        ? [type.target.names.declared, type.target.names.declared]
        : type.kind === 'sibling'
          ? [names.declared, type.target.declared]
          : undefined,
  }
}

function describeEndpoint(context: EndpointContext): EndpointDescription {
  const { platform, entity, endpoint } = context
  return {
    id: operationName(entity, endpoint),
    operation: endpoint.operation,
    method: endpoint.method,
    path: endpoint.paths.at(-1) ?? endpoint.paths[0],
    access: describeEndpointAccess(context),
    permissions: permissionList(platform, permissionsOf(context)),
  }
}

function describeCustomEndpoint(context: CustomEndpointContext): EndpointDescription {
  const { platform, service, endpoint } = context
  return {
    id: customOperationName(endpoint, service),
    operation: endpoint.names.camel,
    method: endpoint.method,
    path: endpoint.path,
    access: describeCustomEndpointAccess(context),
    permissions: permissionList(platform, customPermissionsOf(context)),
    attributes: inputAttributes(endpoint).map((attribute) => describeAttribute(attribute, service)),
  }
}

function permissionList(
  { authentication }: Platform,
  { anonymous, user, creator, roles }: Permissions,
): readonly Permission[] {
  return authentication === undefined ? [anonymous] : [anonymous, user, creator, ...roles]
}
