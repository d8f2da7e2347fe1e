import type { Endpoint, Entity } from './platform.ts'

/**
 * The name of an endpoint as a function: `createHome`. It is unique in the platform, since declared names are,
 * and the word before them is lower case.
 */
export function operationName({ names }: Entity, { operation }: Endpoint): string {
  return `${operation}${names.declared}`
}
