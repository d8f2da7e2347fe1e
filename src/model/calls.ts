import { metadataWords } from '../language/argument-binding.ts'
import {
  type Attribute,
  type Block,
  type Callee,
  type Entity,
  isAttribute,
  isEndpoint,
  isStruct,
  type Service,
} from '../language/generated/ast.ts'
import { metadataOf } from '../language/validation/definition-index.ts'
import { AUTHENTICATION, namesOf } from '../naming.ts'
import type { ServiceTarget } from './platform.ts'
import type { ServiceTargets } from './resolve-attribute.ts'

/** The port of each container that the gateway never calls. */
export const INTERNAL_PORT = 8081

/** A service in the form in which others refer to it. */
export function serviceTarget(declared: string, isAuthentication = false): ServiceTarget {
  const names = namesOf(declared)
  const { kebab, snake } = names
  return {
    names,
    isAuthentication,
    directory: kebab,
    urlVariable: `${snake.toUpperCase()}_INTERNAL_URL`,
    url: `http://${kebab}:${INTERNAL_PORT}`,
  }
}

/** What a service calls: the others that its attributes reference in the order of the text, then those in `#uses`. */
export function calledServices(node: Service): Callee[] {
  const blocks = [node, ...node.members.filter(isStruct), ...node.members.filter(isEndpoint)]
  const referenced = blocks
    .flatMap(({ members }) => members.filter(isAttribute))
    .map(targetOf)
    .filter((target) => target?.$type === 'Service')
  return [...new Set([...referenced, ...usedServices(node)])].filter((target) => target !== node)
}

/** What the `#uses` of a block lists. The authentication service is represented by `#authMethod`. */
export function usedServices(block: Block): Callee[] {
  const uses = metadataOf(block, 'uses')
  return (uses === undefined ? [] : metadataWords(uses)).flatMap((value) =>
    value.$type === 'ServiceValue' ? (value.service.ref ?? []) : [],
  )
}

/** The same in the form in which code refers to them. */
export function callsOf(called: readonly Callee[], targets: ServiceTargets): ServiceTarget[] {
  return called.flatMap((callee) =>
    callee.$type === 'Setting' ? serviceTarget(AUTHENTICATION, true) : (targets.get(callee) ?? []),
  )
}

/** What an attribute refers to; `undefined` for built-in types. */
export function targetOf({ type }: Attribute): Entity | undefined {
  return type.$type === 'ReferenceType' ? type.entity.ref : undefined
}
