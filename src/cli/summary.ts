import {
  type Definition,
  isEndpoint,
  isMetadata,
  isProject,
  isService,
  isStruct,
  type Project,
} from '../language/generated/ast.ts'
import { operationsOf } from '../model/resolve.ts'
import { counted } from '../naming.ts'

/** The endpoints of the authentication service: register and login. */
const AUTHENTICATION_ENDPOINTS = 2

/** Summarizes a valid definition, authentication included: `4 services, 2 structs, 31 endpoints`. */
export function summarize({ members }: Definition): string {
  const services = members.filter(isService)
  const structs = services.flatMap((service) => service.members.filter(isStruct))
  const declared = services.flatMap((service) => service.members.filter(isEndpoint))
  const endpoints = [...services, ...structs].reduce(
    (sum, block) => sum + operationsOf(block).size,
    declared.length +
      (members.some((member) => isProject(member) && hasAuthentication(member))
        ? AUTHENTICATION_ENDPOINTS
        : 0),
  )
  return [
    counted(services.length, 'service'),
    counted(structs.length, 'struct'),
    counted(endpoints, 'endpoint'),
  ].join(', ')
}

function hasAuthentication({ members }: Project): boolean {
  return members.some((member) => isMetadata(member) && member.name === 'authMethod')
}
