import type { Definition } from '../language/generated/ast.ts'
import { resolvePlatform } from '../model/resolve.ts'
import { count } from './plural.ts'

/** Endpoints of the authentication service: register and login. */
const AUTHENTICATION_ENDPOINTS = 2

/** What a valid definition describes: `4 services, 2 structs, 31 endpoints`, those of authentication included. */
export function summarize(definition: Definition): string {
  const { services, authentication } = resolvePlatform(definition)
  const structs = services.flatMap((service) => service.structs)
  const entities = [...services.map(({ entity }) => entity), ...structs]
  const endpoints = entities.reduce(
    (sum, entity) => sum + entity.endpoints.length,
    authentication === undefined ? 0 : AUTHENTICATION_ENDPOINTS,
  )
  return [
    count(services.length, 'service'),
    count(structs.length, 'struct'),
    count(endpoints, 'endpoint'),
  ].join(', ')
}
