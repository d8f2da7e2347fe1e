/**
 * What people write who know other languages, and what Portico has instead. A diagnostic about such a word shows the
 * text as its help. Other names of built-in types are in `builtins.ts`, because a fix can replace them.
 */

const STRUCT = 'lists are not supported: declare a struct, with one entry for each item'
const NESTED = 'nested values are not supported: declare a struct, or store the text in a `string`'
const OWN_ID = 'every entity has an `id`, a UUID, without declaring it'
const REFERENCE = 'write the name of a service as the type, for example `owner: Host;`'
const LENGTH = 'lengths are arguments of the type, for example `string(maxLength: 80, minLength: 1)`'
const BOUNDS = 'bounds are arguments of the type, for example `int(max: 40, min: 1)`'
const FORMAT = 'a hook can check the format: `env.hooks.beforeCreate(...)` in `src/setup.ts`'
const OPTIONAL = 'write `?` after the type, for example `string(80)?`'
const DEFAULT = 'write the default after the type, for example `int = 3` or `datetime = now`'
const TIMESTAMPS = 'use `#timestamps`, which adds `createdAt` and `updatedAt`'
const VERSION = 'use `#versioned`, which gives each entity a version as the header `ETag`'
const INDEX = 'use `#enumerable(filter: [...], sort: [...])`, which creates the indexes that lists need'
const DELETION =
  'struct entries are deleted with their parent; references to a deleted entity keep their value'
const HIDDEN = 'use `@server` for what only hooks can see'
const EXPORT = 'remove `export`: all services of a definition can refer to each other'
const COLUMN = 'tables and columns are named after services and attributes'
const HOOK = 'a hook can set it: use `@serverSet`, and `env.hooks.beforeCreate(...)` in `src/setup.ts`'

function table(rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(rows).flatMap(([help, words]) =>
      words.split(' ').map((word) => [word.toLowerCase(), help] as const),
    ),
  )
}

const TYPES = table({
  [STRUCT]: 'array list set vector collection many',
  [NESTED]: 'json jsonb object any map record dict struct unknown',
  [`${OWN_ID}; ${REFERENCE}`]: 'uuid id key guid objectid cuid ulid',
  [REFERENCE]: 'ref reference relation foreignkey',
  [OPTIONAL]: 'optional nullable maybe option',
  [`${HOOK}; an \`id\` is generated for every entity`]: 'serial bigserial autoincrement',
})

/** Words after a type, which are not annotations. */
const AFTER_TYPE = table({
  'attributes are required unless their type ends in `?`': 'not',
  'write `@unique` after the type': 'unique',
  'use `datetime`, which has a time zone': 'with without',
  'use `float`': 'precision',
  'use `int(min: 0)`': 'unsigned',
  'use `string`, for example `string(maxLength: 80)`': 'varying',
  [DELETION]: 'on',
  [OWN_ID]: 'auto_increment identity',
})

/** Words before a declaration. */
const MODIFIERS = table({
  'write `@server` after the type for what only hooks can see': 'private protected',
  'write `@serverSet` after the type for what clients can only read': 'readonly',
  'attributes are public, unless an annotation says otherwise': 'public',
  'attributes belong to an entity; constants belong in `src/setup.ts`': 'static const',
  'write only the name and the type, in a service: `name: string;`': 'var let val field',
  [OPTIONAL]: 'optional',
  'attributes are required unless their type ends in `?`': 'required',
  'write `@unique` after the type': 'unique',
  'inheritance is not supported': 'abstract',
  [EXPORT]: 'export',
  'write hooks and routes in `src/setup.ts` of the generated service': 'async def',
})

/** The first words of declarations at the top level. */
const STATEMENTS = table({
  'declare a service, for example `Part: service { name: string; }`; migrations create its table and indexes':
    'create alter drop',
  'a definition has no data: create entities through the API': 'insert update delete select',
  [`${REFERENCE}; for many, declare a struct, or refer back from the other service`]: 'relationship',
  'a service is declared in one block: add the attributes to it': 'extend',
  [EXPORT]: 'export',
  'names are unique in the whole definition: remove this line': 'namespace package',
  'use `#enumerable`, which adds a list endpoint with pages': 'paginate',
  'the generated service has its types in TypeScript': 'dto',
})

/** Table constraints of SQL. */
const CONSTRAINTS = table({
  'use `#unique[name, city]`, or `@unique` after the type of one attribute': 'unique',
  'use `#unique[name, city]`, or bounds as arguments of the type': 'constraint',
  [OWN_ID]: 'primary',
  [REFERENCE]: 'foreign',
  [BOUNDS]: 'check',
  [INDEX]: 'index key',
})

/** Functions that make defaults. */
const CALLS = table({
  [OWN_ID]: 'uuid uuidv4 cuid ulid nanoid autoincrement gen_random_uuid',
})

/** Names of endpoints in `#omit`, and what Portico calls them. */
const ENDPOINTS = table({
  create: 'post insert add store new',
  read: 'get find findone show fetch retrieve',
  update: 'put patch edit modify',
  delete: 'remove destroy del',
})

const ANNOTATIONS = table({
  'attributes are required unless their type ends in `?`': 'required notnull nonnull mandatory',
  [OPTIONAL]: 'optional nullable null',
  [DEFAULT]: 'default defaultvalue initial',
  [OWN_ID]: 'id primary primarykey pk key uuid',
  [INDEX]: 'index indexed searchable filterable sortable',
  [REFERENCE]: 'relation references foreignkey fk belongsto hasmany hasone onetomany manytoone',
  [DELETION]: 'ondelete cascade onupdate',
  [BOUNDS]: 'min max range minimum maximum positive minvalue maxvalue',
  [LENGTH]: 'length maxlength minlength size',
  [FORMAT]: 'pattern regex format email url validate check matches',
  [TIMESTAMPS]: 'updatedat createdat timestamp timestamps',
  [VERSION]: 'version versioned etag rowversion concurrencycheck',
  [HOOK]: 'autoincrement auto generated computed serial sequence',
  [HIDDEN]: 'private hidden internal secret omit ignore visibility password',
  'use `@serverSet` for what clients can only read': 'readonly immutable',
  'use `@client` for what clients send and nobody reads': 'writeonly transient',
  [COLUMN]: 'map column name field table',
  'write the length and the bounds as arguments of the type, for example `string(maxLength: 80)`': 'db',
})

const METADATA = table({
  [INDEX]: 'index indexes filter filters filterable sort sortable orderby search searchable fulltext',
  'add an attribute, for example `deletedAt: datetime? @serverSet;`, and `#omit[delete]`':
    'softdelete softdeletes paranoid archive',
  'write `@unique` after the type of an attribute': 'uniqueness',
  [OWN_ID]: 'id primary primaryKey key',
  [COLUMN]: 'table map schema column',
  'list the path segments that need no token: `#public[webhook]`': 'open anonymous',
  'use `#readable(by: this)` and `#writable(by: this)`, which admit only the creator':
    'private hidden internal protected',
  'use `#readable` and `#writable`':
    'access allow deny permissions policy authorize owner read write create update delete',
  'use `#enumerable`, which adds a list endpoint': 'list listable paginate pagination',
  [TIMESTAMPS]: 'timestamp createdAt updatedAt',
  [VERSION]: 'etag optimisticLock optimisticLocking concurrency',
  'use `#idempotent`, with which a repeated POST creates nothing else': 'idempotency idempotencyKey retry',
  'origins are configuration: set `CORS_ORIGINS`': 'cors origins',
  'the README of the generated project lists the environment variables': 'port env config host url version',
})

const BLOCK_KINDS = table({
  'list the values in the attribute: `status: enum(open, closed);`': 'enum union',
  'inheritance is not supported: repeat the attributes, or refer to another service':
    'extends abstract interface mixin trait',
})

/** What to write instead of a type, an annotation, metadata or a block kind of another language, in any case. */
export const otherLanguages = {
  type: (name: string) => TYPES.get(name.toLowerCase()),
  annotation: (name: string) => ANNOTATIONS.get(name.toLowerCase()),
  metadata: (name: string) => METADATA.get(name.toLowerCase()),
  blockKind: (name: string) => BLOCK_KINDS.get(name.toLowerCase()),
  /** A word after a type. */
  afterType: (word: string) => AFTER_TYPE.get(word.toLowerCase()) ?? ANNOTATIONS.get(word.toLowerCase()),
  /** A word before a declaration. */
  modifier: (word: string) => MODIFIERS.get(word),
  /** The first word of a declaration at the top level. */
  statement: (word: string) => STATEMENTS.get(word.toLowerCase()),
  /** The first word of a table constraint. */
  constraint: (word: string) => CONSTRAINTS.get(word.toLowerCase()),
  /** The function of a default. */
  call: (word: string) => CALLS.get(word.toLowerCase()),
  /** The endpoint that another name means. */
  endpoint: (word: string) => ENDPOINTS.get(word.toLowerCase()),
  /** `0..150` */
  range: BOUNDS,
} as const
