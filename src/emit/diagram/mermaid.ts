import type { Attribute, Entity, Platform, Service } from '../../model/platform.ts'
import { summarizeAccess } from '../../model/describe-access.ts'
import { AUTHENTICATION_ACCESS, detailOf, transitionsOf } from './cards.ts'
import { isLinked, linksOf } from './links.ts'

/**
 * A Mermaid class diagram of a platform, which GitHub, GitLab and many editors render: services and structs with
 * their attributes, structs as parts of their service, references as arrows named after the attribute, and uses as
 * dashed arrows. Ends with a line break.
 */
export function diagramMermaid(platform: Platform): string {
  const { authentication } = platform
  const authenticated = authentication !== undefined
  const lines = [
    ...(authentication !== undefined && isLinked(authentication)
      ? [`class ${authentication.names.declared} {`, `  <<${AUTHENTICATION_ACCESS}>>`, '}']
      : []),
    ...platform.services.flatMap((service) => [
      ...classOf(service.entity, summarizeAccess(service, authenticated)),
      ...service.structs.flatMap((struct) => classOf(struct, 'struct')),
    ]),
    ...platform.services.flatMap(structLines),
    ...linksOf(platform).map(({ from, struct, field, to }) =>
      field === undefined ? `${from} ..> ${to} : uses` : `${struct ?? from} --> ${to} : ${field}`,
    ),
  ]
  return `classDiagram\n  direction LR\n${lines.map((line) => `  ${line}\n`).join('')}`
}

function classOf({ names, attributes }: Entity, note: string): string[] {
  return [
    `class ${names.declared} {`,
    `  <<${note}>>`,
    ...attributes.map((attribute) => `  ${attribute.names.declared}: ${detailOf(attribute)}`),
    '}',
    ...attributes.flatMap((attribute) =>
      transitionsOf(attribute).map(
        ([from, to]) => `note for ${names.declared} "${attribute.names.declared}: ${from} ${to}"`,
      ),
    ),
  ]
}

/** The relations between a service and its structs, and between structs. */
function structLines({ names, structs }: Service): string[] {
  return structs.flatMap((struct) => [
    `${names.declared} *-- "*" ${struct.names.declared}`,
    ...struct.attributes.flatMap((attribute) => ownLink(struct.names.declared, attribute)),
  ])
}

function ownLink(struct: string, { names, type }: Attribute): string[] {
  if (type.kind === 'sibling') return [`${struct} --> ${type.target.declared} : ${names.declared}`]
  if (type.kind === 'reference' && type.local)
    return [`${struct} --> ${type.target.names.declared} : ${names.declared}`]
  return []
}
