import { MAX_NAME_BYTES } from '../../naming.ts'
import type { Entity, Service } from '../../model/platform.ts'
import { clientAttributes, entitiesOf, stateAttributes } from '../../model/entities.ts'
import { sha256 } from '../../sha256.ts'

/** Names in the generated code of one entity. */
export interface EntityNames {
  /** A variable that holds an entity; also its table. */
  readonly variable: string
  /** The relations of its table. */
  readonly relations: string
  /** The type of a stored entity. */
  readonly stored: string
  /** The schema and the type of what clients send. */
  readonly request: string
  /** The type of what an update results in: `UpdateHomeRequest` if it may lack attributes, or that of a request. */
  readonly updateRequest: string
  /** The type of what a create stores. */
  readonly create: string
  /** The type of what an update stores. */
  readonly update: string
  /** The schema and the type of what clients ask of a list with filters or orders. */
  readonly query: string
  /** The function that returns what clients see. */
  readonly toPublic: string
  /** The type of what clients see. */
  readonly public: string
  readonly queries: string
  readonly access: string
  readonly routes: string
  /** The function that reads several of them by their ids: `readManyHome`. */
  readonly readMany: string
}

/** Types that generated files use themselves, and names that lint rules reserve. */
const TYPES = `Access ApiEnv Array Boolean Buffer Caller Comm Config Database Date Dependencies Env Error Hono HookError
  Identify Limits Log Map NIL_UUID Number Object Omit OnStop Page Partial Pick Promise Readonly Record Request Response
  ReturnType Router SCHEMA_HASH SQL Set Settings String Symbol AfterCommit MethodNotAllowed Owner Versions
  Infinity NaN`

/** Variables that generated files use themselves, and reserved words. */
const VARIABLES = `access asCaller creator limits mayRead passes reader afterCommit afterList all and any api
  as asc async attributes authenticate await base64 baseConfig batches batchesBySize body boolean break bytes
  byteCount c caller callback case catch changed check class collect columns comm complete config connect
  connection const continue createApi created createIdentify createLog database datastore date datetime db
  debugger decimal default deleted delete do double else entries enum env eq eval exists export extends false
  fetch find finally for foreignKey forbidden found function get getTableColumns gt hasId hasIds hook hooks
  httpUrl id identify ids if implements import in index input insert instanceof integer interface internal
  isEmpty isInParent isInOwn isOwned isWritable let lifecycle limitBodies list listIds listOf listOwn
  listResponse log name new not notFound null numeric of owner one oneBatch oneOf onStop onViolation
  ownEntities package page param parent parentId patch perDatabase pgTable post private process protected
  public put query queries randomUUIDv7 range readConfig readList readManyRoutes real referenceRoutes
  relations remove request requireReadable requireReferences requireWritable return router rows run schema
  select selectIds sent service set settings setup shared single smallint bigint doublePrecision sql statement
  static stored super switch text this throw time timestamp transaction true try tx typeof undefined unique
  uniqueIndex unknown unknownReference update updated uuid values var void while whole with withDefault
  withHooks work yield z arguments changes once Infinity NaN globalThis generated isUuid updatedAt written
  ownerFilter requireRole roleFilter writer createAccess versions ifMatch requireMatch
  isNotModified tagOf hasChanged hasVersion withKey`

/** The same in a service with filters or orders. */
const SEARCH_VARIABLES =
  'comparison equality fromText isPlain listQuery orNull pageParameters search slice sortBy where'

/** The same in a service with `@transitions`. */
const STATE_VARIABLES = 'invalidParameter keys states transitions writable'

const words = (text: string) => new Set(text.split(/\s+/))
const TAKEN_TYPES = words(TYPES)
const TAKEN_VARIABLES = words(VARIABLES)
const TAKEN_SEARCH_VARIABLES = words(SEARCH_VARIABLES)
const TAKEN_STATE_VARIABLES = words(STATE_VARIABLES)

/**
 * The names of all entities of a service. A `_`, which no declared name can contain, is appended to names that the
 * generated code uses itself and to derived names that are declared.
 */
export function entityNames(service: Service): ReadonlyMap<Entity, EntityNames> {
  const entities = entitiesOf(service)
  const types = new Set(TAKEN_TYPES)
  const hasCriteria = entities.some(({ criteria }) => criteria !== undefined)
  const hasStates = entities.some((entity) => stateAttributes(entity).length > 0)
  const variables = new Set([
    ...TAKEN_VARIABLES,
    ...(hasCriteria ? TAKEN_SEARCH_VARIABLES : []),
    ...(hasStates ? TAKEN_STATE_VARIABLES : []),
  ])
  const unique = (used: Set<string>, name: string): string => {
    if (used.has(name)) return unique(used, `${name}_`)
    used.add(name)
    return name
  }
  const mainNames = entities.map(({ names }) => ({
    variable: unique(variables, names.camel),
    stored: unique(types, names.declared),
  }))
  return new Map(
    entities.map((each, at) => {
      const { declared, camel } = each.names
      const variable = mainNames[at]?.variable ?? camel
      const request = unique(types, `${declared}Request`)
      return [
        each,
        {
          variable,
          relations: unique(variables, `${variable}Relations`),
          stored: mainNames[at]?.stored ?? declared,
          request,
          create: unique(types, `Create${declared}`),
          update: unique(types, `Update${declared}`),
          updateRequest:
            clientAttributes(each).length === 0 ? request : unique(types, `Update${declared}Request`),
          public: unique(types, `Public${declared}`),
          toPublic: unique(variables, `public${declared}`),
          queries: unique(variables, `${camel}Queries`),
          access: unique(variables, `${camel}Access`),
          routes: unique(variables, `${camel}Routes`),
          // Not that which reads one `ManyHome`.
          readMany: `readMany${declared}${entities.some(({ names }) => names.declared === `Many${declared}`) ? '_' : ''}`,
          query: each.criteria === undefined ? '' : unique(types, `${declared}Query`),
        },
      ]
    }),
  )
}

/** The key of the parent's id, which differs from all attributes of the struct. */
export function parentKey(struct: Entity): string {
  const taken = struct.attributes.some((attribute) => attribute.names.declared === 'parentId')
  return taken ? '_parentId' : 'parentId'
}

const DIGEST_LENGTH = 16

/**
 * The name of a prepared statement, which must not be longer than an identifier. No verb contains `_`, so that no two
 * statements have the same name.
 */
export function preparedStatementName(verb: string, { table }: Entity): string {
  const name = `${verb}_${table}`
  if (name.length <= MAX_NAME_BYTES) return name
  return `${verb}_${sha256(table).slice(0, DIGEST_LENGTH)}`
}
