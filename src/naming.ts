/** A declared name in every form that the output uses. */
export interface Names {
  /** As declared: `ExampleService`, `orderDate`. For JSON, messages and documentation. */
  readonly declared: string
  /** `example-service`: for paths, directories and host names. */
  readonly kebab: string
  /** `example_service`: for environment variables, metrics and, in an attribute, its column. */
  readonly snake: string
  /** `exampleService`: for variables; may be a reserved word. */
  readonly camel: string
}

const CAPITAL = /[A-Z]/

/**
 * Splits a declared name into lower-case words: `HTTPProxy2` into `http` and `proxy2`, `orderDate` into `order` and
 * `date`. Consecutive capitals are one word, except that the last one starts the next word if a lower-case letter
 * follows. Digits belong to the word before them.
 */
export function words(declared: string): string[] {
  if (!CAPITAL.test(declared)) return [declared]
  return declared
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .map((word) => word.toLowerCase())
}

/** Converts `ExampleService` to `example-service`. */
export function kebabCase(declared: string): string {
  return words(declared).join('-')
}

/** Converts `ExampleService` to `example_service`. */
export function snakeCase(declared: string): string {
  return words(declared).join('_')
}

/** The system columns, which every table has. https://www.postgresql.org/docs/18/ddl-system-columns.html */
const SYSTEM_COLUMNS: ReadonlySet<string> = new Set(['xmin', 'xmax', 'cmin', 'cmax', 'ctid', 'tableoid'])
/** Databases, roles and schemas that every server has, and roles that Postgres does not allow. */
const SERVER_NAMES: ReadonlySet<string> = new Set([
  'public',
  'none',
  'postgres',
  'template0',
  'template1',
  'information_schema',
])

/** The column of an attribute: `order_date`, or `_xmin` for the name of a system column. */
export function columnName(declared: string): string {
  const name = snakeCase(declared)
  return SYSTEM_COLUMNS.has(name) ? `_${name}` : name
}

/** The table of a service or struct: `example_service`, or `_pg_class` for the name of a table in the system catalog. */
export function tableName(declared: string): string {
  const name = snakeCase(declared)
  return name.startsWith('pg_') ? `_${name}` : name
}

/** The database of a service and its role: `example_service`, or `_public` for a name that Postgres reserves. */
export function databaseName(declared: string): string {
  const name = tableName(declared)
  return SERVER_NAMES.has(name) ? `_${name}` : name
}

/** Converts `ExampleService` to `exampleService`, and `HTTPProxy2` to `httpProxy2`. */
export function camelCase(declared: string): string {
  return words(declared)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
}

/** The name of the authentication service, which no definition declares. */
export const AUTHENTICATION = 'Auth'

const DATABASE_SUFFIX = '-db'

/** Returns the directory of a service's database, from the name of the service in kebab-case: `home-db`. */
export function databaseDirectoryOf(kebab: string): string {
  return `${kebab}${DATABASE_SUFFIX}`
}

/** The host of the Postgres that has the databases of all services (`#database(server: shared)`). */
export const SHARED_DATABASE_SERVER = 'postgres'

/** Returns the name in kebab-case of the service that a database was created for. The inverse of `databaseDirectoryOf`. */
export function serviceOfDatabase(directory: string): string {
  return directory.endsWith(DATABASE_SUFFIX) ? directory.slice(0, -DATABASE_SUFFIX.length) : directory
}

/** Returns all forms of a declared name. */
export function namesOf(declared: string): Names {
  return {
    declared,
    kebab: kebabCase(declared),
    snake: snakeCase(declared),
    camel: camelCase(declared),
  }
}

/** Returns a number with its noun: `1 error`, `2 errors`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Joins parts of a sentence: `a, b and c`. */
export function joined(parts: readonly string[], conjunction: 'and' | 'or'): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${conjunction} ${last}`
}

/** Joins names, each in backticks: `a`, `b` and `c`. */
export function listed(names: readonly string[], conjunction: 'and' | 'or'): string {
  return joined(
    names.map((name) => `\`${name}\``),
    conjunction,
  )
}

/** Returns a declared name with its indefinite article: `an Order`, `a Home`, `a User`. */
export function withArticle(declared: string): string {
  return `${/^(?:[AEIOe]|U(?!s|ni))/.test(declared) ? 'an' : 'a'} ${declared}`
}

/** Postgres truncates longer identifiers (NAMEDATALEN - 1). */
export const MAX_NAME_BYTES = 63
