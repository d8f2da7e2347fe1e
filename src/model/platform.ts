/**
 * The model of a platform: plain, readonly data. All defaults are filled in, all references are resolved, and all
 * derived names, paths, ports and limits are computed. Emitters and hosts read only the model, not the definition.
 */

import type { Access } from '../access.ts'
import type { DatabaseServerKind, Language } from '../language/builtins.ts'
import type { Names } from '../naming.ts'

export type { Access, Language, Names }

export type Provider = 'dockerCompose' | 'kube'

/** A whole platform. */
export interface Platform {
  readonly names: Names
  /** The project's doc comment as plain text, lines joined by `\n`; empty without one. */
  readonly documentation: string
  readonly provider: Provider
  /** `undefined` without `#authMethod`. Then entities have no owner, and tokens are ignored. */
  readonly authentication: Authentication | undefined
  readonly metrics: 'prometheus' | undefined
  /** Whether deployments have a Postgres for each service, or one for all. */
  readonly databaseServer: DatabaseServerKind
  /** The path of the project as a Go module: `example.com/shop`. */
  readonly module: string
  /** In the order of the definition. */
  readonly services: readonly Service[]
}

/** What every service has. The database of a renamed service (`#was`) keeps its names. */
export interface ServiceBase {
  readonly names: Names
  readonly language: Language
  /** Directory of the code, relative to the output: `home`. Also the host name in deployments. */
  readonly directory: string
  /** Directory of the database schema: `home-db`. Also the host name of a dedicated server, and on Kubernetes of any. */
  readonly databaseDirectory: string
  /** Name of the database and of the role that owns it: `home`. */
  readonly database: string
  /** The first part of environment variables about its deployment: `HOME`. */
  readonly variablePrefix: string
  /** Directory of the service's secrets, relative to that of all secrets: `home`. */
  readonly secretsDirectory: string
  /** Port of the API inside the container, which the gateway calls. */
  readonly port: number
  /** Port of health checks and requests from other services, which the gateway never calls. */
  readonly internalPort: number
  /** Port of metrics, which only Prometheus calls. */
  readonly metricsPort: number
  /** Path on the gateway: `/api/example-service`. */
  readonly path: string
  /** Maximum size of a request body in bytes, 64 KiB to 64 MiB. */
  readonly maxBodyBytes: number
  /** Maximum number of connections to the database for requests: as many as its memory allows. */
  readonly connections: number
  /** Memory in MiB that these connections need for the largest rows that the definition allows. */
  readonly rowMemory: number
  /**
   * What it calls: first the services that its attributes reference, in order of first reference, then those in
   * `#uses`, among which can be the authentication service.
   */
  readonly calls: readonly ServiceTarget[]
}

/** The generated authentication service (`#authMethod(email)`). It calls the services in `#uses` of the project. */
export interface Authentication extends ServiceBase {
  readonly method: 'email'
  /** The roles that users can have (`#roles`), in the order of the definition. */
  readonly roles: readonly string[]
  /** The table of user accounts: `auth`. */
  readonly table: string
  /** The directories of the services that read accounts (`#uses[Auth]`), in the order of the definition. */
  readonly readers: readonly string[]
}

/** A declared service: one entity, its structs, and the services that it calls. */
export interface Service extends ServiceBase {
  /** Its former names (`#was`), which its database keeps; `undefined` if it was not renamed. */
  readonly was: Names | undefined
  /** Whether it stores user metadata (`#auth`): one entity per user, with the id of the user's token. */
  readonly storesUsers: boolean
  /** Who may read. `all` without authentication. */
  readonly readable: Access
  /** Who may write. `all` without authentication. */
  readonly writable: Access
  /** Paths on the gateway, with everything below them, that need no token (`#public[...]`): `/api/home/webhook`. */
  readonly publicPaths: readonly string[]
  /** Whether creates can be repeated with a key (`#idempotent`). */
  readonly idempotent: boolean
  readonly entity: Entity
  /** In the order of the definition. */
  readonly structs: readonly Struct[]
  /** Routes with the user's own code (`endpoint` blocks), in the order of the definition. */
  readonly customEndpoints: readonly CustomEndpoint[]
  /** Work in the background with the user's own code (`job` blocks), in the order of the definition. */
  readonly jobs: readonly Job[]
  /** Whether others reference or use it. Then it serves their requests on its internal port. */
  readonly referenced: boolean
}

/** The entity of a service, or a struct. */
export interface Entity {
  readonly names: Names
  /** Its former names (`#was`); those of the service for a service's entity. */
  readonly was: Names | undefined
  readonly documentation: string
  /** Table in the service's own database, not quoted. */
  readonly table: string
  /** All attributes in the order of the definition, including `@client` ones, which are not stored. */
  readonly attributes: readonly Attribute[]
  /** Combinations of attributes of which no two entities have the same values (`#unique`). */
  readonly combinations: readonly Combination[]
  /**
   * Whether entities have versions (`#versioned`), and whether requests that change or delete one must name it;
   * `undefined` without versions.
   */
  readonly version: 'optional' | 'required' | undefined
  /** Endpoints in the order create, read, update, patch, delete, list, identify, without the omitted ones. */
  readonly endpoints: readonly Endpoint[]
  /** Key of a list in responses: `HomeList`. */
  readonly listKey: string
  /** What clients can filter and sort the list by; `undefined` for a list that only has pages. */
  readonly criteria: Criteria | undefined
  /** Whether its table has a column for the owner: not in `#auth` services, whose entities are users, nor in structs. */
  readonly hasOwner: boolean
  /** Whether most callers may read only their own entities, so that lists are read by owner. */
  readonly listedByOwner: boolean
}

/** The members of a combination as declared: stored attributes and, in a struct, the parent of an entry. */
export type Combination = readonly (Attribute | 'parent')[]

/** A struct: any number of entries per entity of its parent service, with the parent's access rules. */
export interface Struct extends Entity {
  /** Names of the service that contains it. */
  readonly parent: Names
  /** Whether an attribute of a sibling struct references it. */
  readonly referenced: boolean
}

/** What clients can ask of a list besides its pages. */
export interface Criteria {
  /** The attributes that it can be filtered by, in the order of the definition. */
  readonly filter: readonly Attribute[]
  /** The attributes that it can be sorted by, in the order of the definition. */
  readonly sort: readonly Attribute[]
}

/** `patch` exists where `update` does, and has its hooks. */
export type Operation = 'create' | 'read' | 'update' | 'patch' | 'delete' | 'list' | 'identify'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One endpoint. */
export interface Endpoint {
  readonly operation: Operation
  readonly method: Method
  /**
   * Paths on the gateway, with the parameters `{id}` and `{parent-id}`: `/api/home/{id}`. A struct's list has two
   * (`.../photo/{id}/all` and `.../photo/all`), every other endpoint has one.
   */
  readonly paths: readonly [string, ...string[]]
  /** Status of a successful response. */
  readonly success: 200 | 201 | 302
}

/** A route with the user's own code, whose requests and responses are declared. */
export interface CustomEndpoint {
  readonly names: Names
  readonly documentation: string
  readonly method: Method
  /** Path on the gateway, with the id of an entity as `{id}` and attributes in braces: `/api/home/{id}/quote`. */
  readonly path: string
  /** Whether the path has `{id}`. */
  readonly hasId: boolean
  /** The attributes in the path, in its order. All others of a request are in the query (GET, DELETE) or the body. */
  readonly pathAttributes: readonly Attribute[]
  /** The attributes that a request has besides those in the path. */
  readonly requestAttributes: readonly Attribute[]
  readonly response: CustomResponse
  /** Status of a successful response. */
  readonly status: number
  /** What is checked of the entity in the path before the handler; `undefined` if nothing is. */
  readonly check: 'readable' | 'writable' | undefined
  /** Roles of which the caller must have one; empty for every user. */
  readonly roles: readonly string[]
  /** Whether requests need no token. */
  readonly isPublic: boolean
}

/** What a custom endpoint returns: attributes of its own, an entity in its public form, or a page of entities. */
export type CustomResponse =
  | { readonly kind: 'object'; readonly attributes: readonly Attribute[] }
  | { readonly kind: 'entity' | 'list'; readonly entity: Entity }

/** Work in the background, which the service stores in its database and tries until it succeeds. */
export interface Job {
  readonly names: Names
  /** Its former names (`#was`), which jobs that wait may have; `undefined` if it was not renamed. */
  readonly was: Names | undefined
  readonly documentation: string
  /** The payload. References are ids of which nothing is checked. */
  readonly attributes: readonly Attribute[]
  /** When it runs by itself, as a cron expression in UTC; `undefined` if the user's code adds it. */
  readonly schedule: string | undefined
}

/** An endpoint with its platform, service and entity, which is the service's own or one of its structs. */
export interface EndpointContext {
  readonly platform: Platform
  readonly service: Service
  readonly entity: Entity
  readonly endpoint: Endpoint
}

/** A custom endpoint with its platform and service. */
export interface CustomEndpointContext {
  readonly platform: Platform
  readonly service: Service
  readonly endpoint: CustomEndpoint
}

/**
 * Where an attribute is visible: everywhere, in responses only, in requests only, or in hooks only. A `timestamp`
 * (`#timestamps`) is in responses only, and the database sets it.
 */
export type Visibility = 'public' | 'serverSet' | 'client' | 'server' | 'timestamp'

/** One attribute of an entity. */
export interface Attribute {
  readonly names: Names
  /** The column that it had under its former name, or with its former values (`@was`); `undefined` if neither changed. */
  readonly was: string | undefined
  /** The renamed values of an `enum`, each with its former name. They are stored in a column of their own. */
  readonly formerValues?: readonly (readonly [value: string, former: string])[]
  readonly documentation: string
  readonly type: AttributeType
  readonly visibility: Visibility
  readonly unique: boolean
  /** Whether it can be `null` (`?`). */
  readonly optional: boolean
  /** What is stored when a request leaves it out, or before a hook sets it; `undefined` without a default. */
  readonly default: DefaultValue | undefined
  /** Whether clients can send it: `public` and `client`. */
  readonly inRequest: boolean
  /** Whether clients must send it: they can, and it is neither optional nor has a default. */
  readonly required: boolean
  /** Whether responses contain it: `public` and `serverSet`. */
  readonly inResponse: boolean
  /** Whether it has a column: all except `client`. */
  readonly stored: boolean
}

/** The default of an attribute: a value in its JSON form, or the time of the request. */
export type DefaultValue =
  | { readonly kind: 'value'; readonly value: boolean | number | string }
  | { readonly kind: 'now' }

export type AttributeType =
  | BoolType
  | StringType
  | IntType
  | FloatType
  | DecimalType
  | DateType
  | TimeType
  | DatetimeType
  | DataType
  | EnumType
  | ServiceReference
  | SiblingReference

export interface BoolType {
  readonly kind: 'bool'
}

/** Inclusive lengths in Unicode code points; `undefined` if the definition sets no bound. */
export interface StringType {
  readonly kind: 'string'
  readonly minLength: number
  readonly maxLength: number | undefined
}

/** Inclusive bounds, which default to the range of the precision. */
export interface IntType {
  readonly kind: 'int'
  readonly column: 'smallint' | 'integer' | 'bigint'
  /** 1 to 8. */
  readonly bytes: number
  readonly min: bigint
  readonly max: bigint
  /** The bounds in the API: `min` and `max`, limited to integers that JSON represents exactly (±(2^53-1)). */
  readonly jsonMin: number
  readonly jsonMax: number
  /** Bounds that the database has to check, because the column's type allows more. */
  readonly checkMin: bigint | undefined
  readonly checkMax: bigint | undefined
}

/** Inclusive bounds, rounded to the column's precision; `undefined` if the definition sets none. */
export interface FloatType {
  readonly kind: 'float'
  readonly column: 'real' | 'double precision'
  readonly min: number | undefined
  readonly max: number | undefined
}

/** Inclusive bounds as multiples of 10^-scale; `undefined` if the definition sets none. */
export interface DecimalType {
  readonly kind: 'decimal'
  /** Digits after the point, 0 to 18. */
  readonly scale: number
  readonly min: bigint | undefined
  readonly max: bigint | undefined
}

export interface DateType {
  readonly kind: 'date'
}

export interface TimeType {
  readonly kind: 'time'
}

export interface DatetimeType {
  readonly kind: 'datetime'
}

/** Maximum size in bytes; `undefined` if the definition sets none. */
export interface DataType {
  readonly kind: 'data'
  readonly maxSize: number | undefined
}

/** Words, at least one, all different, in the order of the definition. The first is the zero value. */
export interface EnumType {
  readonly kind: 'enum'
  readonly values: readonly [string, ...string[]]
  /** How a value can change (`@transitions`); `undefined` if it can in every way. */
  readonly transitions?: Transitions
}

/** The states of an entity, and how they follow each other. */
export interface Transitions {
  /** The value that a create stores. */
  readonly initial: string
  /** Every value with those that it can become, in the order of the definition. */
  readonly next: readonly (readonly [from: string, to: readonly string[]])[]
}

/** A foreign key to an entity of another service or, in a struct, of the parent service. */
export interface ServiceReference {
  readonly kind: 'reference'
  readonly target: ServiceTarget
  /** Whether the target is the attribute's own service, so that its own database can check the reference. */
  readonly local: boolean
}

/** A foreign key to an entry of a sibling struct under the same parent. */
export interface SiblingReference {
  readonly kind: 'sibling'
  readonly target: Names
  readonly table: string
}

/** What a service needs to know in order to call another one. */
export interface ServiceTarget {
  readonly names: Names
  /** Whether it is the authentication service, of which services read accounts. */
  readonly isAuthentication: boolean
  /** Directory and host name. */
  readonly directory: string
  /** The environment variable with the URL at which other services call it: `HOME_INTERNAL_URL`. */
  readonly urlVariable: string
  /** The default of that variable: `http://home:8081`. */
  readonly url: string
}

/** Makes compilation fail if a case of a union is not handled. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`)
}
