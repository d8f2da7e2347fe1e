/**
 * The single table of what a definition can contain: attribute types, annotations and metadata with their
 * parameters, values and defaults. Checks, the model, completion, hovers and the reference page all read it;
 * no other file contains these words.
 */

export const BLOCK_KINDS = ['project', 'service', 'struct', 'endpoint', 'job'] as const
export type BlockKind = (typeof BLOCK_KINDS)[number]

/** One of the words that a parameter accepts. */
export interface AllowedValue {
  readonly name: string
  /** Other spellings with the same meaning. */
  readonly aliases: readonly string[]
  readonly docs: string
}

/**
 * What a parameter accepts: a number, one word, a list of words, of services, of attributes or of new names, a former
 * name, callers (one word or role, or a list of them), roles (one or a list of them), a service or struct, a text in
 * quotes, or all arguments: each is a value of an `enum`, or the name of such a value with its former name, or with the
 * values that it can become.
 */
export type ParameterKind =
  | 'integer'
  | 'float'
  | 'decimal'
  | 'word'
  | 'words'
  | 'services'
  | 'attributes'
  | 'name'
  | 'values'
  | 'names'
  | 'formerValues'
  | 'transitions'
  | 'callers'
  | 'roles'
  | 'entity'
  | 'text'

/** One parameter; its index in the list is its position. */
export interface Parameter {
  readonly name: string
  readonly kind: ParameterKind
  /** Whether an argument can only set it by its name. */
  readonly byName?: true
  /** The only block kind in which metadata has it. */
  readonly onlyIn?: BlockKind
  /** The words that it accepts, for the kinds `word` and `words`. */
  readonly values: readonly AllowedValue[]
  /** The default, in words. */
  readonly whenAbsent: string
  readonly docs: string
}

/** A built-in type. */
export interface TypeEntry {
  readonly name: TypeName
  readonly parameters: readonly Parameter[]
  /** Its form in JSON. */
  readonly json: string
  /** Its form in Postgres. */
  readonly postgres: string
  /** Names of this type in other languages, for suggestions. */
  readonly elsewhere: readonly string[]
  readonly docs: string
}

/** An annotation, written after the type of an attribute. */
export interface AnnotationEntry {
  readonly name: AnnotationName
  /** Its one parameter; `undefined` if it has none. */
  readonly parameter: Parameter | undefined
  /** What its named arguments are. */
  readonly pairs?: Parameter
  readonly docs: string
}

/** A metadata item. */
export interface MetadataEntry {
  readonly name: MetadataName
  /** The block kinds that support it. */
  readonly blocks: readonly BlockKind[]
  /** Its first parameter; `undefined` if it has none, or only options. */
  readonly parameter: Parameter | undefined
  /** Parameters that may be left out. With `parameter`, they are set by name. */
  readonly options?: readonly Parameter[]
  /** A block kind in which it takes no value. */
  readonly withoutValueIn?: BlockKind
  /** Whether a block can have it several times. */
  readonly isRepeatable?: true
  /** The default, in words. */
  readonly whenAbsent: string
  readonly docs: string
}

export type TypeName =
  | 'bool'
  | 'string'
  | 'int'
  | 'float'
  | 'decimal'
  | 'date'
  | 'time'
  | 'datetime'
  | 'data'
  | 'enum'
export type AnnotationName = 'unique' | 'server' | 'serverSet' | 'client' | 'was' | 'transitions'
export type MetadataName =
  | 'language'
  | 'database'
  | 'provider'
  | 'authMethod'
  | 'metrics'
  | 'readable'
  | 'writable'
  | 'roles'
  | 'public'
  | 'auth'
  | 'enumerable'
  | 'omit'
  | 'uses'
  | 'timestamps'
  | 'versioned'
  | 'idempotent'
  | 'unique'
  | 'was'
  | MethodName
  | 'returns'
  | 'status'
  | 'access'
  | 'schedule'

/** The metadata of an `endpoint` that says its method and path. */
export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
export type MethodName = (typeof METHODS)[number]

function value(name: string, docs: string, ...aliases: string[]): AllowedValue {
  return { name, aliases, docs }
}

function number(name: string, kind: 'integer' | 'float', whenAbsent: string, docs: string): Parameter {
  return { name, kind, values: [], whenAbsent, docs }
}

function named(name: string, kind: 'integer' | 'decimal', whenAbsent: string, docs: string): Parameter {
  return { name, kind, byName: true, values: [], whenAbsent, docs }
}

function formerName(docs: string): Parameter {
  return { name: 'oldName', kind: 'name', values: [], whenAbsent: 'required', docs }
}

function attributes(name: string, whenAbsent: string, docs: string): Parameter {
  return { name, kind: 'attributes', values: [], whenAbsent, docs }
}

function word(name: string, whenAbsent: string, docs: string, values: readonly AllowedValue[]): Parameter {
  return { name, kind: 'word', values, whenAbsent, docs }
}

const ACCESS = [
  value('this', 'Only the user who created the entity.'),
  value('all', 'Every user; without authentication, everyone.'),
]

function entity(name: string, docs: string): Parameter {
  return { name, kind: 'entity', values: [], whenAbsent: 'none', docs }
}

function callers(docs: string): Parameter {
  return { name: 'by', kind: 'callers', values: ACCESS, whenAbsent: 'required', docs }
}

/** Bytes of an `int` without `precision`. */
export const DEFAULT_INT_PRECISION = 4n
/** Bytes of a `float` without `precision`. */
export const DEFAULT_FLOAT_PRECISION = 8n
/** Digits after the point of a `decimal` without `scale`. */
export const DEFAULT_SCALE = 2n
export const MAX_SCALE = 18n
export const MIN_PRECISION = 1n
export const MAX_PRECISION = 8n

/** The built-in types, in the order of the reference page. */
export const TYPES: readonly TypeEntry[] = [
  {
    name: 'bool',
    parameters: [],
    json: '`true`/`false`',
    postgres: '`boolean`',
    elsewhere: ['boolean'],
    docs: 'True or false.',
  },
  {
    name: 'string',
    parameters: [
      number('maxLength', 'integer', 'unlimited', 'Maximum number of characters (Unicode code points).'),
      number('minLength', 'integer', '0', 'Minimum number of characters (Unicode code points).'),
    ],
    json: 'string',
    postgres: '`text` with a check',
    elsewhere: ['text', 'str', 'varchar', 'char', 'uuid', 'email', 'url'],
    docs: 'Unicode text.',
  },
  {
    name: 'int',
    parameters: [
      number('max', 'integer', 'the maximum of the precision', 'Maximum value, inclusive.'),
      number('min', 'integer', 'the minimum of the precision', 'Minimum value, inclusive.'),
      number('precision', 'integer', '4', 'Size of a stored value in bytes, from 1 to 8.'),
    ],
    json: 'integer',
    postgres: '`smallint` (1-2 bytes), `integer` (3-4 bytes), `bigint` (5-8 bytes), with checks',
    elsewhere: ['integer', 'long', 'number', 'bigint', 'smallint', 'serial', 'uint', 'short', 'byte'],
    docs: 'A whole number. Requests with integers beyond ±(2^53-1) are rejected, because JSON parsers would round them.',
  },
  {
    name: 'float',
    parameters: [
      number('max', 'float', 'unlimited', 'Maximum value, inclusive.'),
      number('min', 'float', 'unlimited', 'Minimum value, inclusive.'),
      number('precision', 'integer', '8', 'Size of a stored value in bytes, from 1 to 8.'),
    ],
    json: 'number',
    postgres: '`real` (1-4 bytes), `double precision` (5-8 bytes)',
    elsewhere: ['double', 'real'],
    docs: 'A floating-point number, stored with rounding. For money, use `decimal`.',
  },
  {
    name: 'decimal',
    parameters: [
      named('max', 'decimal', 'unlimited', 'Maximum value, inclusive.'),
      named('min', 'decimal', 'unlimited', 'Minimum value, inclusive.'),
      named('scale', 'integer', '2', 'Number of digits after the point, from 0 to 18.'),
    ],
    json: 'string (`"12.50"`), with all digits of the scale in responses; requests can also send a number of at most 15 digits',
    postgres: '`numeric(38, scale)` with checks',
    elsewhere: ['numeric', 'money', 'currency', 'price', 'bigdecimal'],
    docs: 'An exact decimal number of at most 38 digits, for money: it is never rounded.',
  },
  {
    name: 'date',
    parameters: [],
    json: '`YYYY-MM-DD`, 0001-01-01 to 9999-12-31',
    postgres: '`date`',
    elsewhere: ['day'],
    docs: 'A calendar date.',
  },
  {
    name: 'time',
    parameters: [],
    json: '`HH:MM:SS[.ffffff]`',
    postgres: '`time`',
    elsewhere: [],
    docs: 'A time of day.',
  },
  {
    name: 'datetime',
    parameters: [],
    json: 'RFC 3339 with an offset in requests; in responses UTC with `Z`; microseconds are kept',
    postgres: '`timestamptz`',
    elsewhere: ['timestamp', 'timestamptz', 'instant', 'dateTime'],
    docs: 'A moment in time.',
  },
  {
    name: 'data',
    parameters: [number('maxSize', 'integer', 'unlimited', 'Maximum size in bytes.')],
    json: 'base64 (RFC 4648, padded)',
    postgres: '`bytea` with a check',
    elsewhere: ['bytes', 'blob', 'binary', 'bytea', 'file', 'image'],
    docs: 'Binary data.',
  },
  {
    name: 'enum',
    parameters: [
      {
        name: 'value',
        kind: 'values',
        values: [],
        whenAbsent: 'required',
        docs: 'The values, at least one, all different: words of letters, digits, `_` and `-`.',
      },
    ],
    json: 'one of the values, as a string',
    postgres: '`text` with a check',
    elsewhere: ['enumeration', 'choice', 'choices', 'oneof', 'select', 'union'],
    docs: 'One of several values: `enum(open, pending, closed)`. The zero value is the first one.',
  },
]

/** The annotations, in the order of the reference page. */
export const ANNOTATIONS: readonly AnnotationEntry[] = [
  { name: 'unique', parameter: undefined, docs: 'No two stored entities have the same value.' },
  {
    name: 'server',
    parameter: undefined,
    docs: 'Stored, but never accepted from clients or returned to them: only hooks can read and write it.',
  },
  {
    name: 'serverSet',
    parameter: undefined,
    docs: 'Set by hooks and returned to clients, but never accepted from them.',
  },
  {
    name: 'client',
    parameter: undefined,
    docs: 'Required from clients and passed to hooks, but neither stored nor returned.',
  },
  {
    name: 'was',
    parameter: formerName('The name that the attribute had.'),
    pairs: {
      name: 'value',
      kind: 'formerValues',
      values: [],
      whenAbsent: 'no value was renamed',
      docs: 'Values of an `enum` that were renamed, each with its former name: `pending: waiting`.',
    },
    docs: 'The attribute was renamed: the migration keeps the values of its column. Remove it once a migration contains the new name. `@was(pending: waiting)` says that the value `pending` of an `enum` was called `waiting`: the migration renames it in all rows. It can stay, because it also names the column; when you remove it, a migration gives the column its usual name. Not for `@client` attributes, which are not stored.',
  },
  {
    name: 'transitions',
    parameter: {
      name: 'value',
      kind: 'transitions',
      values: [],
      whenAbsent: 'required',
      docs: 'A value of the `enum`, with the one or the list of those that it can become: `draft: [sent, void]`.',
    },
    docs: 'How the value of an `enum` can change: `@transitions(draft: [sent, void], sent: paid)`. A request that creates an entity can only set the default, or the first value without one. Any other change than those listed is 409, in a `PUT`, a `PATCH`, a hook and the datastore: the statement that stores it decides, so it holds for requests at the same moment too. A value that is not listed is final.',
  },
]

/** The annotations of which an attribute has at most one. */
export const VISIBILITIES: ReadonlySet<string> = new Set<AnnotationName>(['server', 'serverSet', 'client'])

/** Whether only stored attributes can have this annotation, so that it conflicts with `@client`. */
export function requiresStorage(annotation: string): boolean {
  return annotation === 'unique' || annotation === 'was' || annotation === 'transitions'
}

/** The languages that services can be written in. */
const LANGUAGES = {
  typescript: {
    title: 'TypeScript',
    docs: 'Services with Hono and Drizzle, which run on Node.js.',
    aliases: ['ts'],
    // TypeScript accepts no object that leaves out a property with such a name.
    reserved: Object.getOwnPropertyNames(Object.prototype),
  },
  go: {
    title: 'Go',
    docs: 'Services with net/http and pgx. To run them, `portico dev` needs Go 1.26 or later.',
  },
}
const LANGUAGE_ENTRIES: Readonly<Record<Language, LanguageEntry>> = LANGUAGES

export type Language = keyof typeof LANGUAGES

/** The names of the languages, as `--language` takes them. */
export const LANGUAGE_NAMES = Object.keys(LANGUAGES)

/** Returns the name of a language in texts: `TypeScript`. */
export function languageTitle(language: Language): string {
  return LANGUAGES[language].title
}

/** The languages as choices. */
export const LANGUAGE_CHOICES = Object.entries<LanguageEntry>(LANGUAGES).map(([name, { title, docs }]) => ({
  value: name as Language,
  name: title,
  description: docs,
}))

/** A language that services can be written in. */
interface LanguageEntry {
  /** Its name in texts. */
  readonly title: string
  readonly docs: string
  readonly aliases?: readonly string[]
  /** Names that an attribute which only hooks set cannot have. */
  readonly reserved?: readonly string[]
}

/** The language of services without `#language`. */
export const DEFAULT_LANGUAGE: Language = 'typescript'

/** What runs the databases of a project without `#database`. */
export const DEFAULT_DATABASE_SERVER: DatabaseServerKind = 'dedicated'

/** Whether each service has a server for its database, or all share one. */
export type DatabaseServerKind = 'dedicated' | 'shared'

/** Whether services in a language cannot have an attribute of this name that only hooks set. */
export function isReservedName(name: string, language: Language): boolean {
  return LANGUAGE_ENTRIES[language].reserved?.includes(name) === true
}

const ACCESS_WHEN_ABSENT =
  'inherited from the project; in the project, `this` with authentication and `all` without; in a service with `#auth`, `this`'

/** The values of `#omit`, in the order of endpoints. Only services with `#auth` have `identify`. */
export const OMITTABLE: readonly AllowedValue[] = [
  value('create', 'The endpoint that creates an entity.'),
  value('read', 'The endpoint that reads one entity.'),
  value('update', 'The endpoint that replaces an entity.'),
  value('delete', 'The endpoint that deletes an entity.'),
  value('identify', 'The endpoint that finds the entity of the user; only in services with `#auth`.'),
]

/** The word in `#unique` for the entity that an entry of a struct belongs to. */
export const PARENT = 'parent'

/** What `#timestamps` adds to entities. */
export const TIMESTAMPS = ['createdAt', 'updatedAt'] as const

/** The metadata, in the order of the reference page. */
export const METADATA: readonly MetadataEntry[] = [
  {
    name: 'language',
    blocks: ['project', 'service'],
    parameter: word(
      'language',
      'required',
      'The language.',
      Object.entries<LanguageEntry>(LANGUAGES).map(([name, { docs, aliases = [] }]) =>
        value(name, docs, ...aliases),
      ),
    ),
    whenAbsent: 'inherited from the project; in the project, `typescript`',
    docs: 'The language that the service is generated in.',
  },
  {
    name: 'database',
    blocks: ['project', 'service'],
    parameter: word('database', 'required', 'The database.', [value('postgres', 'PostgreSQL.')]),
    options: [
      {
        ...word(
          'server',
          `\`${DEFAULT_DATABASE_SERVER}\``,
          'Which servers a deployment runs for the databases of services.',
          [
            value(DEFAULT_DATABASE_SERVER, 'A Postgres for each service.'),
            value(
              'shared',
              'One Postgres for all services, for small machines. Each service has its own database and role.',
            ),
          ],
        ),
        byName: true,
        onlyIn: 'project',
      },
    ],
    whenAbsent: '`postgres`',
    docs: 'The database that stores the entities.',
  },
  {
    name: 'provider',
    blocks: ['project'],
    parameter: word('provider', 'required', 'The provider.', [
      value('dockerCompose', 'Docker Compose.', 'dc'),
      value('kube', 'Kubernetes.', 'kubernetes', 'k8s'),
    ]),
    whenAbsent: '`dockerCompose`',
    docs: 'How the platform is deployed.',
  },
  {
    name: 'authMethod',
    blocks: ['project'],
    parameter: word('method', 'required', 'How users log in.', [
      value('email', 'With an email address and a password.'),
    ]),
    whenAbsent: 'no authentication',
    docs: 'Adds an authentication service; all other services then require a token.',
  },
  {
    name: 'metrics',
    blocks: ['project'],
    parameter: word('metrics', 'required', 'What collects the metrics.', [
      value('prometheus', 'Prometheus and Grafana.'),
    ]),
    whenAbsent: 'none',
    docs: 'Adds metrics to every service, and Prometheus and Grafana to the deployment.',
  },
  {
    name: 'readable',
    blocks: ['project', 'service'],
    parameter: callers('Who can read.'),
    whenAbsent: ACCESS_WHEN_ABSENT,
    docs: 'Who can read entities: `this`, `all`, a role, or a list of `this` and roles. In a project: the default for its services.',
  },
  {
    name: 'writable',
    blocks: ['project', 'service'],
    parameter: callers('Who can write.'),
    whenAbsent: ACCESS_WHEN_ABSENT,
    docs: 'Who can update and delete entities: `this`, `all`, a role, or a list of `this` and roles. If it names only roles, creating an entity also requires one of them. In a project: the default for its services.',
  },
  {
    name: 'roles',
    blocks: ['project'],
    parameter: { name: 'roles', kind: 'names', values: [], whenAbsent: 'required', docs: 'Names of roles.' },
    whenAbsent: 'none',
    docs: 'The roles that users can have. Tokens carry the roles of their user; `#readable` and `#writable` admit them.',
  },
  {
    name: 'public',
    blocks: ['service', 'endpoint'],
    withoutValueIn: 'endpoint',
    parameter: { name: 'paths', kind: 'names', values: [], whenAbsent: 'required', docs: 'Path segments.' },
    whenAbsent: 'none',
    docs: 'Path segments, directly below the path of the service, under which requests need no token: `#public[webhook]` in `Home` is `/api/home/webhook/...`. Only your own routes can use them. Without a valid token, these routes get no caller. In an `endpoint`, it takes no value: its requests need no token.',
  },
  {
    name: 'auth',
    blocks: ['service'],
    parameter: undefined,
    whenAbsent: 'a regular service',
    docs: 'Makes the service store user metadata: one entity per user, which the identify endpoint finds.',
  },
  {
    name: 'enumerable',
    blocks: ['service', 'struct'],
    parameter: undefined,
    options: [
      attributes('filter', 'no filters', 'The attributes that clients can filter the list by.'),
      attributes(
        'sort',
        'only in the order of creation',
        'The attributes that clients can sort the list by.',
      ),
    ],
    whenAbsent: 'no list endpoint',
    docs: 'Adds a list endpoint.',
  },
  {
    name: 'omit',
    blocks: ['service', 'struct'],
    parameter: {
      name: 'endpoints',
      kind: 'words',
      values: OMITTABLE,
      whenAbsent: 'required',
      docs: 'The endpoints to omit.',
    },
    whenAbsent: 'all endpoints',
    docs: 'Omits generated endpoints.',
  },
  {
    name: 'uses',
    blocks: ['project', 'service'],
    parameter: {
      name: 'services',
      kind: 'services',
      values: [],
      whenAbsent: 'required',
      docs: 'Names of services. With `#authMethod`, a service can name `Auth`.',
    },
    whenAbsent: 'in a service, those that its attributes reference; in the project, none',
    docs: 'Other services that the custom code calls; in the project, those that the authentication service calls.',
  },
  {
    name: 'timestamps',
    blocks: ['service', 'struct'],
    parameter: undefined,
    whenAbsent: 'no timestamps',
    docs: 'Adds `createdAt` and `updatedAt` to responses. The database maintains them: neither clients nor hooks set them.',
  },
  {
    name: 'versioned',
    blocks: ['service', 'struct'],
    parameter: {
      name: 'required',
      kind: 'word',
      values: [
        value('true', 'PUT, PATCH and DELETE require `If-Match`.'),
        value('false', 'PUT, PATCH and DELETE without `If-Match` change any version.'),
      ],
      whenAbsent: '`false`',
      docs: 'Whether PUT, PATCH and DELETE require the header `If-Match`.',
    },
    whenAbsent: 'no versions',
    docs: 'Gives each entity a version, which responses contain as the header `ETag`. With `If-Match`, a request changes or deletes an entity only if nobody has changed it in the meantime; with `If-None-Match`, a read returns 304 if nothing has changed. The database counts the versions.',
  },
  {
    name: 'idempotent',
    blocks: ['service'],
    parameter: undefined,
    whenAbsent: 'a repeated POST creates another entity',
    docs: 'POST accepts the header `Idempotency-Key`: a request with the same key and body returns the first response again for 24 hours, and creates nothing else. Also for the structs of the service.',
  },
  {
    name: 'unique',
    blocks: ['service', 'struct'],
    parameter: {
      name: 'attributes',
      kind: 'attributes',
      values: [],
      whenAbsent: 'required',
      docs: 'Two or more attributes. In a struct, `parent` is the entity that an entry belongs to, unless an attribute has this name.',
    },
    isRepeatable: true,
    whenAbsent: 'any combination of values',
    docs: 'No two stored entities have the same combination of values. Entities that lack one of the values are not compared. A block can have several of them.',
  },
  {
    name: 'was',
    blocks: ['service', 'struct', 'job'],
    parameter: formerName('The name that the service, struct or job had.'),
    whenAbsent: 'not renamed',
    docs: 'The service, struct or job was renamed: the migration keeps its data, or the jobs that wait. Remove it from a struct or job once a migration contains the new name. In a service it stays: the directory takes the new name, with your files in it, and the database keeps the former one.',
  },
  ...METHODS.map(
    (method): MetadataEntry => ({
      name: method,
      blocks: ['endpoint'],
      parameter: {
        name: 'path',
        kind: 'text',
        values: [],
        whenAbsent: 'required',
        docs: 'The path below that of the service, in double quotes.',
      },
      whenAbsent: 'required: an endpoint has one of `#get`, `#post`, `#put`, `#patch` and `#delete`',
      docs: `The endpoint handles \`${method.toUpperCase()}\` requests with this path: \`#${method}("{id}/quote")\` in \`Home\` is \`${method.toUpperCase()} /api/home/{id}/quote\`. \`{id}\` is the id of an entity, which the caller must be able to ${method === 'get' ? 'read' : 'write'}. Every other \`{name}\` is an attribute of the request.`,
    }),
  ),
  {
    name: 'returns',
    blocks: ['endpoint'],
    parameter: undefined,
    options: [
      entity('entity', 'The service, or a struct of it, whose entity the response is.'),
      {
        ...entity('list', 'The service, or a struct of it, whose entities the response lists, in pages.'),
        byName: true,
      },
    ],
    whenAbsent: 'an object of the attributes that responses have',
    docs: 'The response is an entity as the read endpoint returns it, or a page of such entities.',
  },
  {
    name: 'status',
    blocks: ['endpoint'],
    parameter: {
      name: 'status',
      kind: 'integer',
      values: [],
      whenAbsent: 'required',
      docs: 'A status from 200 to 299.',
    },
    whenAbsent: '200',
    docs: 'The status of a successful response.',
  },
  {
    name: 'access',
    blocks: ['endpoint'],
    parameter: undefined,
    options: [
      word(
        'check',
        'the entity must be readable for `#get`, and writable for other methods',
        'What is checked of the entity in the path.',
        [
          value('readable', 'The caller must be able to read the entity.'),
          value('writable', 'The caller must be able to write the entity.'),
          value('none', 'Nothing is checked: the handler decides.'),
        ],
      ),
      {
        name: 'by',
        kind: 'roles',
        byName: true,
        values: [],
        whenAbsent: 'every user',
        docs: 'Roles, of which the caller must have one.',
      },
    ],
    whenAbsent:
      'with `{id}` in the path, the entity must be readable for `#get`, and writable for other methods',
    docs: 'Who can use the endpoint.',
  },
  {
    name: 'schedule',
    blocks: ['job'],
    parameter: {
      name: 'cron',
      kind: 'text',
      values: [],
      whenAbsent: 'required',
      docs: 'Minute, hour, day of the month, month and day of the week, in UTC.',
    },
    whenAbsent: 'the job runs when your code adds it',
    docs: 'Runs the job at these times, once for all replicas: `#schedule("0 3 * * *")` is every day at 3:00 UTC. Such a job has no attributes. Times that pass while no replica runs are made up for once.',
  },
]

const typesByName: ReadonlyMap<string, TypeEntry> = new Map(TYPES.map((entry) => [entry.name, entry]))
const annotationsByName: ReadonlyMap<string, AnnotationEntry> = new Map(
  ANNOTATIONS.map((entry) => [entry.name, entry]),
)
const metadataByName: ReadonlyMap<string, MetadataEntry> = new Map(
  METADATA.map((entry) => [entry.name, entry]),
)

const parameterNames: ReadonlySet<string> = new Set(
  [
    ...TYPES.flatMap(({ parameters }) => parameters),
    ...ANNOTATIONS.flatMap(({ parameter }) => parameter ?? []),
    ...METADATA.flatMap((entry) => metadataParameters(entry)),
  ].map(({ name }) => name),
)

/** Whether any type, annotation or metadata has a parameter with this name. */
export function isParameter(name: string): boolean {
  return parameterNames.has(name)
}

/** The built-in type of this name; `undefined` if none has it. */
export function typeNamed(name: string): TypeEntry | undefined {
  return typesByName.get(name)
}

/** The annotation of this name, without its `@`. */
export function annotationNamed(name: string): AnnotationEntry | undefined {
  return annotationsByName.get(name)
}

/** The metadata of this name, without its `#`. */
export function metadataNamed(name: string): MetadataEntry | undefined {
  return metadataByName.get(name)
}

/** The parameters of metadata: all, or those that it has in blocks of a kind. */
export function metadataParameters(
  { parameter, options = [] }: MetadataEntry,
  kind?: string,
): readonly Parameter[] {
  const all = parameter === undefined ? options : [parameter, ...options]
  return all.filter(({ onlyIn }) => kind === undefined || onlyIn === undefined || onlyIn === kind)
}

/** Whether metadata of this name says the method and path of an endpoint. */
export function isMethod(name: string | undefined): name is MethodName {
  return (METHODS as readonly (string | undefined)[]).includes(name)
}

/** Whether blocks of a kind are declared inside a service. */
export function isInnerKind(kind: string): boolean {
  return kind === 'struct' || kind === 'endpoint' || kind === 'job'
}

/** Whether this is a block kind. */
export function isBlockKind(kind: string): kind is BlockKind {
  return (BLOCK_KINDS as readonly string[]).includes(kind)
}

/** How an optional parameter of metadata is written: `filter: [...]`, `by: ...`, or its name without one. */
export function optionForm(option: Parameter): string {
  if (takesList(option)) return `${option.name}: [...]`
  return option.byName === true ? `${option.name}: ...` : option.name
}

/** Whether metadata can leave out its parameter. */
export function isOptional({ whenAbsent }: Parameter): boolean {
  return whenAbsent !== 'required'
}

/** Whether the argument of metadata is usually written with its name, because the word alone would say little. */
export function isNamedInText({ name }: Parameter): boolean {
  return name === 'by' || name === 'required'
}

/** Whether a parameter requires a list in square brackets. */
export function takesList({ kind }: Parameter): boolean {
  return kind === 'words' || kind === 'services' || kind === 'attributes' || kind === 'names'
}

/** Whether the words that a parameter accepts are names of the user's declarations. */
export function namesDeclaration({ kind }: Parameter): boolean {
  return ['services', 'attributes', 'name', 'names', 'callers', 'roles', 'entity'].includes(kind)
}

/** The value with this name or alias (`typescript` for `ts`). */
export function allowedValue(parameter: Parameter, spelling: string): AllowedValue | undefined {
  return parameter.values.find((entry) => entry.name === spelling || entry.aliases.includes(spelling))
}
