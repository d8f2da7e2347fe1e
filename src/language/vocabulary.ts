/**
 * The one table of what may be written in a definition: attribute types, annotations and metadata with
 * their parameters, values and defaults. Checks, the model, completion, hovers and the reference page all
 * read it; nothing else knows these words.
 */

export const BLOCK_KINDS = ['project', 'service', 'struct'] as const
export type BlockKind = (typeof BLOCK_KINDS)[number]

/** One of the words that a parameter takes. */
export interface AllowedValue {
  readonly name: string
  /** Other spellings with the same meaning. */
  readonly aliases: readonly string[]
  readonly docs: string
}

/** What a parameter takes: a number, one word, a list of words, or a list of service names. */
export type ParameterKind = 'integer' | 'float' | 'word' | 'words' | 'services'

/** One parameter; its place in its list is its positional order. */
export interface Parameter {
  readonly name: string
  readonly kind: ParameterKind
  /** The words that it takes, for the kinds `word` and `words`. */
  readonly values: readonly AllowedValue[]
  /** What holds when it is not given, in words. */
  readonly whenAbsent: string
  readonly docs: string
}

/** A type that is built into the language. */
export interface TypeEntry {
  readonly name: TypeName
  readonly parameters: readonly Parameter[]
  /** Its form in JSON. */
  readonly json: string
  /** Its form in Postgres. */
  readonly postgres: string
  /** What other languages call it: what to suggest it for. */
  readonly elsewhere: readonly string[]
  readonly docs: string
}

/** An annotation, written behind the type of an attribute. */
export interface AnnotationEntry {
  readonly name: AnnotationName
  readonly docs: string
}

/** A metadata item. */
export interface MetadataEntry {
  readonly name: MetadataName
  /** The kinds of block that take it. */
  readonly blocks: readonly BlockKind[]
  /** Its one parameter; `undefined` where it takes none. */
  readonly parameter: Parameter | undefined
  /** What holds without it, in words. */
  readonly whenAbsent: string
  readonly docs: string
}

export type TypeName = 'bool' | 'string' | 'int' | 'float' | 'date' | 'time' | 'datetime' | 'data'
export type AnnotationName = 'unique' | 'server' | 'serverSet' | 'client'
export type MetadataName =
  | 'language'
  | 'database'
  | 'provider'
  | 'authMethod'
  | 'metrics'
  | 'readable'
  | 'writable'
  | 'auth'
  | 'enumerable'
  | 'omit'
  | 'uses'

function value(name: string, docs: string, ...aliases: string[]): AllowedValue {
  return { name, aliases, docs }
}

function number(name: string, kind: 'integer' | 'float', whenAbsent: string, docs: string): Parameter {
  return { name, kind, values: [], whenAbsent, docs }
}

function word(name: string, whenAbsent: string, docs: string, values: readonly AllowedValue[]): Parameter {
  return { name, kind: 'word', values, whenAbsent, docs }
}

/** Bytes of an `int` without `precision`. */
export const DEFAULT_INT_PRECISION = 4n
/** Bytes of a `float` without `precision`. */
export const DEFAULT_FLOAT_PRECISION = 8n
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
      number(
        'maxLength',
        'integer',
        'no upper bound',
        'The most characters (Unicode code points), inclusive.',
      ),
      number('minLength', 'integer', '0', 'The fewest characters (Unicode code points), inclusive.'),
    ],
    json: 'string',
    postgres: '`text` with a check',
    elsewhere: ['text', 'str', 'varchar', 'char', 'uuid', 'email', 'url'],
    docs: 'Unicode text.',
  },
  {
    name: 'int',
    parameters: [
      number('max', 'integer', 'what the precision holds', 'The largest value, inclusive.'),
      number('min', 'integer', 'what the precision holds', 'The smallest value, inclusive.'),
      number('precision', 'integer', '4', 'Bytes that a value is stored in, 1 to 8.'),
    ],
    json: 'integer',
    postgres: '`smallint` (1-2), `integer` (3-4), `bigint` (5-8), with checks',
    elsewhere: ['integer', 'long', 'number', 'bigint', 'smallint', 'serial', 'uint', 'short', 'byte'],
    docs: 'A whole number. JSON integers beyond 2^53-1 in size are refused rather than rounded.',
  },
  {
    name: 'float',
    parameters: [
      number('max', 'float', 'no upper bound', 'The largest value, inclusive.'),
      number('min', 'float', 'no lower bound', 'The smallest value, inclusive.'),
      number('precision', 'integer', '8', 'Bytes that a value is stored in, 1 to 8.'),
    ],
    json: 'number',
    postgres: '`real` (1-4), `double precision` (5-8)',
    elsewhere: ['double', 'decimal', 'real', 'numeric'],
    docs: 'A floating-point number.',
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
    parameters: [number('maxSize', 'integer', 'no upper bound', 'The largest size in bytes.')],
    json: 'base64 (RFC 4648, padded)',
    postgres: '`bytea` with a check',
    elsewhere: ['bytes', 'blob', 'binary', 'bytea', 'file', 'image'],
    docs: 'Binary data.',
  },
]

/** The annotations, in the order of the reference page. */
export const ANNOTATIONS: readonly AnnotationEntry[] = [
  { name: 'unique', docs: 'At most one stored entity holds a given value.' },
  { name: 'server', docs: 'Stored, but never accepted from nor shown to clients: only hooks see it.' },
  { name: 'serverSet', docs: 'Set by hooks, shown to clients, never accepted from them.' },
  { name: 'client', docs: 'Required from clients and given to hooks, but neither stored nor shown.' },
]

/** The annotations of which an attribute holds at most one. */
export const VISIBILITIES: ReadonlySet<string> = new Set<AnnotationName>(['server', 'serverSet', 'client'])

const LANGUAGES = [
  value('typescript', 'Hono and Drizzle on Node.', 'ts'),
  value('go', 'The standard library and pgx.'),
]
const ACCESS = [
  value('this', 'Only the token that created an entity.'),
  value('all', 'Every valid token; without authentication everybody.'),
]
const ACCESS_WHEN_ABSENT =
  "the project's; there, `this` with authentication, else `all` (an `#auth` service: always `this`)"

/** What `#omit` takes, in the order of endpoints. `identify` exists on `#auth` services only. */
export const OMITTABLE: readonly AllowedValue[] = [
  value('create', 'The endpoint that creates an entity.'),
  value('read', 'The endpoint that reads one entity.'),
  value('update', 'The endpoint that replaces an entity.'),
  value('delete', 'The endpoint that deletes an entity.'),
  value('identify', 'The endpoint that finds the entity of a token; on `#auth` services only.'),
]

/** The metadata, in the order of the reference page. */
export const METADATA: readonly MetadataEntry[] = [
  {
    name: 'language',
    blocks: ['project', 'service'],
    parameter: word('language', 'required', 'The language.', LANGUAGES),
    whenAbsent: "the project's; there, `typescript`",
    docs: 'The language that the service is generated in.',
  },
  {
    name: 'database',
    blocks: ['project', 'service'],
    parameter: word('database', 'required', 'The database.', [value('postgres', 'PostgreSQL.')]),
    whenAbsent: '`postgres`',
    docs: 'The database that entities are stored in.',
  },
  {
    name: 'provider',
    blocks: ['project'],
    parameter: word('provider', 'required', 'The provider.', [
      value('dockerCompose', 'A Compose file.', 'dc'),
      value('kube', 'Kubernetes manifests.', 'kubernetes', 'k8s'),
    ]),
    whenAbsent: '`dockerCompose`',
    docs: 'What runs the platform when it is deployed.',
  },
  {
    name: 'authMethod',
    blocks: ['project'],
    parameter: word('method', 'required', 'How users log in.', [
      value('email', 'An email address and a password.'),
    ]),
    whenAbsent: 'no authentication',
    docs: 'Adds the authentication service; every other service then requires a token.',
  },
  {
    name: 'metrics',
    blocks: ['project'],
    parameter: word('metrics', 'required', 'What collects the metrics.', [
      value('prometheus', 'Prometheus and Grafana.'),
    ]),
    whenAbsent: 'none',
    docs: 'Counts and times requests and database queries.',
  },
  {
    name: 'readable',
    blocks: ['project', 'service'],
    parameter: word('by', 'required', 'Who may read.', ACCESS),
    whenAbsent: ACCESS_WHEN_ABSENT,
    docs: 'Who may read entities. In a project block: the default for its services.',
  },
  {
    name: 'writable',
    blocks: ['project', 'service'],
    parameter: word('by', 'required', 'Who may write.', ACCESS),
    whenAbsent: ACCESS_WHEN_ABSENT,
    docs: 'Who may update and delete entities. In a project block: the default for its services.',
  },
  {
    name: 'auth',
    blocks: ['service'],
    parameter: undefined,
    whenAbsent: 'an ordinary service',
    docs: 'Makes the service a store of user metadata: one entity for each token, found by the identify endpoint.',
  },
  {
    name: 'enumerable',
    blocks: ['service', 'struct'],
    parameter: undefined,
    whenAbsent: 'no list endpoint',
    docs: 'Adds the list endpoint.',
  },
  {
    name: 'omit',
    blocks: ['service', 'struct'],
    parameter: {
      name: 'endpoints',
      kind: 'words',
      values: OMITTABLE,
      whenAbsent: 'required',
      docs: 'The endpoints to leave out.',
    },
    whenAbsent: 'every endpoint exists',
    docs: 'Leaves generated endpoints out.',
  },
  {
    name: 'uses',
    blocks: ['service'],
    parameter: {
      name: 'services',
      kind: 'services',
      values: [],
      whenAbsent: 'required',
      docs: 'Names of services.',
    },
    whenAbsent: 'only the services that its attributes refer to',
    docs: 'Services that it calls from its own code.',
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
    ...METADATA.flatMap(({ parameter }) => parameter ?? []),
  ].map(({ name }) => name),
)

/** Whether some type or metadata has a parameter of this name. */
export function isParameter(name: string): boolean {
  return parameterNames.has(name)
}

/** The built-in type of this name; `undefined` where there is none. */
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

/** Whether this is a kind of block. */
export function isBlockKind(kind: string): kind is BlockKind {
  return (BLOCK_KINDS as readonly string[]).includes(kind)
}

/** The word of the parameter that this spelling stands for (`ts` is `typescript`). */
export function allowedValue(parameter: Parameter, spelling: string): AllowedValue | undefined {
  return parameter.values.find((entry) => entry.name === spelling || entry.aliases.includes(spelling))
}
