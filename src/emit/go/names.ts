import type { Attribute, CustomEndpoint, Entity, Job, Service } from '../../model/platform.ts'
import { clientAttributes, endpointAttributes, entitiesOf } from '../../model/entities.ts'
import { words } from '../../naming.ts'

/** Words that Go writes in capitals: https://go.dev/wiki/CodeReviewComments#initialisms */
const INITIALISMS = new Set(
  `acl api ascii cpu css dns eof guid html http https id ip json qps ram rpc sla smtp sql ssh tcp tls ttl udp ui gid uid
  uuid uri url utf8 vm xml xmpp xsrf xss sip rtp amqp db ts`.split(/\s+/),
)

/** An exported name: `NightlyRate`, `OwnerID`. */
export function exported(declared: string): string {
  return words(declared)
    .map((word) =>
      INITIALISMS.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('')
}

/** An exported name that begins a name that is not exported: `homeColumns`, `httpProxyColumns`. */
export function unexported(name: string): string {
  const [, capitals = '', rest = ''] = /^([A-Z]*)(.*)$/s.exec(name) ?? []
  // The last of several capitals begins the next word.
  const length = capitals.length > 1 && /^[a-z]/.test(rest) ? capitals.length - 1 : capitals.length
  return name.slice(0, length).toLowerCase() + name.slice(length)
}

/** Creates a function that makes names unique by a suffix and, if that is not enough, a number. */
export function uniqueNames(taken: Iterable<string>, suffix: string): (name: string) => string {
  const used = new Set(taken)
  const unique = (name: string): string => {
    let free = name
    for (let number = 1; used.has(free); number++) free = `${name}${suffix}${number === 1 ? '' : number}`
    used.add(free)
    return free
  }
  return unique
}

/** Names in the generated code of one entity. */
export interface EntityNames {
  /** The type of a stored entity. */
  readonly type: string
  /** What precedes the names of variables and functions: `home`. */
  readonly variable: string
  /** The type of what identifies an entity. */
  readonly id: string
  /** The type of what clients send. */
  readonly request: string
  /** The type of what an update results in: `UpdateHomeRequest` if it may lack attributes, or that of a request. */
  readonly updateRequest: string
  /** The type of what an update stores. */
  readonly update: string
  /** The type of what a client of another service sends to change some attributes. */
  readonly patch: string
  /** The type of what clients ask of a list. */
  readonly query: string
  /** The type of its hooks, for a struct. */
  readonly hooks: string
  /** The type of its client in other services, for a struct. */
  readonly client: string
  /** The field of a struct in the hooks of the service. */
  readonly hooksField: string
  /** The fields of attributes, by their declared names. */
  readonly fields: ReadonlyMap<string, string>
  /** The types of enums, by the declared names of attributes. */
  readonly enums: ReadonlyMap<string, EnumNames>
  /** The first part of its files' names. */
  readonly file: string
}

/** Names of the attributes of a custom endpoint or a job. */
export interface DeclaredNames {
  /** The fields of attributes, by their declared names. */
  readonly fields: ReadonlyMap<string, string>
  /** The types of enums, by the declared names of attributes. */
  readonly enums: ReadonlyMap<string, EnumNames>
}

/** Names in the generated code of a custom endpoint. */
export interface EndpointNames extends DeclaredNames {
  /** The field of its handler, and the method of clients in other services: `Quote`. */
  readonly field: string
  readonly request: string
  /** The type of its response if that has attributes of its own. */
  readonly response: string
}

/** Names in the generated code of a job. */
export interface JobNames extends DeclaredNames {
  /** The field of its handler: `Remind`. */
  readonly field: string
  /** The type of its payload. */
  readonly payload: string
  /** The type of what its payload is made of, which may lack attributes that have defaults. */
  readonly request: string
}

/** Names in the generated code of a service. */
export interface ServiceNames {
  readonly entities: ReadonlyMap<Entity, EntityNames>
  readonly endpoints: ReadonlyMap<CustomEndpoint, EndpointNames>
  readonly jobs: ReadonlyMap<Job, JobNames>
}

/** The type of an enum and its constants, in the order of the values. */
export interface EnumNames {
  readonly type: string
  readonly constants: readonly string[]
}

const TAKEN_TYPES = ['Config', 'Env', 'Comm', 'Hooks', 'Datastore', 'Settings', 'Client']
/** `ReadByte` and the like are methods of Go's interfaces, for which vet knows the parameters. */
const STANDARD_METHODS = ['Byte', 'Rune', 'From']
const TAKEN_FILES = ['main', 'env', 'setup', 'datastore', 'settings']
/** Names of files that Go compiles only for some systems, processors or tests. */
const CONSTRAINTS = new Set(
  `aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos 386
  amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le
  riscv riscv64 s390 s390x sparc sparc64 wasm test`.split(/\s+/),
)
const HOOK_KINDS = ['Create', 'Read', 'Update', 'Delete', 'List', 'Identify']

/** The names of all entities and endpoints of a service. */
export function serviceNames(service: Service): ServiceNames {
  const own = [
    ...(service.customEndpoints.length === 0 ? [] : ['Endpoints']),
    ...(service.jobs.length === 0 ? [] : ['Jobs']),
  ]
  // ReadManyHome reads several of the type Home.
  const many = entitiesOf(service).map(({ names }) => `Many${exported(names.declared)}`)
  const unique = uniqueNames([...TAKEN_TYPES, ...own, ...STANDARD_METHODS, ...many], 'Entity')
  return {
    entities: entityNames(service, unique),
    endpoints: endpointNames(service, unique),
    jobs: jobNames(service, unique),
  }
}

function jobNames({ jobs }: Service, unique: (name: string) => string): ReadonlyMap<Job, JobNames> {
  const uniqueField = uniqueNames([], 'Job')
  return new Map(
    jobs.map((job) => {
      const { names, attributes } = job
      const field = uniqueField(exported(names.declared))
      const attributeField = uniqueNames([], 'Value')
      const fields = new Map(
        attributes.map(({ names: { declared } }) => [declared, attributeField(exported(declared))] as const),
      )
      const payload = unique(`${field}Payload`)
      const hasDefaults = attributes.some((attribute) => attribute.default !== undefined)
      const request = hasDefaults ? unique(`${field}Request`) : payload
      return [job, { field, payload, request, fields, enums: enumNames(attributes, fields, field, unique) }]
    }),
  )
}

function endpointNames(
  { customEndpoints }: Service,
  unique: (name: string) => string,
): ReadonlyMap<CustomEndpoint, EndpointNames> {
  const uniqueField = uniqueNames([], 'Endpoint')
  return new Map(
    customEndpoints.map((endpoint) => {
      const { names, hasId, response } = endpoint
      const attributes = endpointAttributes(endpoint)
      const field = uniqueField(exported(names.declared))
      const isPage = response.kind === 'list'
      const attributeField = uniqueNames(
        [...(hasId ? ['ID'] : []), ...(isPage ? ['PageRequest', 'Limit', 'After'] : [])],
        'Value',
      )
      const fields = new Map(
        attributes.map(({ names: { declared } }) => [declared, attributeField(exported(declared))] as const),
      )
      const types = { request: unique(`${field}Request`), response: unique(`${field}Response`) }
      return [endpoint, { ...types, field, fields, enums: enumNames(attributes, fields, field, unique) }]
    }),
  )
}

function entityNames(service: Service, unique: (name: string) => string): ReadonlyMap<Entity, EntityNames> {
  const entities = entitiesOf(service)
  const types = entities.map(({ names }) => unique(exported(names.declared)))
  const hooksField = uniqueNames(
    HOOK_KINDS.flatMap((kind) => [`Before${kind}`, `After${kind}`]),
    'Hooks',
  )
  const taken = [
    ...(service.customEndpoints.length === 0 ? [] : ['endpoints', 'endpoints_routes']),
    ...(service.jobs.length === 0 ? [] : ['jobs']),
  ]
  const file = uniqueNames([...TAKEN_FILES, ...taken], '_entity')
  const files = entities.map(({ names: { snake } }) =>
    file(CONSTRAINTS.has(snake.split('_').at(-1) ?? '') ? `${snake}_entity` : snake),
  )
  return new Map(
    entities.map((entity, index) => {
      const type = types[index] ?? ''
      const derived = {
        id: unique(`${type}ID`),
        request: unique(`${type}Request`),
        update: unique(`Update${type}`),
        patch: unique(`${type}Patch`),
        query: unique(entity.criteria === undefined ? `${type}Page` : `${type}Query`),
        hooks: unique(`${type}Hooks`),
        client: unique(`${type}Client`),
      }
      const updateRequest =
        clientAttributes(entity).length === 0 ? derived.request : unique(`Update${type}Request`)
      const version = entity.version === undefined ? [] : ['Version']
      const field = uniqueNames(['ID', 'ParentID', ...version, derived.id], 'Value')
      const fields = new Map(
        entity.attributes.map(({ names }) => [names.declared, field(exported(names.declared))] as const),
      )
      return [
        entity,
        {
          ...derived,
          updateRequest,
          type,
          variable: unexported(type),
          hooksField: hooksField(exported(entity.names.declared)),
          fields,
          enums: enumNames(entity.attributes, fields, type, unique),
          file: uniqueFile(files, index),
        },
      ]
    }),
  )
}

/** The name of an entity's file, unless it is that of the queries or routes of another one. */
function uniqueFile(files: readonly string[], index: number): string {
  const own = files[index] ?? ''
  const isTaken = files.some((other) => own === `${other}_queries` || own === `${other}_routes`)
  return isTaken ? `${own}_entity` : own
}

function enumNames(
  attributes: readonly Attribute[],
  fields: ReadonlyMap<string, string>,
  entity: string,
  unique: (name: string) => string,
): ReadonlyMap<string, EnumNames> {
  return new Map(
    attributes.flatMap(({ names: { declared }, type }) => {
      if (type.kind !== 'enum') return []
      const name = unique(`${entity}${fields.get(declared) ?? ''}`)
      const constants = type.values.map((value) => unique(`${name}${wordName(value)}`))
      return [[declared, { type: name, constants }] as const]
    }),
  )
}

/** A word of an enum as part of a name. */
function wordName(value: string): string {
  return value
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map(exported)
    .join('')
}
