import type { Block, Definition } from '../language/generated/ast.ts'
import { operationsOf } from '../model/resolve.ts'
import { counted } from '../model/names.ts'

/** Endpoints of the authentication service: register and login. */
const AUTHENTICATION_ENDPOINTS = 2

/** What a valid definition describes: `4 services, 2 structs, 31 endpoints`, those of authentication included. */
export function summarize({ blocks }: Definition): string {
  const services = blocks.filter(({ kind }) => kind === 'service')
  const structs = services.flatMap(({ members }) => members.filter((member) => member.$type === 'Block'))
  const endpoints = [...services, ...structs].reduce(
    (sum, block) => sum + operationsOf(block).size,
    blocks.some(hasAuthentication) ? AUTHENTICATION_ENDPOINTS : 0,
  )
  return [
    counted(services.length, 'service'),
    counted(structs.length, 'struct'),
    counted(endpoints, 'endpoint'),
  ].join(', ')
}

function hasAuthentication({ kind, members }: Block): boolean {
  return (
    kind === 'project' &&
    members.some((member) => member.$type === 'Metadata' && member.name === 'authMethod')
  )
}
