/** What a service may depend on: there is a lock file for each set, in `templates/typescript/locks/`. */
export type DependencySet = 'plain' | 'calling' | 'authenticated' | 'authenticatedCalling' | 'authentication'

const EVERY_SERVICE = ['@hono/node-server', 'drizzle-orm', 'hono', 'postgres', 'uuid']

/**
 * The packages of services without authentication and of those with it, each without and with calls to other
 * services, and of the authentication service. Their versions are those that Portico depends on, since `dev`
 * runs services with its own installation.
 */
export const DEPENDENCY_SETS: Readonly<Record<DependencySet, readonly string[]>> = {
  plain: EVERY_SERVICE,
  calling: [...EVERY_SERVICE, 'undici'].sort(),
  authenticated: [...EVERY_SERVICE, 'jose'].sort(),
  authenticatedCalling: [...EVERY_SERVICE, 'jose', 'undici'].sort(),
  authentication: [...EVERY_SERVICE, 'bcryptjs', 'jose', 'tinypool'].sort(),
}

/** What it takes to check a service's types; images do not hold it. */
export const DEVELOPMENT_DEPENDENCIES: readonly string[] = ['@types/node', 'typescript']
