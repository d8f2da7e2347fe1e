import type { Attribute, Entity, Platform, Service } from '../../model/platform.ts'
import { accessWords } from './access.ts'
import { detailOf } from './cards.ts'
import { linksOf } from './links.ts'

/**
 * A platform as a class diagram in Mermaid's language, which GitHub, GitLab and many editors draw: services and
 * structs with their attributes, structs as parts of their service, references as arrows named after the
 * attribute, uses as dashed ones. Ends in a line end.
 */
export function diagramMermaid(platform: Platform): string {
  const authenticated = platform.authentication !== undefined
  const lines = [
    ...platform.services.flatMap((service) => [
      ...classOf(service.entity, accessWords(service, authenticated)),
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
  ]
}

/** What a service's structs are to it and to each other. */
function structLines({ names, structs }: Service): string[] {
  return structs.flatMap((struct) => [
    `${names.declared} *-- "*" ${struct.names.declared}`,
    ...struct.attributes.flatMap((attribute) => ownLink(struct.names.declared, attribute)),
  ])
}

function ownLink(struct: string, { names, type }: Attribute): string[] {
  if (type.kind === 'sibling') return [`${struct} --> ${type.target.declared} : ${names.declared}`]
  if (type.kind === 'reference' && type.own)
    return [`${struct} --> ${type.target.names.declared} : ${names.declared}`]
  return []
}
