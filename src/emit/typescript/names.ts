import type { Entity, Service } from '../../model/platform.ts'

/** Names of the types that stand for one entity in the generated code. */
export interface EntityTypes {
  /** As it is stored. */
  readonly stored: string
  /** What clients send to create or update it. */
  readonly request: string
  /** What is stored by a create. */
  readonly create: string
  /** What is stored by an update. */
  readonly update: string
  /** The lists of its hooks. */
  readonly hooks: string
}

/** Types that generated files use beside those of entities. */
const TAKEN = new Set(
  `Array Date Error Map Object Partial Pick Promise Readonly Record
  Set ReturnType Uint8Array Hono Context Response Request String Number Boolean
  Bindings Caller Comm Config DataAccess Datastore Drizzle Env Hook HookError
  HookLists HookResult Hooks Identify JsonObject Log NewId Page Registrar EntryLookup
  EntryRange Lookup Parts App ApiEnv Access ListSource Range Router ServiceClient
  ServiceContext Statements Api Symbol BigInt Omit Buffer
  AfterHook BodyHook LookupHook FIRST HTTPException JsonNumber ServiceError HonoRequest RowStatement`.split(
    /\s+/,
  ),
)

/**
 * The type names of all entities of a service. A declared name keeps its own form; one that the generated
 * code needs itself gets a `_`, which no declared name can have, and so does a derived one that is declared.
 */
export function entityTypes(service: Service): ReadonlyMap<Entity, EntityTypes> {
  const entities: Entity[] = [service.entity, ...service.structs]
  const used = new Set(entities.map((entity) => typeName(entity.names.declared)))
  const derived = (name: string): string => {
    if (used.has(name) || TAKEN.has(name)) return derived(`${name}_`)
    used.add(name)
    return name
  }
  return new Map(
    entities.map((entity) => {
      const name = entity.names.declared
      return [
        entity,
        {
          stored: typeName(name),
          request: derived(`${name}Request`),
          create: derived(`Create${name}`),
          update: derived(`Update${name}`),
          hooks: derived(`${name}Hooks`),
        },
      ]
    }),
  )
}

/** The name of the type that stands for an entity of the declared name. */
export function typeName(declared: string): string {
  return TAKEN.has(declared) ? `${declared}_` : declared
}

/** The table of an entity; the ending keeps it apart from every reserved word. */
export function tableName(entity: Entity): string {
  return `${entity.names.camel}Table`
}

/** Properties that every Drizzle table has itself. */
const TABLE_PROPERTIES = new Set(['constructor', 'enableRLS', 'getSQL', 'shouldOmitSQLParens'])

/** The property of a Drizzle table that stands for an attribute. */
export function columnKey(declared: string): string {
  return declared in Object.prototype || TABLE_PROPERTIES.has(declared) ? `${declared}_` : declared
}

/** The key of the parent's id beside a struct's attributes, one of which may have that name. */
export function parentKey(struct: Entity): string {
  const taken = struct.attributes.some((attribute) => attribute.names.declared === 'parentId')
  return taken ? '_parentId' : 'parentId'
}
