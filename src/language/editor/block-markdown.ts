import { accessOf } from '../../model/access.ts'
import { entityEndpoints, structEndpoints } from '../../model/endpoints.ts'
import { counted, kebabCase } from '../../model/names.ts'
import type { Access, Endpoint } from '../../model/platform.ts'
import { operationsOf } from '../../model/resolve.ts'
import { effectiveAccess } from '../checks/access.ts'
import { metadataOf } from '../checks/facts.ts'
import { documentationOf } from '../documentation.ts'
import type { Block } from '../generated/ast.ts'
import type { Read } from '../syntax/read.ts'
import { knownFacts } from './definition-facts.ts'

/** The endpoints of a service or struct in the order of the output; none of other blocks. */
export function endpointsOf(block: Block): Endpoint[] {
  const path = `/api/${kebabCase(block.name)}`
  if (block.kind === 'service') return entityEndpoints(path, operationsOf(block))
  const parent = block.$container
  if (block.kind !== 'struct' || parent.$type !== 'Block') return []
  const parentPath = `/api/${kebabCase(parent.name)}`
  return structEndpoints(`${parentPath}/{parent-id}/${kebabCase(block.name)}`, operationsOf(block))
}

/** A block as Markdown: what it is called, its documentation, and what it serves to whom. */
export function blockMarkdown(read: Read, block: Block): string {
  const documentation = documentationOf(block)
  const parts = [fenced(`${block.name}: ${block.kind}`)]
  if (documentation !== '') parts.push(documentation)
  if (block.kind === 'project') parts.push(projectSummary(read))
  const endpoints = endpointsOf(block)
  if (endpoints.length > 0)
    parts.push(endpoints.map((endpoint) => endpointLine(read, block, endpoint)).join('\n'))
  return parts.join('\n\n')
}

/** Text as the language's own code. */
export function fenced(code: string): string {
  return `\`\`\`portico\n${code}\n\`\`\``
}

function projectSummary(read: Read): string {
  const { blocks } = knownFacts(read)
  const services = blocks.filter(({ kind }) => kind === 'service').length
  const structs = blocks.filter(({ kind }) => kind === 'struct').length
  const endpoints = blocks.reduce((sum, block) => sum + endpointsOf(block).length, 0)
  return [
    counted(services, 'service'),
    counted(structs, 'struct'),
    counted(endpoints, 'endpoint'),
    hasAuthentication(read) ? 'users log in by email' : 'no authentication',
  ].join(', ')
}

/** Who may read and write what is in a service, or in the service that a struct stands in. */
export function permissionsOf(
  read: Read,
  block: Block,
): { readonly identity: boolean; readonly readable: Access; readonly writable: Access } {
  const service = block.$container.$type === 'Block' ? block.$container : block
  const { readable, writable } = effectiveAccess(service, { facts: knownFacts(read) })
  return {
    identity: metadataOf(service, 'auth') !== undefined,
    readable: readable === 'this' ? 'this' : 'all',
    writable: writable === 'this' ? 'this' : 'all',
  }
}

/** The definition has users. */
export function hasAuthentication(read: Read): boolean {
  return knownFacts(read).authMethod !== undefined
}

function endpointLine(read: Read, block: Block, { operation, method, paths }: Endpoint): string {
  const isOwn = block.kind === 'service'
  const who = accessOf(operation, isOwn, permissionsOf(read, block), hasAuthentication(read))
  return `- ${operation}: \`${method} ${paths[0]}\` (${who})`
}
