/**
 * The model of a platform: plain, readonly data in which every default is filled in, every reference is
 * followed and every derived name, path, port and limit is worked out once. Emitters and hosts read this
 * and nothing else of a definition.
 */

/** One declared name in every form that the output uses. */
export interface Names {
  /** As written: `ExampleService`, `orderDate`. JSON, messages and documentation use it. */
  readonly declared: string
  /** `example-service`: paths, directories, host names. */
  readonly kebab: string
  /** `example_service`: tables and columns, not quoted yet. */
  readonly snake: string
  /** `exampleService`: identifiers of values, not escaped for reserved words yet. */
  readonly camel: string
}

export type Language = 'typescript' | 'go'
export type Provider = 'dockerCompose' | 'kube'
export type Access = 'this' | 'all'

/** A whole platform. */
export interface Platform {
  readonly names: Names
  /** The project's doc comment as plain text, lines joined by `\n`; empty without one. */
  readonly documentation: string
  readonly provider: Provider
  /** `undefined` without `#authMethod`: then nobody is anybody's, and tokens are ignored. */
  readonly authentication: Authentication | undefined
  readonly metrics: 'prometheus' | undefined
  /** In the order of the definition. */
  readonly services: readonly Service[]
}

/** Where something that runs listens and where its files lie. */
export interface Deployment {
  /** Directory of its code, relative to the output: `home`. Also its host name in deployments. */
  readonly directory: string
  /** Directory of its schema: `home-db`. */
  readonly databaseDirectory: string
  /** Name of its database and of the role that owns it: `home`. */
  readonly database: string
  /** Port of the API inside its container; the gateway addresses it. */
  readonly port: number
  /** Port of health, metrics and reference checks, which the gateway never addresses. */
  readonly internalPort: number
}

/** The generated authentication service (`#authMethod(email)`). */
export interface Authentication extends Deployment {
  readonly method: 'email'
  /** Names of the service: `Auth`, `auth`. */
  readonly names: Names
  readonly language: Language
  /** `auth`: the table of its records. */
  readonly table: string
  /** Under the gateway: `/api/auth`. */
  readonly path: string
  /** Largest body in bytes. */
  readonly maxBodyBytes: number
}

/** A declared service: one entity, its structs, and what it calls. */
export interface Service extends Deployment {
  readonly names: Names
  readonly language: Language
  /** Under the gateway: `/api/example-service`. */
  readonly path: string
  /** The store of user metadata (`#auth`): one entity a token, whose id is the token's. */
  readonly identity: boolean
  /** Who may read. `all` without authentication. */
  readonly readable: Access
  /** Who may write. `all` without authentication. */
  readonly writable: Access
  readonly entity: Entity
  /** In the order of the definition. */
  readonly structs: readonly Struct[]
  /** Other services that it calls: those it references, in order of first reference, then `#uses`. Never itself. */
  readonly calls: readonly ServiceTarget[]
  /** Other services reference or use it, so it answers their questions on its second port. */
  readonly referenced: boolean
  /** Largest body of any of its endpoints in bytes, 1 MiB to 64 MiB. */
  readonly maxBodyBytes: number
}

/** What is stored and served: the entity of a service or the entries of a struct. */
export interface Entity {
  readonly names: Names
  readonly documentation: string
  /** Table in the service's own database, not quoted. */
  readonly table: string
  /** All attributes in the order of the definition, `@client` ones (which are not stored) included. */
  readonly attributes: readonly Attribute[]
  /** Endpoints in the order create, read, update, delete, list, identify, without the omitted ones. */
  readonly endpoints: readonly Endpoint[]
  /** Key of a list answer: `HomeList`. */
  readonly listKey: string
}

/** A struct: many entries to one entity of its parent service; access is the parent's. */
export interface Struct extends Entity {
  /** Names of the service that it stands in. */
  readonly parent: Names
  /** Sibling structs have an attribute that refers to this one. */
  readonly referenced: boolean
}

export type Operation = 'create' | 'read' | 'update' | 'delete' | 'list' | 'identify'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One endpoint. */
export interface Endpoint {
  readonly operation: Operation
  readonly method: Method
  /**
   * Paths as clients see them, `{id}` and `{parent-id}` for parameters: `/api/home/{id}`. Of a struct's list
   * there are two (`.../photo/{id}/all` and `.../photo/all`), else one.
   */
  readonly paths: readonly [string, ...string[]]
  /** Status of success. */
  readonly success: 200 | 201 | 302
}

/** Who sees an attribute: everybody, clients in answers only, clients in requests only, or hooks only. */
export type Visibility = 'public' | 'serverSet' | 'client' | 'server'

/** One attribute of an entity. */
export interface Attribute {
  readonly names: Names
  readonly documentation: string
  readonly type: AttributeType
  readonly visibility: Visibility
  readonly unique: boolean
  /** Clients must send it: `public` and `client`. */
  readonly requested: boolean
  /** Clients see it in answers: `public` and `serverSet`. */
  readonly answered: boolean
  /** It has a column: all but `client`. */
  readonly stored: boolean
}

export type AttributeType =
  | BoolType
  | StringType
  | IntType
  | FloatType
  | DateType
  | TimeType
  | DatetimeType
  | DataType
  | ServiceReference
  | SiblingReference

export interface BoolType {
  readonly kind: 'bool'
}

/** Lengths in Unicode code points, inclusive; `undefined` where the definition sets no bound. */
export interface StringType {
  readonly kind: 'string'
  readonly minLength: number
  readonly maxLength: number | undefined
}

/** Inclusive bounds, those of the precision where the definition sets none. */
export interface IntType {
  readonly kind: 'int'
  readonly column: 'smallint' | 'integer' | 'bigint'
  /** 1 to 8. */
  readonly bytes: number
  readonly min: bigint
  readonly max: bigint
  /** The bounds that clients meet: `min` and `max`, cut to what JSON holds exactly (±(2^53-1)). */
  readonly jsonMin: number
  readonly jsonMax: number
  /** Bounds that the column's own range does not hold already, to be checked by the database. */
  readonly checkMin: bigint | undefined
  readonly checkMax: bigint | undefined
}

/** Inclusive bounds, already rounded to the column's precision; `undefined` where the definition sets none. */
export interface FloatType {
  readonly kind: 'float'
  readonly column: 'real' | 'double precision'
  readonly min: number | undefined
  readonly max: number | undefined
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

/** Largest size in bytes; `undefined` where the definition sets none. */
export interface DataType {
  readonly kind: 'data'
  readonly maxSize: number | undefined
}

/** A foreign key to an entity of a service: of another one, or (from a struct) of the own parent service. */
export interface ServiceReference {
  readonly kind: 'reference'
  readonly target: ServiceTarget
  /** The target is the service that the attribute stands in: checked in its own database. */
  readonly own: boolean
}

/** A foreign key to an entry of a sibling struct under the same parent. */
export interface SiblingReference {
  readonly kind: 'sibling'
  readonly target: Names
  readonly table: string
}

/** What a caller of another service has to know of it. */
export interface ServiceTarget {
  readonly names: Names
  /** Directory and host name. */
  readonly directory: string
  readonly internalPort: number
}

/** Fails compilation where a case of a union is not handled. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`)
}
