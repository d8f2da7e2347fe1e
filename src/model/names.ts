import type { Names } from './platform.ts'

const CAPITAL = /[A-Z]/

/**
 * The words of a declared name, lower case: `HTTPProxy2` is `http`, `proxy2`; `orderDate` is `order`, `date`.
 * A run of capitals is one word, the last of which starts the next word where a small letter follows;
 * digits belong to the word before them.
 */
export function words(declared: string): string[] {
  if (!CAPITAL.test(declared)) return [declared]
  return declared
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .map((word) => word.toLowerCase())
}

/** `ExampleService` to `example-service`. */
export function kebabCase(declared: string): string {
  return words(declared).join('-')
}

/** `ExampleService` to `example_service`. */
export function snakeCase(declared: string): string {
  return words(declared).join('_')
}

/** `ExampleService` to `exampleService`, `HTTPProxy2` to `httpProxy2`. */
export function camelCase(declared: string): string {
  return words(declared)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
}

/** All forms of a declared name. */
export function namesOf(declared: string): Names {
  return {
    declared,
    kebab: kebabCase(declared),
    snake: snakeCase(declared),
    camel: camelCase(declared),
  }
}

/** A number with its noun: `1 error`, `2 errors`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** A declared name with its article, for sentences: `an Order`, `a Home`. */
export function withArticle(declared: string): string {
  return `${/^[AEIOU]/.test(declared) ? 'an' : 'a'} ${declared}`
}

/** Postgres cuts identifiers behind this many bytes (NAMEDATALEN - 1). */
export const MAX_NAME_BYTES = 63
